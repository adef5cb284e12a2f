#include "pliant/world/overlaps.h"

#include <algorithm>
#include <limits>
#include <map>

#include "pliant/detect/bvh/bvh.h"
#include "pliant/geometry/extent.h"

namespace pliant {
namespace {

class TableFilter : public ContactFilter {
 public:
  TableFilter(const PairTable& pairs, const ContactFilter* inner) : pairs_(pairs), inner_(inner) {}
  bool bodies(BodyId a, BodyId b) const override { return pairs_(a, b) != PairTable::kNone; }
  bool features(const Feature& a, const Feature& b) const override { return !inner_ || inner_->features(a, b); }
  bool filters_features() const override { return inner_ && inner_->filters_features(); }

 private:
  const PairTable& pairs_;
  const ContactFilter* inner_;
};

class OneAgainstAll : public ContactFilter {
 public:
  explicit OneAgainstAll(BodyId one) : one_(one) {}
  bool bodies(BodyId a, BodyId b) const override { return a == one_ || b == one_; }
  bool filters_features() const override { return false; }

 private:
  BodyId one_;
};

Frame shifted(const Frame& frame, const Vec3& by) {
  std::vector<Vec3> positions(frame.positions().begin(), frame.positions().end());
  for (Vec3& p : positions) p += by;
  return Frame::own(std::move(positions));
}

// One body among others, moved about.
class Crowd {
 public:
  Crowd(const PlacedBody& body, std::span<const PlacedBody> others)
      : frame_(body.positions), detector_(between_bodies()) {
    body_ = detector_.add_body(body.mesh, Motion::at_rest(body.positions));
    for (const PlacedBody& other : others) detector_.add_body(other.mesh, Motion::at_rest(other.positions));
    detector_.set_filter(std::make_shared<OneAgainstAll>(body_));
  }
  bool meets(const Vec3& shift) {
    detector_.set_motion(body_, Motion::at_rest(shifted(frame_, shift)));
    return *detector_.collides(Interval::instant(0));
  }
  // The least multiple of `way` (at which they are apart) where they still are; by halving, so that a gap on the way
  // may be found instead.
  double least(const Vec3& way) {
    double low = 0, high = 1;
    for (int i = 0; i < 20; ++i) {
      const double middle = (low + high) / 2;
      (meets(middle * way) ? low : high) = middle;
    }
    return high;
  }

 private:
  static DetectorSettings between_bodies() {
    DetectorSettings settings;
    settings.self = false;
    return settings;
  }
  Frame frame_;
  BvhDetector detector_;
  BodyId body_;
};

}  // namespace

std::vector<StartOverlap> find_overlaps(std::span<const PlacedBody> bodies, const PairTable& pairs,
                                        const OverlapSettings& settings) {
  DetectorSettings own;
  own.threads = settings.threads;
  BvhDetector detector(own);
  for (const PlacedBody& body : bodies) detector.add_body(body.mesh, Motion::at_rest(body.positions));
  detector.set_filter(std::make_shared<TableFilter>(pairs, settings.filter.get()));
  std::map<std::pair<BodyId, BodyId>, std::size_t> counts;
  for (const Contact& contact : detector.detect(Interval::instant(0)).contacts)
    ++counts[std::minmax(contact.a.body, contact.b.body)];
  std::vector<StartOverlap> overlaps;
  overlaps.reserve(counts.size());
  for (const auto& [pair, count] : counts) overlaps.push_back({pair.first, pair.second, count});
  return overlaps;
}

Vec3 way_out(const PlacedBody& body, std::span<const PlacedBody> others, double separation) {
  Crowd crowd(body, others);
  if (!crowd.meets(Vec3::Zero())) return Vec3::Zero();
  const Extent mine = extent_of(body.positions.positions());
  Extent theirs;
  for (const PlacedBody& other : others) theirs.include(other.positions.positions());
  Vec3 best = Vec3::Constant(std::numeric_limits<double>::infinity());
  for (int axis = 0; axis < 3; ++axis) {
    for (const double far :
         {theirs.high[axis] - mine.low[axis] + separation, theirs.low[axis] - mine.high[axis] - separation}) {
      const Vec3 way = far * Vec3::Unit(axis);
      if (crowd.meets(way)) continue;  // boxes that are apart by less than rounding
      Vec3 shift = crowd.least(way) * way;
      shift += separation * shift.normalized();
      if (shift.norm() < best.norm() && !crowd.meets(shift)) best = shift;
    }
  }
  return best.allFinite() ? best : Vec3::Zero();
}

}  // namespace pliant
