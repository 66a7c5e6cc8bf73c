// Bytes to words to parse tree to syntax tree, and the budgets on the way.

#include "compiler/syntax/Parse.h"

#include "compiler/syntax/Builder.h"
#include "compiler/syntax/Bytes.h"
#include "compiler/syntax/Lookahead.h"
#include "compiler/syntax/SyntaxErrors.h"
#include "compiler/syntax/Words.h"

#include "ir/value/Utf8.h"

namespace sgl {

using namespace syntax;

/// ANTLR throws on bytes that are not UTF-8, so they never reach it.
bool syntax::checkBytes(std::string_view text, SyntaxLog &log) {
  size_t bad = firstInvalidUtf8(text);
  if (bad != std::string_view::npos) {
    constexpr char digits[] = "0123456789ABCDEF";
    auto byte = static_cast<unsigned char>(text[bad]);
    log.error("E0110", log.span(bad, bad + 1),
              std::string("this file is not UTF-8: byte 0x") +
                  digits[byte >> 4] + digits[byte & 15] + " at offset " +
                  std::to_string(bad))
        .label("not a character");
    return false;
  }
  size_t zero = text.find('\0');
  if (zero == std::string_view::npos)
    return true;
  log.error("E0110", log.span(zero, zero + 1),
            "this file holds a NUL byte at offset " + std::to_string(zero))
      .label("write `\\0` in a text");
  return false;
}

namespace {

/// Rules may nest without brackets (`if if if …`): a bound on the stack.
constexpr size_t deepestRules = 6000;

class BoundedParser final : public SglParser {
public:
  explicit BoundedParser(antlr4::TokenStream *words) : SglParser(words) {
    using antlr4::atn::ParserATNSimulator;
    removeErrorListeners();
    setInterpreter(new Prediction(this, *getInterpreter<ParserATNSimulator>()));
  }

  /// For text without errors: no recovery is prepared. Null if there is one.
  FileContext *parseQuickly() {
    setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
    setMode(antlr4::atn::PredictionMode::SLL);
    try {
      return file();
    } catch (const antlr4::ParseCancellationException &) {
      return nullptr;
    }
  }

  /// Reads again from the begin, with messages and recovery.
  FileContext *parseWithMessages(std::string_view text, SyntaxLog &log) {
    reset();
    open.clear();
    setErrorHandler(std::make_shared<ErrorStrategy>(text, log));
    setMode(antlr4::atn::PredictionMode::LL);
    return file();
  }

  void enterRule(antlr4::ParserRuleContext *context, size_t state,
                 size_t rule) override {
    while (!open.empty() && open.back() != context->parent)
      open.pop_back();
    open.push_back(context);
    if (open.size() > deepestRules)
      throw antlr4::ParseCancellationException();
    SglParser::enterRule(context, state, rule);
  }

private:
  void setMode(antlr4::atn::PredictionMode mode) {
    getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(mode);
  }

  std::vector<antlr4::tree::ParseTree *> open; ///< rules on the stack
};

std::unique_ptr<ast::Module> parseWords(const SourceFile &file, uint32_t index,
                                        SyntaxLog &log) {
  auto empty = [&] {
    auto module = std::make_unique<ast::Module>();
    module->file = index;
    return module;
  };
  if (!checkBytes(file.text(), log))
    return empty();
  Words words = readWords(file, log);
  if (!words.usable)
    return empty();
  antlr4::ListTokenSource source(std::move(words.tokens));
  antlr4::CommonTokenStream stream(&source);
  stream.fill();
  BoundedParser parser(&stream);
  try {
    SglParser::FileContext *tree = parser.parseQuickly();
    if (!tree)
      tree = parser.parseWithMessages(file.text(), log);
    return Builder(file, words, log).module(tree);
  } catch (const antlr4::ParseCancellationException &) {
    const antlr4::Token *token = parser.getCurrentToken();
    log.only("E0111", syntax::spanOf(token, log), "this nests too deep")
        .label("more than 1,000 levels");
    return empty();
  }
}

} // namespace

std::unique_ptr<ast::Module> parse(const SourceManager &sources, uint32_t file,
                                   Diagnostics &diagnostics) {
  SyntaxLog log(sources.file(file), file);
  std::unique_ptr<ast::Module> module =
      parseWords(sources.file(file), file, log);
  log.report(diagnostics);
  return module;
}

} // namespace sgl
