#include "pliant/detect/moving/swept_query.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/geometry/predicates.h"

namespace pliant {
namespace {

// Decides which welded copies stay together over a segment.
class SeamWatch {
 public:
  explicit SeamWatch(const SweptBody& body)
      : mesh_(*body.mesh), x_t0_(body.x_t0.positions()), x_t1_(body.x_t1.positions()) {}

  std::vector<VertexId> identities() const {
    std::vector<VertexId> identity(mesh_.vertex_count());
    for (std::size_t v = 0; v < identity.size(); ++v) identity[v] = VertexId(v);
    std::vector<VertexId> strays;
    for (const VertexId v : mesh_.weld_copies()) {
      if (together(v, mesh_.welded(v))) identity[v.index()] = mesh_.welded(v);
      else strays.push_back(v);
    }
    // Copies that left their representative may still be together with each other.
    std::sort(strays.begin(), strays.end(), [this](VertexId u, VertexId v) { return before(u, v); });
    for (std::size_t i = 1; i < strays.size(); ++i)
      if (mesh_.welded(strays[i - 1]) == mesh_.welded(strays[i]) && together(strays[i - 1], strays[i]))
        identity[strays[i].index()] = identity[strays[i - 1].index()];
    return identity;
  }

 private:
  bool together(VertexId u, VertexId v) const {
    return x_t0_[u.index()] == x_t0_[v.index()] && x_t1_[u.index()] == x_t1_[v.index()];
  }
  bool before(VertexId u, VertexId v) const {
    if (mesh_.welded(u) != mesh_.welded(v)) return mesh_.welded(u) < mesh_.welded(v);
    if (x_t0_[u.index()] != x_t0_[v.index()]) return lex_less(x_t0_[u.index()], x_t0_[v.index()]);
    if (x_t1_[u.index()] != x_t1_[v.index()]) return lex_less(x_t1_[u.index()], x_t1_[v.index()]);
    return u < v;
  }

  const TriangleMesh& mesh_;
  std::span<const Vec3> x_t0_;
  std::span<const Vec3> x_t1_;
};

// The first frame later than t.
std::size_t first_frame_after(const Motion& motion, double t) {
  std::size_t low = 0;
  std::size_t high = motion.frame_count();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (motion.time_of(middle) > t) high = middle;
    else low = middle + 1;
  }
  return low;
}

}  // namespace

void move_on(SweptBody& swept, const Body& body, Frame x_t1, bool weld, Threads threads) {
  swept.mesh = body.mesh.get();
  swept.topology = &body.mesh->topology();
  swept.x_t0 = std::move(swept.x_t1);
  swept.x_t1 = std::move(x_t1);
  swept.vertices.assign(swept.x_t0.positions(), swept.x_t1.positions(), threads);
  swept.identity.clear();
  if (weld && !body.mesh->weld_copies().empty()) swept.identity = SeamWatch(swept).identities();
}

SweptBody sweep_body(BodyId id, const Body& body, Frame x_t0, Frame x_t1, bool weld) {
  SweptBody swept;
  swept.id = id;
  swept.x_t1 = std::move(x_t0);
  move_on(swept, body, std::move(x_t1), weld, {1});
  return swept;
}

// Three roundings: of the length, of the product, of the sum. Each is at most 2^-53 of its result; taking off 2^-52 of
// the sum and of the product covers them, and the roundings of taking off.
double SweptQuery::time_at(double fraction) const {
  if (fraction == 0) return segment.t0;
  const double passed = fraction * segment.length();
  const double sum = segment.t0 + passed;
  const double slack = 0x1p-51 * (std::abs(sum) + passed) + std::numeric_limits<double>::denorm_min();
  return std::clamp(sum - slack, segment.t0, segment.t1);
}

double next_keyframe(const Motion& motion, double t) {
  const std::size_t frame = first_frame_after(motion, t);
  return frame < motion.frame_count() ? motion.time_of(frame) : std::numeric_limits<double>::infinity();
}

std::vector<double> segment_borders(std::span<const Motion* const> motions, const Interval& interval) {
  std::vector<double> borders{interval.t0, interval.t1};
  for (const Motion* motion : motions)
    for (std::size_t k = first_frame_after(*motion, interval.t0);
         k < motion->frame_count() && motion->time_of(k) < interval.t1; ++k)
      borders.push_back(motion->time_of(k));
  std::sort(borders.begin(), borders.end());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  return borders;
}

}  // namespace pliant
