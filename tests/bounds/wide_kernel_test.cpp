#include "pliant/bounds/wide_kernel.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/bounds/face_tree.h"
#include "pliant/bounds/wide_tree.h"
#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

// Every one that this processor has.
std::vector<wide::Kernels> all_kernels() {
  using namespace wide::portable;
  return {{overlaps, overlaps_and_sizes, overlaps_of_lanes, unite, fit_faces}, wide::kernels()};
}

// Some lanes are empty.
WideBoxes any_boxes(Dice& dice) {
  WideBoxes boxes;
  const std::uint32_t count = dice.below(9);
  for (std::uint32_t i = 0; i < WideBoxes::kLanes; ++i) {
    const Vec3 p = dice.point(-1, 1), q = p + dice.point(0, 1);
    boxes.set(i, i < count ? united(Aabb::of(p), Aabb::of(q)) : Aabb{});
  }
  return boxes;
}

RC_GTEST_PROP(WideKernels, LanesOverlapAsTheirBoxesDo, (std::uint64_t seed)) {
  Dice dice(seed);
  const WideBoxes rows = any_boxes(dice), columns = any_boxes(dice);
  const unsigned wanted = dice.below(256);
  for (const wide::Kernels& kernels : all_kernels()) {
    constexpr std::uint8_t kUntouched = 0xa5;
    std::uint8_t masks[WideBoxes::kLanes];
    std::fill(std::begin(masks), std::end(masks), kUntouched);
    kernels.overlaps_of_lanes(&rows.lo[0][0], &columns.lo[0][0], wanted, masks);
    for (std::uint32_t i = 0; i < WideBoxes::kLanes; ++i) {
      unsigned expected = 0;
      for (std::uint32_t k = 0; k < WideBoxes::kLanes; ++k)
        expected |= (rows.box(i).overlaps(columns.box(k)) ? 1u : 0u) << k;
      RC_ASSERT(masks[i] == ((wanted >> i & 1u) != 0 ? expected : kUntouched));
    }
  }
}

RC_GTEST_PROP(WideKernels, FacesHaveTheirBoxes, (std::uint64_t seed)) {
  Dice dice(seed);
  std::vector<Vec3> x;
  for (int i = 0; i < 12; ++i) {
    const double size = std::ldexp(1.0, static_cast<int>(dice.below(400)) - 200);  // beyond float, too
    x.emplace_back(size * dice.point(-1, 1));
  }
  std::vector<Triangle> faces(dice.below(9));
  for (Triangle& t : faces) t = {VertexId(dice.below(12)), VertexId(dice.below(12)), VertexId(dice.below(12))};
  for (const wide::Kernels& kernels : all_kernels()) {
    WideBoxes boxes;
    const std::uint32_t* const corners = faces.empty() ? nullptr : &faces[0][0].value;
    kernels.fit_faces(x[0].data(), corners, static_cast<std::uint32_t>(faces.size()), &boxes.lo[0][0]);
    for (std::uint32_t i = 0; i < WideBoxes::kLanes; ++i)
      RC_ASSERT(boxes.box(i) == (i < faces.size() ? face_box(faces[i], x) : Aabb{}));
  }
}

}  // namespace
}  // namespace pliant::testing
