#include "pliant/asset/sphere_tree_section.h"

#include <algorithm>
#include <bit>

#include "pliant/core/bit_cast.h"
#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"
#include "pliant/mesh/mesh_hash.h"

namespace pliant {
namespace {

constexpr std::uint32_t kSectionVersion = 1;
constexpr const char* kBuildAnew = "prepare the asset anew, with --sphere-tree";

template <class T>
void put(std::string& bytes, T value) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const auto bits = pliant::bit_cast<Bits>(value);
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes.push_back(static_cast<char>(bits >> (8 * i) & 0xff));
}

void require_own(std::uint64_t tree, const TriangleMesh& mesh) {
  if (tree != mesh_hash(mesh))
    throw Error(ErrorPlace{.element = "section 'sphere-tree'"}, "is the sphere tree of another mesh", kBuildAnew);
}

SphereTree::Parts parse_parts(std::string_view bytes, const TriangleMesh& mesh) {
  ByteReader reader(bytes, {});
  const auto take = [&]<class T>(T) { return reader.take<T>(std::endian::little, "a sphere tree"); };
  if (take(std::uint32_t{}) != kSectionVersion)
    throw Error(ErrorPlace{.element = "section 'sphere-tree'"}, "is of a newer version", kBuildAnew);
  SphereTree::Parts parts;
  parts.shape.branching = take(std::uint32_t{});
  parts.shape.depth = take(std::uint32_t{});
  const std::size_t pieces = take(std::uint32_t{});
  require_own(take(std::uint64_t{}), mesh);
  parts.cut_length = take(double{});
  const std::size_t nodes = SphereTree::node_count(parts.shape);
  // Before memory is asked for.
  if (reader.remaining() != pieces * 4 + nodes * 40 || !(parts.cut_length > 0))
    throw Error(ErrorPlace{.element = "section 'sphere-tree'"}, "is damaged", kBuildAnew);
  for (std::size_t i = 0; i < pieces; ++i) parts.order.push_back(take(std::uint32_t{}));
  for (std::size_t i = 0; i < nodes; ++i) {
    Sphere sphere;
    for (int axis = 0; axis < 3; ++axis) sphere.centre[axis] = take(double{});
    sphere.radius = take(double{});
    parts.spheres.push_back(sphere);
    const auto first = take(std::uint32_t{});
    parts.ranges.push_back({first, take(std::uint32_t{})});
  }
  for (std::size_t i = 0; i < nodes; ++i)
    if (is_there(parts.spheres[i]) && std::uint64_t{parts.ranges[i].first} + parts.ranges[i].count > parts.order.size())
      throw Error(ErrorPlace{.element = "section 'sphere-tree'"}, "is damaged", kBuildAnew);
  return parts;
}

}  // namespace

void store_sphere_tree(Asset& asset, const SphereTree& tree) {
  require_own(tree.mesh_hash(), *asset.dense);
  const SphereTree::Parts& parts = tree.parts();
  std::string bytes;
  put(bytes, kSectionVersion);
  put(bytes, parts.shape.branching);
  put(bytes, parts.shape.depth);
  put(bytes, static_cast<std::uint32_t>(parts.order.size()));
  put(bytes, tree.mesh_hash());
  put(bytes, parts.cut_length);
  for (const std::uint32_t piece : parts.order) put(bytes, piece);
  for (std::size_t i = 0; i < parts.spheres.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) put(bytes, parts.spheres[i].centre[axis]);
    put(bytes, parts.spheres[i].radius);
    put(bytes, parts.ranges[i].first);
    put(bytes, parts.ranges[i].count);
  }
  std::erase_if(asset.sections, [](const AssetSection& section) { return section.name == kSphereTreeSection; });
  asset.sections.push_back({std::string(kSphereTreeSection), std::move(bytes), false});
}

SphereTreePtr stored_sphere_tree(const Asset& asset) {
  const AssetSection* section = asset.find_section(kSphereTreeSection);
  if (section == nullptr) return nullptr;
  return std::make_shared<const SphereTree>(*asset.dense, parse_parts(section->bytes, *asset.dense));
}

}  // namespace pliant
