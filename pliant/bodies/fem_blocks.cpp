#include "pliant/bodies/fem_blocks.h"

#include <algorithm>
#include <array>

namespace pliant {
namespace {

using fem::kVertexLanes;

// Gradients of the shape functions of a tet's corners.
std::array<Vec3, 4> corner_gradients(const Eigen::Matrix3d& inverse) {
  std::array<Vec3, 4> g;
  for (std::size_t i = 0; i < 3; ++i) g[i + 1] = inverse.row(static_cast<int>(i)).transpose();
  g[0] = -(g[1] + g[2] + g[3]);
  return g;
}

// Each node gets the first colour that no neighbour has.
template <class Corners>
std::vector<std::size_t> colour(std::span<const Tet> tets, const Corners& corners) {
  constexpr std::size_t kUncoloured = ~std::size_t{0};
  std::vector<std::size_t> colours(corners.size(), kUncoloured);
  std::vector<std::size_t> taken_by;  // by colour: the last node that may not have it
  for (std::size_t i = 0; i < corners.size(); ++i) {
    for (const auto& corner : corners[i])
      for (const VertexId v : tets[corner.tet]) {
        const std::size_t taken = colours[v.index()];
        if (taken == kUncoloured) continue;
        if (taken >= taken_by.size()) taken_by.resize(taken + 1, kUncoloured);
        taken_by[taken] = i;
      }
    std::size_t free = 0;
    while (free < taken_by.size() && taken_by[free] == i) ++free;
    colours[i] = free;
  }
  return colours;
}

}  // namespace

FemBlocks::FemBlocks(const FemElements& elements, std::span<const double> inverse_masses)
    : first_slot_(1, 0), block_of_(inverse_masses.size(), kNone) {
  Corners corners(inverse_masses.size());
  for (std::uint32_t t = 0; t < elements.tets().size(); ++t)
    for (std::uint32_t c = 0; c < 4; ++c) corners[elements.tets()[t][c].index()].push_back({t, c});
  const std::vector<std::size_t> colours = colour(elements.tets(), corners);
  colours_ = *std::max_element(colours.begin(), colours.end()) + 1;
  for (std::size_t c = 0; c < colours_; ++c) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t i = 0; i < colours.size(); ++i)
      if (colours[i] == c && inverse_masses[i] > 0) members.push_back(i);
    // Blocks of vertices with equally many tetrahedra have few empty slots.
    std::stable_sort(members.begin(), members.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return corners[a].size() > corners[b].size(); });
    for (const std::uint32_t i : members) masses_.push_back(static_cast<float>(1 / inverse_masses[i]));
    masses_.resize((masses_.size() + kVertexLanes - 1) / kVertexLanes * kVertexLanes, 1);
    for (std::size_t first = 0; first < members.size(); first += kVertexLanes)
      add_block(elements, corners, std::span(members).subspan(first, std::min(kVertexLanes, members.size() - first)));
  }
}

void FemBlocks::add_block(const FemElements& elements, const Corners& corners, std::span<const std::uint32_t> members) {
  for (const std::uint32_t i : members) block_of_[i] = static_cast<std::uint32_t>(count());
  nodes_.insert(nodes_.end(), members.begin(), members.end());
  nodes_.resize(nodes_.size() + kVertexLanes - members.size(), static_cast<std::uint32_t>(corners.size()));
  const std::size_t slots = corners[members[0]].size();
  for (std::size_t at = 0; at < slots; ++at) add_slot(elements, corners, at);
  first_slot_.push_back(first_slot_.back() + static_cast<std::uint32_t>(slots));
}

// The at-th tetrahedron of each vertex of the last block.
void FemBlocks::add_slot(const FemElements& elements, const Corners& corners, std::size_t at) {
  const std::span<const std::uint32_t> nodes = std::span(nodes_).last(kVertexLanes);
  const std::size_t slot = volumes_.size() / kVertexLanes;
  rows_.resize((slot + 1) * kVertexLanes, 0);
  volumes_.resize((slot + 1) * kVertexLanes, 0);
  others_.resize((slot + 1) * 3 * kVertexLanes);
  gradients_.resize((slot + 1) * 9 * kVertexLanes, 0);
  for (std::size_t l = 0; l < kVertexLanes; ++l) {
    std::uint32_t* others = &others_[slot * 3 * kVertexLanes + l];
    if (nodes[l] == corners.size() || at >= corners[nodes[l]].size()) {
      for (std::size_t k = 0; k < 3; ++k) others[k * kVertexLanes] = nodes[l];
      continue;
    }
    const Corner& own = corners[nodes[l]][at];
    rows_[slot * kVertexLanes + l] = 3 * own.tet;
    volumes_[slot * kVertexLanes + l] = static_cast<float>(elements.volume(TetId(own.tet)));
    const std::array<Vec3, 4> gradients = corner_gradients(elements.inverse(TetId(own.tet)));
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t corner = (own.corner + 1 + k) % 4;
      others[k * kVertexLanes] = elements.tets()[own.tet][corner].value;
      for (std::size_t axis = 0; axis < 3; ++axis)
        gradients_[(slot * 9 + 3 * k + axis) * kVertexLanes + l] =
            static_cast<float>(gradients[corner][static_cast<Eigen::Index>(axis)]);
    }
  }
}

fem::VertexBlocks FemBlocks::arrays() const {
  return {.nodes = nodes_.data(),
          .masses = masses_.data(),
          .first_slot = first_slot_.data(),
          .rows = rows_.data(),
          .others = others_.data(),
          .gradients = gradients_.data(),
          .volumes = volumes_.data()};
}

}  // namespace pliant
