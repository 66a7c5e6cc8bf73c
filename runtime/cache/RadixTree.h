// The radix tree over cached KV pages: token ids in, pages out.
//
// A node is a run of whole pages (16 ids each); a *tail* is a leaf of one page
// that holds fewer than 16 positions, so that nothing computed is lost. Edges
// part at page boundaries; below one node no key begins with another one's.
// Matches lock the path from their node to the root; unlocked leaves are
// evicted page by page from their end, least recently used first.
//
// What must hold: free + evictable + protected pages = the pool, with all else
// held by sequences; a node's locks = the handles at it and below; a child is
// never used later than its parent. `verify` says which of these is broken.
#pragma once

#include "runtime/cache/PagePool.h"

#include <deque>
#include <functional>
#include <set>
#include <unordered_map>

namespace sgl {

class RadixTree {
public:
  /// Opaque to callers: the place in the tree where a locked path ends. It
  /// stays valid, and keeps its depth, until released.
  struct Node;
  using Tokens = std::span<const TokenId>;

  /// Pages come from and go back to `pool`, which must outlive the tree.
  explicit RadixTree(PagePool &pool) : pool(pool) {}
  RadixTree(const RadixTree &) = delete;
  RadixTree &operator=(const RadixTree &) = delete;

  struct Match {
    Node *node = nullptr;      ///< locked; give it to `release`
    std::vector<PageId> pages; ///< full pages of the path
    /// The page behind the path with the longest agreement, and how many of
    /// its positions agree (0: none). It is not locked: hold it while making
    /// room for the copy.
    Node *partialNode = nullptr;
    PageId partialPage = 0;
    uint32_t partialTokens = 0;
  };

  /// The longest cached prefix of `tokens`; its path becomes the most recently
  /// used. `space` keeps models, adapters or calls apart.
  Match match(uint64_t space, Tokens tokens);
  /// How many tokens `match` would find, without touching anything.
  uint32_t peek(uint64_t space, Tokens tokens) const;

  void lock(Node *node);
  void release(Node *node);

  /// Adds `tokens` (whole pages) below `handle` and moves the handle's lock to
  /// their end. The tree takes the pages of `table`; where it has the same
  /// tokens already, `table` gets the tree's page and then the duplicate goes
  /// back to the pool.
  void extend(Node *&handle, Tokens tokens, std::span<PageId> table);
  /// Adds a tail of 1..15 tokens below `handle`. The page becomes the tree's,
  /// or goes back to the pool where a page there begins with these tokens.
  void addTail(Node *handle, Tokens tokens, PageId page);

  /// Frees up to `count` unlocked pages; returns how many.
  uint32_t evict(uint32_t count);
  /// Frees everything in `space`; nothing in it may be locked.
  void drop(uint64_t space);

  uint32_t evictablePages() const { return evictable; }
  uint32_t protectedPages() const { return guarded; }
  uint64_t evictedTokens() const { return evicted; }
  /// Locks that were taken and not released.
  uint64_t handles() const;

  /// The pages on the path from the root to `node`.
  std::vector<PageId> path(const Node *node) const;

  /// One cached page, as tests and traces see it.
  struct Entry {
    uint64_t space;
    std::vector<TokenId> tokens; ///< the whole prefix that ends in this page
    PageId page;
    uint64_t time;
    uint32_t locks;
    bool operator==(const Entry &) const = default;
  };
  std::vector<Entry> entries() const;
  /// The first broken invariant in words, or "".
  std::string verify() const;

private:
  struct ByFirstPage {
    using is_transparent = void;
    bool operator()(const Node *a, const Node *b) const;
    bool operator()(const Node *a, Tokens b) const;
    bool operator()(Tokens a, const Node *b) const;
  };
  struct ByAge {
    bool operator()(const Node *a, const Node *b) const;
  };
  struct Partial {
    Node *node = nullptr;
    uint32_t tokens = 0;
  };

  Node *root(uint64_t space);
  Node *create(Node *parent, Tokens key, std::span<const PageId> pages);
  void destroy(Node *node);
  Node *child(const Node *node, Tokens rest) const;
  Node *split(Node *node, size_t pages);
  Partial partial(const Node *node, Tokens rest) const;
  void dropPrefixTail(Node *node, Tokens rest);
  void append(Node *node, Tokens tokens, std::span<const PageId> pages);
  void touch(Node *node);
  void setTime(Node *node, uint64_t time);
  void refreshLeaf(Node *node);
  std::string verifyNode(const Node *node) const;

  PagePool &pool;
  std::deque<Node> arena; ///< stable addresses; `unused` are free to take
  std::vector<Node *> unused;
  std::unordered_map<uint64_t, Node *> roots;
  std::set<Node *, ByAge> leaves; ///< unlocked leaves, oldest first
  uint64_t clock = 0, evicted = 0;
  uint32_t evictable = 0, guarded = 0;
};

struct RadixTree::Node {
  Node *parent = nullptr; ///< null: a root
  std::vector<TokenId> key;
  std::vector<PageId> pages;
  std::set<Node *, ByFirstPage> children;
  uint64_t time = 0;
  uint32_t locks = 0;
  bool listed = false; ///< in `leaves`
};

} // namespace sgl
