#include "pliant/check/containment.h"

#include <algorithm>

#include "pliant/core/error.h"
#include "pliant/detect/inside.h"
#include "pliant/detect/penetration.h"
#include "pliant/geometry/extent.h"

namespace pliant {
namespace {

constexpr double kDepthTolerance = 1e-4;  // of the smaller body's extent

// One body as the outer one: whether it is closed takes a while to say, so that is asked for once, if at all.
class Outer {
 public:
  Outer(const CheckBody& body, Frame frame) : body_(body), frame_(std::move(frame)) {}
  const ClosedSurface* surface() {
    if (!asked_) surface_ = ClosedSurface::make({body_.mesh.get(), frame_.positions()});
    asked_ = true;
    return surface_ ? &*surface_ : nullptr;
  }

 private:
  const CheckBody& body_;
  Frame frame_;
  bool asked_ = false;
  std::optional<ClosedSurface> surface_;
};

}  // namespace

Containment find_contained(std::span<const CheckBody> bodies, double time,
                           FunctionRef<bool(std::uint32_t, std::uint32_t)> may_hold, const Budget& budget) {
  Containment found;
  std::vector<Extent> extents;
  for (const CheckBody& body : bodies) extents.push_back(extent_of(body.motion.positions_at(time).positions()));
  for (std::uint32_t o = 0; o < bodies.size(); ++o) {
    Outer outer(bodies[o], bodies[o].motion.positions_at(time));
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      if (i == o || !extents[o].holds(extents[i]) || !may_hold(std::min(i, o), std::max(i, o))) continue;
      if (!outer.surface()) break;
      const Frame inner = bodies[i].motion.positions_at(time);
      const auto inside = lies_inside({bodies[i].mesh.get(), inner.positions()}, *outer.surface(), budget);
      found.complete = found.complete && inside.has_value();
      if (inside.value_or(false)) found.pairs.emplace_back(std::minmax(i, o), i < o ? Inside::a_in_b : Inside::b_in_a);
    }
  }
  std::sort(found.pairs.begin(), found.pairs.end());
  return found;
}

MeasuredDepth penetration_at(const CheckBody& a, const CheckBody& b, double time, const Budget& budget) {
  const Frame x_a = a.motion.positions_at(time);
  const Frame x_b = b.motion.positions_at(time);
  try {
    const auto found =
        penetration({a.mesh.get(), x_a.positions()}, {b.mesh.get(), x_b.positions()}, kDepthTolerance, budget);
    if (!found) return {};
    return {found->face.valid() ? std::optional(found->depth) : std::nullopt, found->complete};
  } catch (const Error&) {
    return {};  // an open surface has no inside
  }
}

}  // namespace pliant
