// Bytes that a constraint forces, as the tokens that the model itself would
// write.
//
// Entry point: planForced. The tokens are the canonical ones of the text so far
// and the forced bytes; committed tokens are never changed. An end that could
// begin a longer legal token is withheld: the next token must have it as a
// prefix, or be the one that the model would write there in front of a longer
// one (`c` of `c|athode`, where `ca` is forced). Where decoding the tokens does
// not give the bytes back, nothing is forced. The result depends on automaton,
// state and committed tokens alone, so feeding the tokens one by one gives the
// same ids.
#pragma once

#include "runtime/mask/TokenMask.h"

namespace sgl {

struct ForcedRun {
  std::vector<TokenId> tokens; ///< to be appended without sampling
  std::string withheld;        ///< bytes behind them that must come next
  TokenId first = -1;          ///< canonical first token of `withheld`
  std::vector<TokenId> others; ///< first tokens of some longer continuations
};

/// `committed`: ids of the open run before this place (prompt, then output),
/// the last few of which decide how the forced bytes are cut.
ForcedRun planForced(const Tokenizer &tokenizer, TokenMasks &masks,
                     Automaton::State state,
                     std::span<const TokenId> committed);

} // namespace sgl
