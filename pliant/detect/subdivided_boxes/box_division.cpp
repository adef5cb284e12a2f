#include "pliant/detect/subdivided_boxes/box_division.h"

#include <algorithm>

namespace pliant {
namespace {

// No double has more bits to tell centres apart by, per axis.
constexpr int kMostCuts = 3 * 52;

class Divider {
 public:
  Divider(const TriangleMesh& mesh, const SubdivisionSettings& settings) : settings_(settings) {
    const int factor = settings.octree ? 3 : 1;
    cuts_ = settings.levels < 0 ? kMostCuts : std::min(factor * settings.levels, kMostCuts);
    for (std::size_t f = 0; f < mesh.face_count(); ++f) {
      const Triangle& t = mesh.triangle(FaceId(f));
      // Thirds first: the sum of three large coordinates would overflow.
      Vec3 centre = Vec3::Zero();
      for (const VertexId v : t) centre += mesh.positions()[v.index()] / 3;
      centres_.push_back(centre);
      order_.push_back(static_cast<std::uint32_t>(f));
    }
    if (!order_.empty()) cut({order_.begin(), order_.end(), bounds(mesh), 0, 0});
  }

  RegionLists take() {
    lists_.faces = std::move(order_);
    return std::move(lists_);
  }

 private:
  using Iterator = std::vector<std::uint32_t>::iterator;
  struct Range {
    Vec3 lo, hi;
  };
  struct Box {
    Iterator first, last;
    Range range;
    int axis;
    int cuts;
  };

  static Range bounds(const TriangleMesh& mesh) {
    Range range{mesh.positions()[0], mesh.positions()[0]};
    for (const Vec3& p : mesh.positions()) {
      range.lo = range.lo.cwiseMin(p);
      range.hi = range.hi.cwiseMax(p);
    }
    return range;
  }

  bool is_done(const Box& box) const {
    const auto faces = static_cast<std::size_t>(box.last - box.first);
    return box.cuts >= cuts_ || (settings_.levels < 0 && faces <= settings_.most_faces) || faces <= 1;
  }

  void cut(Box box) {
    if (box.first == box.last) return;
    for (; !is_done(box); ++box.cuts, box.axis = (box.axis + 1) % 3) {
      const int axis = box.axis;
      const double middle = box.range.lo[axis] / 2 + box.range.hi[axis] / 2;
      if (!(box.range.lo[axis] < middle && middle < box.range.hi[axis])) continue;  // flat
      const Iterator cut_at =
          std::stable_partition(box.first, box.last, [&](std::uint32_t face) { return centres_[face][axis] < middle; });
      Box lower{box.first, cut_at, box.range, (axis + 1) % 3, box.cuts + 1};
      lower.range.hi[axis] = middle;
      cut(lower);
      Box upper{cut_at, box.last, box.range, (axis + 1) % 3, box.cuts + 1};
      upper.range.lo[axis] = middle;
      return cut(upper);
    }
    lists_.first.push_back(static_cast<std::uint32_t>(box.last - order_.begin()));
  }

  const SubdivisionSettings& settings_;
  int cuts_ = 0;
  std::vector<Vec3> centres_;
  std::vector<std::uint32_t> order_;
  RegionLists lists_;
};

}  // namespace

std::array<int, 3> halvings(int levels, bool octree) {
  std::array<int, 3> count{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    count[axis] = octree ? levels : (levels + 2 - static_cast<int>(axis)) / 3;
  return count;
}

RegionLists divide(const TriangleMesh& mesh, const SubdivisionSettings& settings) {
  return Divider(mesh, settings).take();
}

}  // namespace pliant
