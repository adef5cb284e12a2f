#include "pliant/detect/particles/witnesses.h"

namespace pliant {

WitnessForce::WitnessForce(std::span<const WalkingBody> bodies, std::span<const RegionPair> pairs) : bodies_(bodies) {
  std::size_t count = 0;
  for (const WalkingBody& body : bodies) {
    first_.push_back(count);
    count += body.particles->size();
  }
  offsets_.assign(count + 1, 0);
  const auto each = [&](auto&& visit) {
    for (const RegionPair& pair : pairs) {
      if (pair.bodies.a == pair.bodies.b) continue;
      visit(first_[pair.bodies.a] + pair.a, Other{pair.bodies.b, pair.b});
      visit(first_[pair.bodies.b] + pair.b, Other{pair.bodies.a, pair.a});
    }
  };
  each([&](std::size_t i, Other) { ++offsets_[i + 1]; });
  for (std::size_t i = 0; i < count; ++i) offsets_[i + 1] += offsets_[i];
  others_.resize(offsets_[count]);
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  each([&](std::size_t i, Other other) { others_[next[i]++] = other; });
}

double WitnessForce::operator()(std::uint32_t body, std::uint32_t particle, const Vec3& p) const {
  const std::size_t i = first_[body] + particle;
  double sum = 0;
  for (std::size_t k = offsets_[i]; k < offsets_[i + 1]; ++k)
    sum += 1 / (bodies_[others_[k].body].cloud[others_[k].particle] - p).squaredNorm();
  return sum;
}

}  // namespace pliant
