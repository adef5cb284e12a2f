#include "pliant/asset/asset.h"

#include "pliant/asset/find_tets.h"

namespace pliant {

const AssetSection* Asset::find_section(std::string_view name) const {
  for (const AssetSection& section : sections)
    if (section.name == name) return &section;
  return nullptr;
}

void link_dense(Asset& asset, Threads threads) {
  const auto dense = asset.dense->positions();
  asset.links = std::make_shared<const RigidLinks>(dense, asset.tets->surface()->positions());
  asset.embedding =
      std::make_shared<const BarycentricEmbedding>(dense, *asset.tets, find_tets(dense, *asset.tets, threads));
}

}  // namespace pliant
