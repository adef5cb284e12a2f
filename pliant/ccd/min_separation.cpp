// Conservative advancement. At a time t let n be the direction between the closest points. As long as the gap along n
// (certificates.h) exceeds d |n| the features are further apart than d; every part of the gap is linear in time, so the
// moment when it may stop to do so is known in closed form, and t can advance to it. Close to a contact this is a
// Newton iteration on the distance.
#include "pliant/ccd/min_separation.h"

#include <cmath>
#include <optional>

#include "pliant/ccd/certificates.h"
#include "pliant/ccd/closest.h"

namespace pliant::ccd {
namespace {

constexpr int kDefaultIterations = 1000;

// The parts of the gap along n, minus what it must exceed: positive ones prove a distance of more than d.
struct Clearance {
  std::array<double, 4> along;
  double lowest() const { return std::min(std::min(along[0], along[1]), std::min(along[2], along[3])); }
};

Clearance clearance(CcdKind kind, const Triple<double>& v, const Vector<double>& n, double needed) {
  const double a = dot(v.a, n) - needed, b = dot(v.b, n), c = dot(v.c, n);
  if (kind == CcdKind::vertex_face) return {{a, a - b, a - c, a}};
  return {{a, a - b, a + c, a + c - b}};
}

struct Distance {
  Coordinates at;
  Vector<double> n;
  double length;  // |n|
};

Distance distance(CcdKind kind, const Triple<double>& v) {
  const Coordinates x = closest(kind, v);
  const Vector<double> n = between(kind, v, x);
  return {x, n, std::sqrt(dot(n, n))};
}

class Advancement {
 public:
  Advancement(CcdKind kind, const CcdQuery& query, const CcdOptions& options, Interval interval)
      : kind_(kind),
        d_(make_differences<double>(kind, query)),
        separation_(options.min_separation),
        options_(options),
        interval_(interval),
        noise_(16 * 0x1p-53 * (d_.scale.x + d_.scale.y + d_.scale.z)) {}

  CcdResult run() const;

 private:
  std::optional<double> advanced(double t, const Distance& now) const;
  bool certainly_within(const Distance& now) const { return now.length + noise_ <= separation_; }
  CcdResult conclude(double t) const;
  CcdResult result(CcdStatus status, double lo, double hi) const;

  CcdKind kind_;
  Differences<double> d_;
  double separation_;
  CcdOptions options_;
  Interval interval_;
  // The points at the closest coordinates err by at most 4 (1 + u + v) + 5 units of u X per axis (vectors; two
  // products, two sums), at most 13, and the length by 3 more roundings: 16 of X + Y + Z bound the error of a distance.
  double noise_;
};

// The last moment up to which n proves a distance of more than d: t if there is none behind t, nothing if it is proved
// up to the end of the interval. Needed: d |n|, with 2^-48 for the roundings of |n| and of the product, and the error
// of the gap. A part falls from p (now) to q (at the end), both proved to be at least what they claim: it is positive
// up to p / (p - q); 2^-40 and 2^-51 cover the roundings as in clip_solver.h.
std::optional<double> Advancement::advanced(double t, const Distance& now) const {
  const double needed = separation_ * now.length * (1 + 0x1p-48) + 2 * gap_error(d_, now.n);
  const Clearance p = clearance(kind_, at(d_, t), now.n, needed);
  if (!(p.lowest() > 0)) return t;
  const Clearance q = clearance(kind_, at(d_, interval_.t1), now.n, needed);
  if (q.lowest() > 0) return std::nullopt;
  double fraction = 1;
  for (int i = 0; i < 4; ++i) {
    if (q.along[i] <= 0) fraction = std::min(fraction, p.along[i] / (p.along[i] - q.along[i]));
  }
  return std::max(t, t + (interval_.t1 - t) * fraction * (1 - 0x1p-40) - 0x1p-51);
}

CcdResult Advancement::result(CcdStatus status, double lo, double hi) const {
  const Coordinates x = closest(kind_, at(d_, lo + 0.5 * (hi - lo)));
  return {status, lo == interval_.t0, lo, hi, x.u, x.v};
}

// No progress at t: a moment just behind it may prove the contact.
CcdResult Advancement::conclude(double t) const {
  const double step = std::max(options_.time_tolerance, 0x1p-50);
  for (double ahead = 0; ahead <= 64 * step; ahead = ahead == 0 ? step : 8 * ahead) {
    const double probe = std::min(interval_.t1, t + ahead);
    if (certainly_within(distance(kind_, at(d_, probe)))) return result(CcdStatus::hit, t, probe);
  }
  return result(CcdStatus::possible, t, interval_.t1);
}

CcdResult Advancement::run() const {
  double t = interval_.t0;
  const int limit = options_.max_iterations > 0 ? options_.max_iterations : kDefaultIterations;
  for (int i = 0; i < limit; ++i) {
    const Distance now = distance(kind_, at(d_, t));
    // What nothing below could tell otherwise.
    if (i == 0 && certainly_within(now)) return {CcdStatus::hit, true, t, t, now.at.u, now.at.v};
    const std::optional<double> next = advanced(t, now);
    if (!next) return {};
    const bool close = now.length <= separation_ + std::max(options_.distance_tolerance, noise_);
    if (*next - t <= 0x1p-50 || close) return conclude(t);
    if (*next - t <= 0.25 * options_.time_tolerance) {
      if (const CcdResult r = conclude(*next); r.status == CcdStatus::hit) return r;
    }
    t = *next;
  }
  return result(CcdStatus::possible, t, interval_.t1);
}

}  // namespace

RescaledQuery rescaled(const CcdQuery& query) {
  double largest = 0;
  for (int i = 0; i < 4; ++i) {
    largest = std::max({largest, query.x_t0[i].cwiseAbs().maxCoeff(), query.x_t1[i].cwiseAbs().maxCoeff()});
  }
  RescaledQuery result{query, 1};
  if (largest == 0 || (largest < 0x1p100 && largest > 0x1p-100)) return result;
  const int exponent = std::clamp(-std::ilogb(largest), -1000, 1000);
  for (int i = 0; i < 4; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      result.query.x_t0[i][axis] = std::ldexp(query.x_t0[i][axis], exponent);
      result.query.x_t1[i][axis] = std::ldexp(query.x_t1[i][axis], exponent);
    }
  }
  result.factor = std::ldexp(1.0, exponent);
  return result;
}

CcdResult min_separation_ccd(CcdKind kind, const CcdQuery& query, const CcdOptions& options, Interval interval) {
  const RescaledQuery t = rescaled(query);
  CcdOptions scaled = options;
  scaled.min_separation *= t.factor;
  scaled.distance_tolerance *= t.factor;
  return Advancement(kind, t.query, scaled, interval).run();
}

}  // namespace pliant::ccd
