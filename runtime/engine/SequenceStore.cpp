// Implements the moves of pages; see SequenceStore.h.
#include "runtime/engine/SequenceStore.h"

#include <algorithm>
#include <cassert>

using namespace sgl;

SequenceStore::SequenceStore(Transformer &model, uint32_t pages)
    : model(model), pool(pages), tree(pool) {}

std::optional<PageId> SequenceStore::take() {
  if (pool.free() == 0)
    tree.evict(1);
  std::optional<PageId> page = pool.take();
  peak = std::max(peak, pool.size() - available());
  return page;
}

/// Adds a private page that begins with `count` positions of `page`.
bool SequenceStore::copyFrom(Sequence &sequence, PageId page, uint32_t count) {
  std::optional<PageId> own = take();
  if (!own)
    return false;
  model.copyPositions(page, *own, count);
  sequence.table.push_back(*own);
  sequence.computed += count;
  return true;
}

static uint32_t agreement(RadixTree::Tokens a, RadixTree::Tokens b) {
  size_t most = std::min(a.size(), b.size());
  return static_cast<uint32_t>(
      std::mismatch(a.begin(), a.begin() + most, b.begin()).first - a.begin());
}

/// Looks for the positions behind the full pages: in a page of the tree, or in
/// the private page of a sequence that stands at the same node.
void SequenceStore::copyTail(Sequence &sequence, const RadixTree::Match &found,
                             std::span<const Sequence *const> others) {
  uint32_t start = sequence.computed;
  auto rest = RadixTree::Tokens(sequence.tokens).subspan(start);
  rest = rest.first(std::min<size_t>(rest.size() - 1, pageSize));
  const Sequence *best = nullptr;
  uint32_t most = found.partialTokens;
  for (const Sequence *other : others) {
    if (other->node != found.node || other->computed <= start)
      continue;
    auto tail = RadixTree::Tokens(other->tokens)
                    .subspan(start, other->computed - start);
    uint32_t count = agreement(tail, rest);
    if (count > most) {
      most = count;
      best = other;
    }
  }
  if (most == 0)
    return;
  if (best) {
    copyFrom(sequence, best->table[sequence.shared], most);
    return;
  }
  tree.lock(found.partialNode); // making room must not evict the source
  copyFrom(sequence, found.partialPage, most);
  tree.release(found.partialNode);
}

void SequenceStore::attach(Sequence &sequence, uint64_t space,
                           std::span<const Sequence *const> others) {
  assert(!sequence.node && "attached twice");
  auto tokens = RadixTree::Tokens(sequence.tokens);
  RadixTree::Match found = tree.match(space, tokens.first(tokens.size() - 1));
  sequence.node = found.node;
  sequence.table = found.pages;
  sequence.shared = static_cast<uint32_t>(found.pages.size());
  sequence.computed = sequence.shared * pageSize;
  copyTail(sequence, found, others);
  peak = std::max(peak, pool.size() - available());
}

bool SequenceStore::fork(const Sequence &prompt, Sequence &branch) {
  assert(prompt.node && !branch.node && "fork of a detached prompt");
  tree.lock(prompt.node);
  branch.node = prompt.node;
  branch.shared = prompt.shared;
  branch.table.assign(prompt.table.begin(),
                      prompt.table.begin() + prompt.shared);
  branch.computed = prompt.shared * pageSize;
  uint32_t tail = prompt.computed - branch.computed;
  if (tail == 0 || copyFrom(branch, prompt.table[prompt.shared], tail))
    return true;
  release(branch, false);
  return false;
}

bool SequenceStore::reserve(Sequence &sequence, uint32_t length) {
  while (sequence.table.size() * pageSize < length) {
    std::optional<PageId> page = take();
    if (!page)
      return false;
    sequence.table.push_back(*page);
  }
  return true;
}

void SequenceStore::commit(Sequence &sequence) {
  uint32_t full = sequence.computed / pageSize;
  if (full == sequence.shared)
    return;
  auto tokens = RadixTree::Tokens(sequence.tokens)
                    .subspan(sequence.shared * pageSize,
                             (full - sequence.shared) * pageSize);
  tree.extend(sequence.node, tokens,
              std::span(sequence.table)
                  .subspan(sequence.shared, full - sequence.shared));
  sequence.shared = full;
}

void SequenceStore::release(Sequence &sequence, bool keep) {
  if (!sequence.node)
    return;
  if (keep)
    commit(sequence);
  size_t own = sequence.shared;
  uint32_t tail = sequence.computed % pageSize;
  if (keep && tail) {
    auto tokens = RadixTree::Tokens(sequence.tokens)
                      .subspan(sequence.computed - tail, tail);
    tree.addTail(sequence.node, tokens, sequence.table[own++]);
  }
  for (; own < sequence.table.size(); ++own)
    pool.give(sequence.table[own]);
  tree.release(sequence.node);
  sequence.node = nullptr;
  sequence.table.clear();
  sequence.computed = sequence.shared = 0;
}

std::string
SequenceStore::verify(std::span<const Sequence *const> attached) const {
  if (std::string broken = tree.verify(); !broken.empty())
    return broken;
  std::vector<uint32_t> owners(pool.size(), 0);
  for (const RadixTree::Entry &entry : tree.entries())
    ++owners[entry.page];
  for (const Sequence *sequence : attached) {
    std::vector<PageId> path = tree.path(sequence->node);
    if (path.size() != sequence->shared ||
        !std::equal(path.begin(), path.end(), sequence->table.begin()))
      return "a table differs from its path in the tree";
    for (size_t i = sequence->shared; i < sequence->table.size(); ++i)
      ++owners[sequence->table[i]];
  }
  for (PageId page = 0; page < pool.size(); ++page)
    if (owners[page] + pool.isFree(page) != 1)
      return owners[page] ? "a page with two owners" : "a page was lost";
  return tree.handles() == attached.size() ? "" : "locks differ from handles";
}
