// The order of the whole: read files, declare, resolve, constants, bodies.
#include "compiler/check/Check.h"

#include "compiler/check/BodyChecker.h"
#include "compiler/check/Declare.h"
#include "compiler/check/Entry.h"
#include "compiler/check/Imports.h"
#include "compiler/check/StateEffects.h"
#include "ir/constraint/Regex.h"

namespace sgl {

namespace {

void checkDefaultValues(Session &session, ast::Module &module) {
  for (auto &item : module.records)
    for (size_t i = 0; i < item->fields.size(); ++i) {
      ast::Field &field = item->fields[i];
      if (!field.defaultValue)
        continue;
      RecordField &target = item->decl->fields[i];
      BodyChecker(session, module, nullptr)
          .checkConstant(*field.defaultValue, target.type,
                         "the default of " + ticked(field.name.text));
      if (field.defaultValue->constant)
        target.defaultJson = toJson(*field.defaultValue->constant);
    }
  for (auto &function : module.functions)
    for (ast::Param &param : function->params)
      if (param.defaultValue)
        BodyChecker(session, module, nullptr)
            .checkConstant(*param.defaultValue, param.binding->type,
                           "the default of " + ticked(param.name.text));
}

} // namespace

CheckedProgram check(SourceManager &sources, uint32_t mainFile,
                     const ImportOptions &options, Diagnostics &diagnostics) {
  useRegexForTypes(); // folding converts values to refined types
  CheckedProgram checked;
  checked.types = std::make_unique<TypeContext>();
  Session session(sources, options, diagnostics, checked);
  loadModules(session, mainFile);
  auto &modules = checked.program.modules;
  for (auto &module : modules)
    declareSymbols(session, *module);
  for (auto &module : modules)
    importSymbols(session, *module);
  for (auto &module : modules)
    resolveDeclarations(session, *module);
  checkContainment(session);
  for (auto &module : modules)
    checkDefaultValues(session, *module);
  for (auto &module : modules) {
    for (auto &constant : module->constants)
      ensureConstant(session, *module, *constant);
    BodyChecker(session, *module, nullptr).checkDefaults();
  }
  findStateEffects(session);
  for (auto &module : modules)
    for (auto &function : module->functions)
      if (!function->isTool)
        BodyChecker(session, *module, function.get()).checkFunction();
  checkEntry(session, *modules.front());
  checked.functions = functionsInOrder(*modules.front());
  diagnostics.sort();
  return checked;
}

} // namespace sgl
