// Match, insert, lock and evict; see RadixTree.h for what must hold.
#include "runtime/cache/RadixTree.h"

#include <algorithm>
#include <cassert>

using namespace sgl;

static RadixTree::Tokens firstPage(RadixTree::Tokens tokens) {
  return tokens.first(std::min<size_t>(tokens.size(), pageSize));
}

/// How many leading ids agree.
static size_t agreement(RadixTree::Tokens a, RadixTree::Tokens b) {
  size_t most = std::min(a.size(), b.size());
  return static_cast<size_t>(
      std::mismatch(a.begin(), a.begin() + most, b.begin()).first - a.begin());
}

static bool before(RadixTree::Tokens a, RadixTree::Tokens b) {
  a = firstPage(a);
  b = firstPage(b);
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

bool RadixTree::ByFirstPage::operator()(const Node *a, const Node *b) const {
  return before(a->key, b->key);
}
bool RadixTree::ByFirstPage::operator()(const Node *a, Tokens b) const {
  return before(a->key, b);
}
bool RadixTree::ByFirstPage::operator()(Tokens a, const Node *b) const {
  return before(a, b->key);
}

/// Two leaves share a time only while an operation is under way, since each
/// touches one path.
bool RadixTree::ByAge::operator()(const Node *a, const Node *b) const {
  return a->time != b->time ? a->time < b->time : std::less<>()(a, b);
}

RadixTree::Node *RadixTree::root(uint64_t space) {
  Node *&node = roots[space];
  if (!node)
    node = create(nullptr, {}, {});
  return node;
}

RadixTree::Node *RadixTree::create(Node *parent, Tokens key,
                                   std::span<const PageId> pages) {
  Node *node = nullptr;
  if (unused.empty()) {
    node = &arena.emplace_back();
  } else {
    node = unused.back();
    unused.pop_back();
  }
  node->parent = parent;
  node->key.assign(key.begin(), key.end());
  node->pages.assign(pages.begin(), pages.end());
  node->time = clock;
  node->locks = 0;
  evictable += static_cast<uint32_t>(pages.size());
  if (parent) {
    parent->children.insert(node);
    refreshLeaf(parent);
    refreshLeaf(node);
  }
  return node;
}

/// Removes a leaf whose pages have been given back. Its key must still be
/// whole: the parent finds it by that.
void RadixTree::destroy(Node *node) {
  assert(node->children.empty() && !node->locks && "node is in use");
  if (node->listed)
    leaves.erase(node);
  node->listed = false;
  Node *parent = node->parent;
  if (parent) {
    parent->children.erase(node);
    refreshLeaf(parent);
  }
  node->key.clear();
  node->pages.clear();
  unused.push_back(node);
}

/// Puts a node on the list of evictable leaves, or takes it off.
void RadixTree::refreshLeaf(Node *node) {
  bool wanted = node->parent && !node->locks && node->children.empty();
  if (wanted == node->listed)
    return;
  if (wanted)
    leaves.insert(node);
  else
    leaves.erase(node);
  node->listed = wanted;
}

void RadixTree::setTime(Node *node, uint64_t time) {
  if (node->listed)
    leaves.erase(node);
  node->time = time;
  if (node->listed)
    leaves.insert(node);
}

/// Makes the path to `node` the most recently used one.
void RadixTree::touch(Node *node) {
  ++clock;
  for (; node; node = node->parent)
    setTime(node, clock);
}

/// The child whose first page is the first page of `rest`.
RadixTree::Node *RadixTree::child(const Node *node, Tokens rest) const {
  if (rest.size() < pageSize)
    return nullptr;
  auto it = node->children.find(rest.first(pageSize));
  return it == node->children.end() ? nullptr : *it;
}

/// The child whose first page agrees longest with `rest`, a page that no child
/// has in full. In the order of keys it is one of the two neighbours.
RadixTree::Partial RadixTree::partial(const Node *node, Tokens rest) const {
  Partial best;
  auto consider = [&](Node *candidate) {
    size_t count = agreement(firstPage(candidate->key), rest);
    if (count > best.tokens)
      best = {candidate, static_cast<uint32_t>(count)};
  };
  auto it = node->children.lower_bound(firstPage(rest));
  if (it != node->children.end())
    consider(*it);
  if (it != node->children.begin())
    consider(*std::prev(it));
  return best;
}

/// Cuts a node behind its first `pages` pages; returns the new upper part.
/// Handles stay on the lower part, whose end they mean.
RadixTree::Node *RadixTree::split(Node *node, size_t pages) {
  assert(pages > 0 && pages < node->pages.size() && "nothing to split");
  Node *parent = node->parent;
  parent->children.erase(node);
  size_t cut = pages * pageSize;
  evictable -= static_cast<uint32_t>(pages); // create counts them again
  Node *upper = create(parent, Tokens(node->key).first(cut),
                       std::span(node->pages).first(pages));
  node->key.erase(node->key.begin(), node->key.begin() + cut);
  node->pages.erase(node->pages.begin(), node->pages.begin() + pages);
  node->parent = upper;
  upper->children.insert(node);
  upper->locks = node->locks;
  refreshLeaf(upper);
  setTime(upper, node->time);
  return upper;
}

RadixTree::Match RadixTree::match(uint64_t space, Tokens tokens) {
  Match result;
  Node *node = root(space);
  for (Node *next; (next = child(node, tokens));) {
    size_t pages = agreement(next->key, tokens) / pageSize;
    node = pages < next->pages.size() ? split(next, pages) : next;
    result.pages.insert(result.pages.end(), node->pages.begin(),
                        node->pages.end());
    tokens = tokens.subspan(pages * pageSize);
  }
  touch(node);
  lock(node);
  result.node = node;
  if (Partial best = partial(node, tokens); best.tokens) {
    result.partialNode = best.node;
    result.partialPage = best.node->pages.front();
    result.partialTokens = best.tokens;
  }
  return result;
}

uint32_t RadixTree::peek(uint64_t space, Tokens tokens) const {
  auto it = roots.find(space);
  if (it == roots.end())
    return 0;
  const Node *node = it->second;
  size_t found = 0;
  while (const Node *next = child(node, tokens)) {
    size_t count = agreement(next->key, tokens);
    found += count;
    if (count < next->key.size())
      return static_cast<uint32_t>(found);
    tokens = tokens.subspan(count);
    node = next;
  }
  return static_cast<uint32_t>(found + partial(node, tokens).tokens);
}

void RadixTree::lock(Node *node) {
  for (; node; node = node->parent) {
    if (node->locks++ > 0)
      continue;
    uint32_t count = static_cast<uint32_t>(node->pages.size());
    evictable -= count;
    guarded += count;
    refreshLeaf(node);
  }
}

void RadixTree::release(Node *node) {
  for (; node; node = node->parent) {
    assert(node->locks && "released twice");
    if (--node->locks > 0)
      continue;
    uint32_t count = static_cast<uint32_t>(node->pages.size());
    guarded -= count;
    evictable += count;
    refreshLeaf(node);
  }
}

/// Grows a node that one handle alone holds: long outputs stay one node.
void RadixTree::append(Node *node, Tokens tokens,
                       std::span<const PageId> pages) {
  node->key.insert(node->key.end(), tokens.begin(), tokens.end());
  node->pages.insert(node->pages.end(), pages.begin(), pages.end());
  guarded += static_cast<uint32_t>(pages.size());
}

/// Frees the tail of `node` that `rest` begins with: `rest` replaces it.
void RadixTree::dropPrefixTail(Node *node, Tokens rest) {
  auto it = node->children.lower_bound(firstPage(rest));
  if (it == node->children.begin())
    return;
  Node *tail = *std::prev(it);
  bool isPrefix = tail->key.size() < pageSize &&
                  agreement(tail->key, rest) == tail->key.size();
  if (!isPrefix || tail->locks)
    return;
  pool.give(tail->pages.front());
  --evictable;
  destroy(tail);
}

void RadixTree::extend(Node *&handle, Tokens tokens, std::span<PageId> table) {
  assert(tokens.size() == table.size() * pageSize && "not whole pages");
  Node *node = handle;
  while (!tokens.empty()) {
    Node *next = child(node, tokens);
    if (!next) {
      dropPrefixTail(node, tokens);
      bool alone = node == handle && node->locks == 1 &&
                   node->children.empty() && node->parent;
      if (alone)
        append(node, tokens, table);
      else
        node = create(node, tokens, table);
      break;
    }
    size_t pages = agreement(next->key, tokens) / pageSize;
    node = pages < next->pages.size() ? split(next, pages) : next;
    for (size_t i = 0; i < pages; ++i) {
      PageId duplicate = table[i];
      table[i] = node->pages[i];
      if (duplicate != table[i])
        pool.give(duplicate);
    }
    tokens = tokens.subspan(pages * pageSize);
    table = table.subspan(pages);
  }
  touch(node);
  lock(node);
  release(handle);
  handle = node;
}

void RadixTree::addTail(Node *handle, Tokens tokens, PageId page) {
  assert(!tokens.empty() && tokens.size() < pageSize && "not a tail");
  if (partial(handle, tokens).tokens == tokens.size())
    return pool.give(page);
  dropPrefixTail(handle, tokens);
  touch(create(handle, tokens, std::span(&page, 1)));
}

uint32_t RadixTree::evict(uint32_t count) {
  uint32_t freed = 0;
  for (; freed < count && !leaves.empty(); ++freed) {
    Node *node = *leaves.begin();
    size_t kept = (node->pages.size() - 1) * pageSize;
    evicted += node->key.size() - kept;
    pool.give(node->pages.back());
    --evictable;
    if (kept == 0) {
      destroy(node);
      continue;
    }
    node->pages.pop_back();
    node->key.resize(kept);
  }
  return freed;
}
