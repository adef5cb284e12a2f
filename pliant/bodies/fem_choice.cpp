#include "pliant/bodies/fem_choice.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kSliver = 1.0 / 8;
constexpr double kMostSlivers = 0.02;
// Two cycles of vertex descent leave a cantilever 0.1 % too soft at 0.17, 1.4 % at 0.27, 7 % at 0.39, 25 % at 0.55.
constexpr double kMostWaveCells = 0.3;

struct TetShape {
  double edge_sum = 0, longest_edge = 0, least_altitude = 0;
};

TetShape shape_of(const Eigen::Matrix3d& inverse) {
  const Eigen::Matrix3d edges = inverse.inverse();  // from corner 0, as columns
  TetShape shape;
  const auto add_edge = [&](const Vec3& edge) {
    shape.edge_sum += edge.norm();
    shape.longest_edge = std::max(shape.longest_edge, edge.norm());
  };
  for (int a = 0; a < 3; ++a) {
    add_edge(edges.col(a));
    add_edge(edges.col((a + 1) % 3) - edges.col(a));
  }
  // The gradient of a shape function is as long as the inverse of its altitude.
  double steepest = inverse.colwise().sum().norm();
  for (int a = 0; a < 3; ++a) steepest = std::max(steepest, inverse.row(a).norm());
  shape.least_altitude = 1 / steepest;
  return shape;
}

}  // namespace

FemMeasure measure(const FemElements& elements, double seconds) {
  const auto count = static_cast<double>(elements.tets().size());
  double slivers = 0, edges = 0;
  for (std::size_t t = 0; t < elements.tets().size(); ++t) {
    const TetShape shape = shape_of(elements.inverse(TetId(t)));
    edges += shape.edge_sum / 6;
    if (shape.least_altitude < kSliver * shape.longest_edge) ++slivers;
  }
  const ElasticMaterial& m = elements.material();
  const double wave_speed = std::sqrt((m.lambda() + 2 * m.mu()) / m.density);
  return {slivers / count, wave_speed * seconds / (edges / count)};
}

FemIntegrator choose_integrator(const FemMeasure& measure) {
  return measure.sliver_share >= kMostSlivers || measure.wave_cells > kMostWaveCells
             ? FemIntegrator::conjugate_gradients
             : FemIntegrator::vertex_descent;
}

}  // namespace pliant
