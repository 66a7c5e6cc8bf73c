// Nodes on prompt states: each adds a segment or reads the chain.

#include "runtime/exec/Machine.h"

namespace sgl::exec {

using plan::Op;

namespace {

Value stateOf(std::shared_ptr<PromptNode> node) {
  return Value::state(PromptRef(std::move(node)));
}

/// The latest value generated under a name.
Result<Value> captured(const PromptNode *prompt, const std::string &name) {
  for (; prompt; prompt = prompt->parent.get())
    if (prompt->capture == name)
      return prompt->captured;
  return Error{"nothing was generated as `" + name + "` on this state"};
}

Value messageList(const plan::Plan &plan, const PromptNode *prompt) {
  const RecordDecl *decl = plan.context->message()->record;
  ListData list;
  for (Message &message : messages(prompt))
    list.push_back(
        Value::record(decl, {Value::text(std::move(message.role)),
                             Value::text(std::move(message.content))}));
  return Value::list(std::move(list));
}

Result<Value> inspect(const plan::Plan &plan, Model &model,
                      const plan::Node &node, const PromptRef &prompt) {
  if (node.name == "text")
    return Value::text(promptText(prompt.get()));
  if (node.name == "messages")
    return messageList(plan, prompt.get());
  Result<uint64_t> count = model.countTokens(*prompt);
  if (!count)
    return count.error();
  return Value::integer(int64_t(*count));
}

} // namespace

PromptRef promptOf(const Value &state) {
  return std::static_pointer_cast<const PromptNode>(state.asState());
}

bool isPromptNode(Op op) {
  switch (op) {
  case Op::Root:
  case Op::Extend:
  case Op::Append:
  case Op::Special:
  case Op::Open:
  case Op::Close:
  case Op::Attach:
  case Op::Inspect:
  case Op::Capture:
    return true;
  default:
    return false;
  }
}

Result<Value> evaluatePrompt(const plan::Plan &plan, Model &model,
                             const plan::Node &node,
                             const std::vector<Value> &in) {
  using Kind = PromptNode::Kind;
  if (node.op == Op::Root)
    return Value::state(rootPrompt());
  PromptRef prompt = promptOf(in[0]);
  if (!prompt)
    return Error{"expected a state"};
  switch (node.op) {
  case Op::Extend:
    return stateOf(extendPrompt(prompt, Kind::Author, plan.texts[node.text]));
  case Op::Append:
    return stateOf(extendPrompt(prompt, Kind::Data, sgl::print(in[1])));
  case Op::Special:
    return stateOf(extendPrompt(prompt, Kind::Special, plan.texts[node.text]));
  case Op::Open:
    return stateOf(extendPrompt(prompt, Kind::Open, node.name));
  case Op::Close:
    return stateOf(extendPrompt(prompt, Kind::Close, ""));
  case Op::Inspect:
    return inspect(plan, model, node, prompt);
  case Op::Capture:
    return captured(prompt.get(), node.name);
  default:
    return Error{"media are not supported yet"};
  }
}

} // namespace sgl::exec
