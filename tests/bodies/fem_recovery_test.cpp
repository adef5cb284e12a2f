// Solids of every preset find back to their shape, whatever was done to their vertices.
#include <gtest/gtest.h>

#include "pliant/bodies/best_rotation.h"
#include "pliant/bodies/fem.h"
#include "pliant/mesh/tet_shapes.h"
#include "tests/bodies/support.h"

namespace pliant {
namespace {

constexpr double kSize = 0.2;

// The largest distance of a vertex from its place at rest, after the best rigid motion.
double off_shape(std::span<const Vec3> x, std::span<const Vec3> rest) {
  const std::vector<double> equal(x.size(), 1);
  const Eigen::Matrix3d turn = best_rotation(rest, x, equal);
  const Vec3 from = weighted_centre(rest, equal), to = weighted_centre(x, equal);
  double off = 0;
  for (std::size_t i = 0; i < x.size(); ++i) off = std::max(off, (turn * (rest[i] - from) + to - x[i]).norm());
  return off;
}

using Ruin = std::vector<Vec3> (*)(std::vector<Vec3>);
struct Case {
  const char* name;
  Ruin ruin;
};
const Case kCases[] = {
    {"random",
     [](std::vector<Vec3> x) {
       Random random(7);
       for (Vec3& p : x) p = random_vector(random, kSize / 2);
       return x;
     }},
    {"flattened",
     [](std::vector<Vec3> x) {
       for (Vec3& p : x) p.z() = 0;
       return x;
     }},
    {"mirrored",
     [](std::vector<Vec3> x) {
       for (Vec3& p : x) p.z() = -p.z();
       return x;
     }},
    {"one_point",
     [](std::vector<Vec3> x) {
       for (Vec3& p : x) p = Vec3(0.1, 0.2, 0.3);
       return x;
     }},
};

class FemRecovery : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(From, FemRecovery, testing::ValuesIn(kCases), [](const auto& c) { return c.param.name; });

TEST_P(FemRecovery, EveryPresetFindsBackToItsShape) {
  for (const NamedElasticMaterial& named : elastic_materials()) {
    for (const FemIntegrator integrator : {FemIntegrator::vertex_descent, FemIntegrator::conjugate_gradients}) {
      FemBody body(make_tet_box({.size = {kSize, kSize, kSize}, .cells = {4, 4, 4}}),
                   {.material = named.material, .integrator = integrator, .gravity = Vec3::Zero()});
      BodyState state = body.snapshot();
      const std::vector<Vec3> rest = state.positions;
      state.positions = GetParam().ruin(state.positions);
      body.restore(state);
      for (int frame = 0; frame < 300; ++frame) {
        ASSERT_TRUE(run(body, 1.0 / 60, 1).ok());
        if (frame % 30 == 29 && body.condition().inverted_elements == 0 &&
            off_shape(body.snapshot().positions, rest) < 0.01 * kSize)
          break;
      }
      EXPECT_EQ(body.condition().inverted_elements, 0u) << named.name;
      EXPECT_LT(off_shape(body.snapshot().positions, rest), 0.02 * kSize)
          << named.name << ", " << body.potential_energy() << " J";
    }
  }
}

}  // namespace
}  // namespace pliant
