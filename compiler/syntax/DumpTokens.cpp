// The words of a file, one a line.

#include "compiler/syntax/Parse.h"

#include "compiler/syntax/Bytes.h"
#include "compiler/syntax/Quote.h"
#include "compiler/syntax/Words.h"

namespace sgl {

using namespace syntax;

std::string dumpTokens(const SourceManager &sources, uint32_t index,
                       Diagnostics &diagnostics) {
  const SourceFile &file = sources.file(index);
  SyntaxLog log(file, index);
  std::string out;
  if (checkBytes(file.text(), log)) {
    Words words = readWords(file, log, /*repair=*/false);
    const antlr4::dfa::Vocabulary &names = words.lexer->getVocabulary();
    for (const TokenPtr &token : words.tokens) {
      if (token->getType() == antlr4::Token::EOF)
        break;
      Span span = spanOf(token.get(), log);
      LineColumn at = file.at(span.begin);
      out += std::to_string(at.line) + ":" + std::to_string(at.column) + " " +
             std::string(names.getSymbolicName(token->getType())) + " " +
             quote(file.text().substr(span.begin, span.size())) + "\n";
    }
  }
  log.report(diagnostics);
  return out;
}

} // namespace sgl
