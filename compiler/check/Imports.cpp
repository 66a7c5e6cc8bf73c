// Depth-first reading of imports; see Imports.h.
#include "compiler/check/Imports.h"

#include "compiler/source/Stdlib.h"
#include "compiler/syntax/Parse.h"

#include <algorithm>
#include <filesystem>

namespace sgl {

namespace {

namespace fs = std::filesystem;

constexpr size_t maxModules = 1000;
constexpr size_t maxNesting = 100;

class Loader {
public:
  explicit Loader(Session &session) : session(session) {}

  void loadMain(uint32_t file) {
    load(file, keyOfFile(session.sources.file(file).path()));
  }

private:
  struct Open {
    std::string key;
    std::string shown;
  };

  static std::string keyOfFile(const std::string &path) {
    std::error_code failed;
    fs::path canonical = fs::weakly_canonical(path, failed);
    return failed ? path : canonical.string();
  }

  ast::Module *load(uint32_t file, const std::string &key) {
    auto module = parse(session.sources, file, session.diagnostics);
    if (!module)
      module = std::make_unique<ast::Module>();
    module->file = file;
    ast::Module *result = module.get();
    session.program.modules.push_back(std::move(module));
    modules[key] = result;
    open.push_back({key, session.sources.file(file).path()});
    for (ast::Import &import : result->imports)
      link(*result, import);
    open.pop_back();
    return result;
  }

  void link(const ast::Module &from, ast::Import &import) {
    if (import.file)
      linkFile(from, import);
    else
      linkLibrary(import);
  }

  void linkLibrary(ast::Import &import) {
    std::string dotted;
    for (const ast::Name &part : import.path)
      dotted += (dotted.empty() ? "" : ".") + part.text;
    if (session.refuse("module " + dotted, import.pathSpan))
      return;
    std::optional<std::string_view> text = embeddedModule(dotted);
    if (!text) {
      Diagnostic &d = session.error("E0201", import.pathSpan,
                                    "cannot find module " + ticked(dotted));
      if (dotted.rfind("std.", 0) == 0)
        d.label("the standard library has no such module");
      else
        d.label("only `std.` modules are named by dots")
            .note("a file is imported by its path in quotes: import \"" +
                  (import.path.empty() ? "" : import.path.back().text) +
                  ".sgl\"");
      return;
    }
    std::string path = dotted;
    std::replace(path.begin(), path.end(), '.', '/');
    path = "<" + path + ".sgl>";
    enter(import, dotted, path,
          [&] { return session.sources.add(path, std::string(*text)); });
  }

  void linkFile(const ast::Module &from, ast::Import &import) {
    const std::string &importer = session.sources.file(from.file).path();
    std::vector<fs::path> folders = {fs::path(importer).parent_path()};
    for (const std::string &folder : session.options.folders)
      folders.push_back(folder);
    for (const fs::path &folder : folders) {
      fs::path candidate = (folder / *import.file).lexically_normal();
      std::error_code failed;
      if (!fs::is_regular_file(candidate, failed))
        continue;
      std::string path = candidate.string();
      enter(import, keyOfFile(path), path, [&]() -> std::optional<uint32_t> {
        Result<uint32_t> file = session.sources.read(path);
        if (file)
          return *file;
        session.error("E0201", import.pathSpan, file.error().message);
        return std::nullopt;
      });
      return;
    }
    Diagnostic &d = session.error("E0201", import.pathSpan,
                                  "cannot find file " + ticked(*import.file));
    d.label("no such file");
    for (const fs::path &folder : folders)
      d.note("looked in " + (folder.empty() ? "." : folder.string()));
  }

  /// Links `import` to the module `key`, reading it by `read` the first time.
  template <typename Read>
  void enter(ast::Import &import, const std::string &key,
             const std::string &shown, Read read) {
    for (size_t i = 0; i < open.size(); ++i)
      if (open[i].key == key)
        return reportCycle(import, i, shown);
    if (auto known = modules.find(key); known != modules.end()) {
      import.module = known->second;
      return;
    }
    if (open.size() >= maxNesting || modules.size() >= maxModules) {
      session
          .error("E0206", import.pathSpan,
                 "too many imports: at most " + std::to_string(maxNesting) +
                     " deep and " + std::to_string(maxModules) + " files")
          .label("one too many");
      return;
    }
    std::optional<uint32_t> file = read();
    if (file)
      import.module = load(*file, key);
  }

  void reportCycle(const ast::Import &import, size_t from,
                   const std::string &shown) {
    std::string chain;
    for (size_t i = from; i < open.size(); ++i)
      chain += open[i].shown + " -> ";
    session.error("E0206", import.pathSpan, "import cycle: " + chain + shown)
        .label("imports a file that is still being read")
        .note("move what both need into a third file");
  }

  Session &session;
  std::unordered_map<std::string, ast::Module *> modules;
  std::vector<Open> open;
};

} // namespace

void loadModules(Session &session, uint32_t mainFile) {
  Loader(session).loadMain(mainFile);
}

} // namespace sgl
