// One undamped spring between two masses, by the kicks and drifts that gas bodies are moved with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "pliant/bodies/gas_kernel.h"

namespace pliant {
namespace {

class OneSpring {
 public:
  static constexpr double kStiffness = 80, kLength = 0.5;
  static constexpr double kInverseMass[2] = {1 / 0.3, 1 / 0.7};
  // The limit of x' = v, v' = -omega^2 x: omega h < 2.
  static double limit() { return 2 / std::sqrt(kStiffness * (kInverseMass[0] + kInverseMass[1])); }

  OneSpring() : nodes_(2 * gas::kNode, 0) {
    nodes_[gas::kNode] = 1.1 * kLength;
    for (std::size_t i = 0; i < 2; ++i) nodes_[gas::kNode * i + 3] = kInverseMass[i];
  }
  double energy() const {
    double sum = 0.5 * kStiffness * stretch() * stretch();
    for (std::size_t i = 0; i < 2; ++i) {
      const double v = nodes_[gas::kNode * i + gas::kVector];
      sum += 0.5 * v * v / kInverseMass[i];
    }
    return sum;
  }
  void symplectic_step(double h) {
    evaluate();
    move(h, h);
  }
  // With the old velocities in the positions.
  void explicit_step(double h) {
    evaluate();
    move(0, h);
    move(h, 0);
  }

 private:
  double stretch() const { return nodes_[gas::kNode] - nodes_[0] - kLength; }
  void evaluate() {
    spring_[0] = kStiffness * stretch();
    spring_[gas::kVector] = -spring_[0];
  }
  void move(double kick, double drift) {
    gas::move({2, spring_.data(), nothing_.data(), nothing_.data(), 0, kick, drift}, nodes_.data());
  }

  std::vector<double> nodes_, spring_ = std::vector<double>(2 * gas::kVector, 0), nothing_ = spring_;
};

TEST(OneSpring, SymplecticEnergyIsBoundedAtHalfTheLimitForAHundredThousandSteps) {
  OneSpring spring;
  const double start = spring.energy();
  double least = start, most = start;
  for (int k = 0; k < 100'000; ++k) {
    spring.symplectic_step(0.5 * OneSpring::limit());
    least = std::min(least, spring.energy());
    most = std::max(most, spring.energy());
  }
  // What it keeps is v^2 - h omega^2 x v + omega^2 x^2: the energy stays within (1 +- h omega / 2) of a mean.
  EXPECT_LT(most / least, 1.5 / 0.5 * 1.0001);
}

TEST(OneSpring, SymplecticEnergyDivergesAboveTheLimit) {
  OneSpring spring;
  const double start = spring.energy();
  for (int k = 0; k < 1000; ++k) spring.symplectic_step(1.01 * OneSpring::limit());
  EXPECT_GT(spring.energy(), 1e6 * start);
}

TEST(OneSpring, ExplicitEulerDivergesAtAnyStep) {
  OneSpring spring;
  const double start = spring.energy();
  for (int k = 0; k < 100'000; ++k) spring.explicit_step(0.01 * OneSpring::limit());
  EXPECT_GT(spring.energy(), 1e6 * start);
}

}  // namespace
}  // namespace pliant
