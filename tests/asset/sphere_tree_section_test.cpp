#include "pliant/asset/sphere_tree_section.h"

#include <gtest/gtest.h>

#include "pliant/asset/asset_file.h"
#include "pliant/bounds/sphere_tree/build_sphere_tree.h"
#include "pliant/core/error.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"

namespace pliant {
namespace {

Asset box_asset() {
  Asset asset;
  asset.dense = make_box({.size = Vec3::Constant(0.9), .cells = Eigen::Vector3i::Constant(3)});
  asset.tets = make_tet_box({});
  asset.coarse = make_box({});
  link_dense(asset);
  return asset;
}

SphereTreePtr small_tree(const TriangleMesh& mesh) {
  SphereTreeSettings settings;
  settings.shape = {4, 2};
  return build_sphere_tree(mesh, settings);
}

TEST(SphereTreeSection, ComesBackBitForBit) {
  Asset asset = box_asset();
  const SphereTreePtr tree = small_tree(*asset.dense);
  store_sphere_tree(asset, *tree);
  store_sphere_tree(asset, *tree);
  const Asset again = parse_asset(format_asset(asset), "asset");
  EXPECT_EQ(again.sections.size(), 1u);
  const SphereTreePtr read = stored_sphere_tree(again);
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->parts().order, tree->parts().order);
  EXPECT_EQ(read->parts().spheres, tree->parts().spheres);
  EXPECT_EQ(read->mesh_hash(), tree->mesh_hash());
  EXPECT_EQ(format_asset(again), format_asset(asset));
}

TEST(SphereTreeSection, AssetsWithoutOneAreReadAsBefore) {
  const Asset again = parse_asset(format_asset(box_asset()), "asset");
  EXPECT_EQ(stored_sphere_tree(again), nullptr);
}

TEST(SphereTreeSection, RefusesTheTreeOfAnotherMesh) {
  Asset asset = box_asset();
  const MeshPtr other = make_box({.size = Vec3::Constant(0.8), .cells = Eigen::Vector3i::Constant(3)});
  EXPECT_THROW(store_sphere_tree(asset, *small_tree(*other)), Error);
  store_sphere_tree(asset, *small_tree(*asset.dense));
  asset.dense = other;
  EXPECT_THROW(stored_sphere_tree(asset), Error);
}

TEST(SphereTreeSection, RefusesDamage) {
  Asset asset = box_asset();
  store_sphere_tree(asset, *small_tree(*asset.dense));
  const std::string good = asset.sections[0].bytes;
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 3) {
    asset.sections[0].bytes = good.substr(0, size);
    EXPECT_THROW(stored_sphere_tree(asset), Error) << size;
  }
  for (std::size_t at = 0; at < 32; ++at) {
    asset.sections[0].bytes = good;
    asset.sections[0].bytes[at] ^= 0x40;
    try {
      EXPECT_NE(stored_sphere_tree(asset), nullptr);  // a bit of the cut length may not matter
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace pliant
