// Files, imports, constants, types, functions, tests.

#include "compiler/syntax/Builder.h"

#include <algorithm>

namespace sgl::syntax {

using namespace ast;

/// The `///` lines in front of a node.
std::string Builder::docOf(Rule *context) const {
  size_t token = context->getStart()->getTokenIndex();
  auto found = std::lower_bound(
      words.docs.begin(), words.docs.end(), token,
      [](const Doc &doc, size_t wanted) { return doc.token < wanted; });
  return found != words.docs.end() && found->token == token ? found->text : "";
}

std::unique_ptr<Module> Builder::module(P::FileContext *file) {
  auto module = std::make_unique<Module>();
  module->file = log.span(0, 0).file;
  module->doc = words.moduleDoc;
  std::vector<P::ItemContext *> items = file->item();
  for (size_t i = 0; i < items.size(); ++i) {
    itemEnd = i + 1 < items.size() ? spanOf(items[i + 1]).begin : text.size();
    item(items[i], *module);
  }
  return module;
}

void Builder::item(P::ItemContext *context, Module &module) {
  if (auto *node = context->importItem())
    return importItem(node, module);
  if (auto *node = context->defaultsItem()) {
    for (Arg &option : arguments(node->arguments()))
      module.defaults.push_back(std::move(option));
    module.defaultsSpan = spanOf(node);
    return;
  }
  if (auto *node = context->constItem())
    return constItem(node, module);
  if (auto *node = context->typeItem()) {
    auto alias = std::make_unique<TypeAlias>();
    alias->name = name(node->name());
    alias->type = type(node->type());
    alias->doc = docOf(node);
    if (!alias->name.text.empty())
      module.aliases.push_back(std::move(alias));
    return;
  }
  if (auto *node = context->recordItem())
    return recordItem(node, module);
  if (auto *node = context->enumItem())
    return enumItem(node, module);
  if (auto *node = context->toolItem())
    return toolItem(node, module);
  if (auto *node = context->functionItem())
    return functionItem(node, module);
  if (auto *node = context->testItem())
    testItem(node, module);
}

void Builder::importItem(P::ImportItemContext *context, Module &module) {
  Import import;
  import.span = spanOf(context);
  if (context->text()) {
    import.file = constantText(context->text());
    if (!import.file)
      return;
    import.pathSpan = spanOf(context->text());
  } else if (context->qualifiedName()) {
    import.path = qualified(context->qualifiedName());
    import.pathSpan = spanOf(context->qualifiedName());
  } else {
    return;
  }
  import.alias = optionalName(context->alias);
  if (context->nameList()) {
    import.hasList = true;
    for (auto *entry : context->nameList()->name())
      import.names.push_back(name(entry));
  }
  module.imports.push_back(std::move(import));
}

void Builder::constItem(P::ConstItemContext *context, Module &module) {
  auto constant = std::make_unique<ConstDecl>();
  constant->name = name(context->name());
  if (constant->name.text.empty())
    return;
  if (context->type())
    constant->declaredType = type(context->type());
  constant->value = expression(context->expression());
  constant->doc = docOf(context);
  module.constants.push_back(std::move(constant));
}

void Builder::recordItem(P::RecordItemContext *context, Module &module) {
  auto record = std::make_unique<RecordItem>();
  record->name = name(context->name());
  record->doc = docOf(context);
  for (auto *entry : context->field()) {
    Field field;
    field.name = name(entry->member());
    if (field.name.text.empty())
      continue;
    field.type = type(entry->type());
    if (entry->EQUALS())
      field.defaultValue = expression(entry->expression());
    field.doc = docOf(entry);
    record->fields.push_back(std::move(field));
  }
  if (!record->name.text.empty())
    module.records.push_back(std::move(record));
}

void Builder::enumItem(P::EnumItemContext *context, Module &module) {
  auto enumeration = std::make_unique<EnumItem>();
  enumeration->name = name(context->name());
  enumeration->doc = docOf(context);
  for (auto *entry : context->enumMember()) {
    EnumItemMember member;
    member.name = name(entry->member());
    if (member.name.text.empty())
      continue;
    if (entry->text())
      member.text = constantText(entry->text());
    member.doc = docOf(entry);
    enumeration->members.push_back(std::move(member));
  }
  if (!enumeration->name.text.empty())
    module.enums.push_back(std::move(enumeration));
}

std::vector<Param> Builder::parameters(P::ParametersContext *context) {
  std::vector<Param> list;
  if (!context)
    return list;
  for (auto *entry : context->parameter()) {
    Param param;
    param.name = name(entry->name());
    if (param.name.text.empty())
      continue;
    param.type = type(entry->type());
    if (entry->EQUALS())
      param.defaultValue = expression(entry->expression());
    param.doc = docOf(entry);
    list.push_back(std::move(param));
  }
  return list;
}

void Builder::toolItem(P::ToolItemContext *context, Module &module) {
  auto tool = std::make_unique<FnDecl>();
  tool->isTool = true;
  tool->name = name(context->name());
  tool->params = parameters(context->parameters());
  if (context->ARROW())
    tool->result = type(context->type());
  tool->doc = docOf(context);
  tool->span = spanOf(context);
  if (!tool->name.text.empty())
    module.functions.push_back(std::move(tool));
}

void Builder::functionItem(P::FunctionItemContext *context, Module &module) {
  auto function = std::make_unique<FnDecl>();
  function->name = name(context->name());
  function->params = parameters(context->parameters());
  if (context->ARROW())
    function->result = type(context->type());
  function->body = block(context->block());
  function->doc = docOf(context);
  function->span = spanOf(context);
  function->damaged = log.hasErrorIn(log.span(function->span.begin, itemEnd));
  if (!function->name.text.empty())
    module.functions.push_back(std::move(function));
}

void Builder::testItem(P::TestItemContext *context, Module &module) {
  auto test = std::make_unique<TestDecl>();
  if (context->text())
    test->title = constantText(context->text()).value_or("");
  test->mode = optionalName(context->setting);
  test->body = block(context->block());
  test->span = spanOf(context);
  module.tests.push_back(std::move(test));
}

} // namespace sgl::syntax
