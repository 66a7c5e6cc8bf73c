// Prompt chains: making, reading and freeing them. See PromptState.h.

#include "runtime/exec/PromptState.h"

#include <algorithm>

namespace sgl {

PromptNode::~PromptNode() {
  // A chain may be a hundred thousand nodes long: unlink it one by one, as
  // long as nobody else holds the next node.
  PromptRef next = std::move(parent);
  while (next && next.use_count() == 1) {
    PromptRef after = std::move(const_cast<PromptNode &>(*next).parent);
    next = std::move(after);
  }
}

PromptRef rootPrompt() { return std::make_shared<const PromptNode>(); }

std::shared_ptr<PromptNode>
extendPrompt(PromptRef parent, PromptNode::Kind kind, std::string text) {
  auto node = std::make_shared<PromptNode>();
  node->kind = kind;
  node->text = std::move(text);
  node->depth = parent->depth + 1;
  node->parent = std::move(parent);
  return node;
}

std::vector<const PromptNode *> segments(const PromptNode *prompt) {
  std::vector<const PromptNode *> list;
  for (; prompt && prompt->kind != PromptNode::Kind::Root;
       prompt = prompt->parent.get())
    list.push_back(prompt);
  std::reverse(list.begin(), list.end());
  return list;
}

std::vector<Message> messages(const PromptNode *prompt) {
  std::vector<Message> list;
  bool inTurn = false;
  for (const PromptNode *part : segments(prompt)) {
    switch (part->kind) {
    case PromptNode::Kind::Open:
      list.push_back({part->text, ""});
      inTurn = true;
      break;
    case PromptNode::Kind::Close:
      inTurn = false;
      break;
    default:
      // Text outside of any turn belongs to no message.
      if (inTurn)
        list.back().content += part->text;
    }
  }
  return list;
}

std::string promptText(const PromptNode *prompt) {
  std::string text;
  for (const PromptNode *part : segments(prompt))
    if (part->kind != PromptNode::Kind::Open)
      text += part->text;
  return text;
}

} // namespace sgl
