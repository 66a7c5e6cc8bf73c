// The radix tree from outside: its pages, its invariants, and dropping a space.
#include "runtime/cache/RadixTree.h"

#include <algorithm>
#include <cassert>

using namespace sgl;

std::vector<PageId> RadixTree::path(const Node *node) const {
  std::vector<PageId> pages;
  for (; node; node = node->parent)
    pages.insert(pages.end(), node->pages.rbegin(), node->pages.rend());
  std::reverse(pages.begin(), pages.end());
  return pages;
}

uint64_t RadixTree::handles() const {
  uint64_t count = 0;
  for (const auto &[space, root] : roots)
    count += root->locks; // each handle locks its root too
  return count;
}

void RadixTree::drop(uint64_t space) {
  auto it = roots.find(space);
  if (it == roots.end())
    return;
  Node *root = it->second;
  std::vector<Node *> open{root}, order;
  while (!open.empty()) {
    Node *node = open.back();
    open.pop_back();
    order.push_back(node);
    open.insert(open.end(), node->children.begin(), node->children.end());
  }
  // Children stand behind their parents, so leaves go first.
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    assert(!(*node)->locks && "a dropped space is in use");
    for (PageId page : (*node)->pages)
      pool.give(page);
    evictable -= static_cast<uint32_t>((*node)->pages.size());
    destroy(*node);
  }
  roots.erase(it);
}

std::vector<RadixTree::Entry> RadixTree::entries() const {
  std::vector<Entry> result;
  struct Open {
    const Node *node;
    std::vector<TokenId> prefix;
  };
  for (const auto &[space, root] : roots) {
    std::vector<Open> open{{root, {}}};
    while (!open.empty()) {
      auto [node, prefix] = std::move(open.back());
      open.pop_back();
      for (size_t i = 0; i < node->pages.size(); ++i) {
        auto begin = node->key.begin() + i * pageSize;
        auto end = node->key.end() - begin > pageSize ? begin + pageSize
                                                      : node->key.end();
        prefix.insert(prefix.end(), begin, end);
        result.push_back(
            {space, prefix, node->pages[i], node->time, node->locks});
      }
      for (const Node *child : node->children)
        open.push_back({child, prefix});
    }
  }
  return result;
}

/// What must hold of one node and its children.
std::string RadixTree::verifyNode(const Node *node) const {
  size_t pages = node->pages.size(), ids = node->key.size();
  if (ids > pages * pageSize || (pages && ids <= (pages - 1) * pageSize))
    return "a node's ids and pages differ";
  if (node->parent && !pages)
    return "a node without pages";
  if (ids % pageSize && (pages > 1 || !node->children.empty()))
    return "a tail that is not a single leaf page";
  bool leaf = node->parent && !node->locks && node->children.empty();
  if (leaf != node->listed ||
      leaf != (leaves.count(const_cast<Node *>(node)) > 0))
    return "the list of evictable leaves is wrong";
  for (PageId page : node->pages)
    if (page >= pool.size() || pool.isFree(page))
      return "a free page in the tree";
  uint64_t below = 0;
  const Node *previous = nullptr;
  for (const Node *child : node->children) {
    below += child->locks;
    if (child->parent != node)
      return "a child does not know its parent";
    if (child->time > node->time)
      return "a child was used later than its parent";
    if (previous && !ByFirstPage()(previous, child))
      return "children out of order";
    if (previous && previous->key.size() < pageSize &&
        std::equal(previous->key.begin(), previous->key.end(),
                   child->key.begin(),
                   child->key.begin() +
                       std::min(child->key.size(), previous->key.size())))
      return "a tail that another child begins with";
    previous = child;
  }
  return below > node->locks ? "fewer locks than below" : "";
}

std::string RadixTree::verify() const {
  uint64_t free = 0, locked = 0, listed = 0;
  std::vector<bool> seen(pool.size(), false);
  std::vector<const Node *> open;
  for (const auto &[space, root] : roots)
    open.push_back(root);
  while (!open.empty()) {
    const Node *node = open.back();
    open.pop_back();
    if (std::string broken = verifyNode(node); !broken.empty())
      return broken;
    for (PageId page : node->pages) {
      if (seen[page])
        return "a page twice in the tree";
      seen[page] = true;
    }
    (node->locks ? locked : free) += node->pages.size();
    listed += node->listed;
    open.insert(open.end(), node->children.begin(), node->children.end());
  }
  if (free != evictable || locked != guarded)
    return "the counts of evictable and protected pages are wrong";
  return listed != leaves.size() ? "a removed node is on the list" : "";
}
