// Laying prompts out and keeping their ids.
#include "runtime/text/PromptTokens.h"

#include <algorithm>

namespace sgl {

using Origin = PromptLayout::Origin;
using Piece = PromptLayout::Piece;
using Kind = PromptNode::Kind;

PromptTokens::PromptTokens(const Tokenizer &tokenizer,
                           Result<std::shared_ptr<const ChatTemplate>> chat)
    : tokenizer(tokenizer), chat(std::move(chat)) {
  for (uint32_t id = 0; id < tokenizer.size(); ++id)
    if (tokenizer.kind(TokenId(id)) == TokenKind::Control)
      controls.add(tokenizer.bytes(TokenId(id)), TokenId(id),
                   TokenKind::Control);
}

/// The control tokens that the template itself wrote.
std::vector<Piece>
PromptTokens::controlTokens(const jinja::Text &rendering) const {
  std::vector<Piece> pieces;
  std::string_view bytes = rendering.view();
  for (size_t i = 0; i < bytes.size();) {
    size_t end = i;
    while (end < bytes.size() && !rendering.isData(end))
      ++end;
    std::string_view own = bytes.substr(0, end);
    while (i < end) {
      SpecialTokens::Match match = controls.find(own, i, true);
      if (match.id < 0)
        break;
      pieces.push_back({match.begin, match.end, match.id, Origin::Template, 0});
      i = match.end;
    }
    i = end;
    while (i < bytes.size() && rendering.isData(i))
      ++i;
  }
  return pieces;
}

/// Makes `ids` agree with the pieces from `firstPiece` on; those before must
/// already do.
void PromptTokens::tokenizeFrom(PromptLayout &layout, size_t firstPiece) const {
  size_t from = 0;
  layout.ids.resize(firstPiece ? layout.pieces[firstPiece - 1].idsBehind : 0);
  if (firstPiece)
    from = layout.pieces[firstPiece - 1].end;
  for (size_t i = firstPiece; i < layout.pieces.size(); ++i) {
    Piece &piece = layout.pieces[i];
    std::string_view run =
        std::string_view(layout.bytes).substr(from, piece.begin - from);
    auto ids = tokenizer.encode(run, false);
    layout.ids.insert(layout.ids.end(), ids.begin(), ids.end());
    layout.ids.push_back(piece.id);
    piece.idsBehind = layout.ids.size();
    from = piece.end;
  }
}

void PromptTokens::addPiece(PromptLayout &layout, TokenId id, Origin origin,
                            std::string_view bytes) const {
  size_t begin = layout.bytes.size();
  layout.bytes += bytes;
  layout.pieces.push_back({begin, layout.bytes.size(), id, origin, 0});
  layout.hasCarried = true;
  tokenizeFrom(layout, layout.pieces.size() - 1);
}

void PromptTokens::addSampled(PromptLayout &layout,
                              const PromptNode &node) const {
  for (TokenId id : node.tokens)
    addPiece(layout, id, Origin::Sampled, tokenizer.bytes(id));
  layout.bytes += node.tail;
}

/// Takes a new rendering of the turns. Tokens that no rendering can make
/// (sampled ones, `special`) are carried over from the layout before, up to
/// the first byte that differs.
void PromptTokens::adopt(PromptLayout &layout,
                         const jinja::Text &rendering) const {
  std::string_view bytes = rendering.view();
  size_t shared = size_t(std::mismatch(bytes.begin(), bytes.end(),
                                       layout.bytes.begin(), layout.bytes.end())
                             .first -
                         bytes.begin());
  std::vector<Piece> pieces = controlTokens(rendering);
  for (const Piece &old : layout.pieces) {
    bool isKept = old.origin != Origin::Template && old.end <= shared;
    for (size_t i = old.begin; isKept && i < old.end; ++i)
      isKept = rendering.isData(i);
    if (isKept)
      pieces.push_back(old);
    else if (old.origin == Origin::Special)
      refuse(layout, "the chat template changes text in front of special(\"" +
                         std::string(tokenizer.bytes(old.id)) +
                         "\"), which would no longer be a control token");
  }
  std::stable_sort(
      pieces.begin(), pieces.end(), [](const Piece &a, const Piece &b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
      });
  size_t same = 0;
  while (same < pieces.size() && same < layout.pieces.size() &&
         pieces[same].end <= shared &&
         pieces[same].begin == layout.pieces[same].begin &&
         pieces[same].end == layout.pieces[same].end &&
         pieces[same].id == layout.pieces[same].id) {
    pieces[same].idsBehind = layout.pieces[same].idsBehind;
    ++same;
  }
  layout.bytes = bytes;
  layout.pieces = std::move(pieces);
  tokenizeFrom(layout, same);
}

/// The template up to where the open turn's content begins.
Result<jinja::Text> PromptTokens::header(const PromptLayout &layout) const {
  if (layout.role == "assistant")
    return (*chat)->render(layout.turns, true);
  // Other roles: what precedes the content of a probe.
  static constexpr std::string_view probe = "qXwProbe7Jz";
  std::vector<Message> turns = layout.turns;
  turns.push_back({layout.role, std::string(probe)});
  auto rendering = (*chat)->render(turns, false);
  if (!rendering)
    return rendering;
  std::string_view bytes = rendering->view();
  for (size_t at = bytes.rfind(probe); at != std::string_view::npos;
       at = at ? bytes.rfind(probe, at - 1) : std::string_view::npos)
    if (rendering->isData(at))
      return rendering->substr(0, at);
  return Error{"the chat template does not show where a turn of role '" +
               layout.role + "' begins"};
}

void PromptTokens::open(PromptLayout &layout, const std::string &role) const {
  layout.isOpen = true;
  layout.role = role;
  layout.contentBegin = layout.bytes.size();
  layout.isStale = true;
  if (layout.hasCarried)
    refresh(layout);
}

void PromptTokens::close(PromptLayout &layout) const {
  layout.isOpen = false;
  layout.turns.push_back(
      {layout.role, layout.bytes.substr(layout.contentBegin)});
  layout.isStale = true;
  if (layout.hasCarried)
    refresh(layout);
}

void PromptTokens::refuse(PromptLayout &layout, std::string message) {
  if (layout.isRefused)
    return;
  layout.failure = std::make_shared<const Error>(Error{std::move(message)});
  layout.isRefused = true;
}

/// Renders the turns anew where that is due. A rendering matters for the state
/// that is asked for and for tokens to be carried over; others are left out.
void PromptTokens::refresh(PromptLayout &layout) const {
  if (!layout.isStale || layout.isRefused)
    return;
  layout.isStale = false;
  layout.failure.reset();
  if (!chat)
    return refuse(layout, chat.error().message);
  if (layout.hasOutside)
    return refuse(layout, "a turn of role '" + layout.role +
                              "' follows text that stands in no turn: put that "
                              "text into a role too");
  std::string content;
  if (layout.isOpen)
    content = layout.bytes.substr(layout.contentBegin);
  auto rendering =
      layout.isOpen ? header(layout) : (*chat)->render(layout.turns, false);
  if (!rendering) { // a later turn may be what the template misses
    layout.failure = std::make_shared<const Error>(rendering.error());
    return;
  }
  adopt(layout, *rendering);
  layout.contentBegin = layout.bytes.size();
  layout.bytes += content;
}

void PromptTokens::addSpecial(PromptLayout &layout,
                              const PromptNode &node) const {
  TokenId id = tokenizer.controlToken(node.text);
  if (id >= 0)
    return addPiece(layout, id, Origin::Special, node.text);
  refuse(layout, "the model has no control token \"" + node.text + "\"");
}

void PromptTokens::extend(PromptLayout &layout, const PromptNode &node) const {
  switch (node.kind) {
  case Kind::Root:
    return;
  case Kind::Open:
    return open(layout, node.text);
  case Kind::Close:
    return close(layout);
  case Kind::Author:
  case Kind::Data:
    layout.bytes += node.text;
    break;
  case Kind::Sampled:
    refresh(layout);
    addSampled(layout, node);
    break;
  case Kind::Special:
    refresh(layout);
    addSpecial(layout, node);
    break;
  }
  layout.hasOutside |= !layout.isOpen && !node.text.empty();
}

PromptTokens::LayoutRef PromptTokens::layoutOf(const PromptNode &prompt) const {
  std::vector<const PromptNode *> path;
  LayoutRef start;
  for (const PromptNode *node = &prompt; node; node = node->parent.get()) {
    if (node->memo) {
      start = std::static_pointer_cast<const PromptLayout>(node->memo);
      break;
    }
    path.push_back(node);
  }
  if (path.empty())
    return start;
  auto layout = std::make_shared<PromptLayout>();
  if (start)
    *layout = *start;
  for (size_t i = path.size(); i-- > 0;)
    extend(*layout, *path[i]);
  refresh(*layout);
  prompt.memo = layout;
  return layout;
}

std::vector<TokenId> PromptTokens::textStart() const {
  TokenId bos = tokenizer.bos();
  return {bos >= 0 ? bos : std::max<TokenId>(tokenizer.eos(), 0)};
}

TokenizedPrompt PromptTokens::finish(const PromptLayout &layout,
                                     std::string_view data) const {
  std::string run = layout.bytes.substr(layout.runBegin());
  run += data;
  TokenizedPrompt prompt{layout.ids, layout.ids.size()};
  auto rest = tokenizer.encode(run, false);
  prompt.ids.insert(prompt.ids.end(), rest.begin(), rest.end());
  TokenId bos = tokenizer.bos();
  prompt.isEmpty = prompt.ids.empty();
  bool hasBos = !prompt.ids.empty() && prompt.ids[0] == bos;
  if (prompt.ids.empty() || (tokenizer.addBos() && bos >= 0 && !hasBos)) {
    prompt.ids.insert(prompt.ids.begin(), textStart()[0]);
    ++prompt.runBegin;
  }
  return prompt;
}

Result<TokenizedPrompt> PromptTokens::tokens(const PromptNode &prompt,
                                             std::string_view data) const {
  LayoutRef layout = layoutOf(prompt);
  if (layout->failure)
    return *layout->failure;
  return finish(*layout, data);
}

} // namespace sgl
