#include "pliant/bounds/sphere_tree/tree_shelf.h"

#include <map>
#include <mutex>

namespace pliant {
namespace {

struct TreeShelf {
  std::mutex mutex;
  std::map<std::uint64_t, SphereTreePtr> trees;
};

TreeShelf& shelf() {
  static TreeShelf all;
  return all;
}

}  // namespace

void put_on_shelf(SphereTreePtr tree) {
  if (!tree) return;
  const std::lock_guard lock(shelf().mutex);
  shelf().trees[tree->mesh_hash()] = std::move(tree);
}

SphereTreePtr find_on_shelf(std::uint64_t mesh_hash) {
  const std::lock_guard lock(shelf().mutex);
  const auto found = shelf().trees.find(mesh_hash);
  return found == shelf().trees.end() ? nullptr : found->second;
}

}  // namespace pliant
