#include "pliant/bodies/cloth_contacts.h"

#include <Eigen/LU>
#include <algorithm>

namespace pliant {
namespace {

using sheet::kLanes;

// Contacts that share a vertex settle among themselves in so many rounds.
constexpr int kContactRounds = 2;

Vec3 row_at(const float* rows, std::uint32_t row) {
  const float* p = rows + 4 * std::size_t{row};
  return {p[0], p[1], p[2]};
}
void move_row(float* rows, std::uint32_t row, const Vec3& change) {
  float* p = rows + 4 * std::size_t{row};
  for (int k = 0; k < 3; ++k) p[k] = static_cast<float>(static_cast<double>(p[k]) + change[k]);
}

Eigen::Matrix3d inverse_of_lane(const float* hessian, std::size_t lane, double scale) {
  const auto entry = [&](std::size_t k) { return static_cast<double>(hessian[k * kLanes + lane]); };
  Eigen::Matrix3d h;
  h << entry(0), entry(5), entry(4),  //
      entry(5), entry(1), entry(3),   //
      entry(4), entry(3), entry(2);
  return scale * h.inverse();
}

}  // namespace

void ClothContacts::begin(std::span<const SurfaceConstraint> constraints, const ClothLayout& layout, const Step& step) {
  seconds_ = step.seconds;
  points_.clear();
  touched_.clear();
  for (const SurfaceConstraint& c : constraints) {
    Point point;
    if (std::count(c.weights.begin(), c.weights.end(), 0.0) < 2) {
      points_.push_back(point);  // of an edge or a face: left to whoever answers contacts after the step
      continue;
    }
    Vec3 whole = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(c.weights[k] > 0)) continue;
      const std::uint32_t row = layout.row_of_vertex()[c.vertices[k].index()];
      const Vec3 start = step.start[c.vertices[k].index()];
      whole += c.weights[k] * start;
      if (row >= layout.free_rows()) continue;
      touched_.push_back(row);
      point.start += c.weights[k] * (start - step.origin);
      point.rows[point.count] = row;
      point.weights[point.count++] = c.weights[k];
    }
    point.limit = {.normal = c.normal,
                   .gap = c.offset - step.later * c.normal.dot(c.velocity) - c.normal.dot(whole),
                   .drift = step.seconds * c.velocity};
    point.friction = c.friction;
    static const char fmode = getenv("FMODE") ? getenv("FMODE")[0] : 'B';
    if (fmode == 'A') point.limit.friction = c.friction;
    points_.push_back(point);
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  compliance_.assign(touched_.size(), Eigen::Matrix3d::Zero());
  blocks_.clear();
  for (const std::uint32_t row : touched_)
    if (blocks_.empty() || blocks_.back() != row / kLanes) blocks_.push_back(row / static_cast<std::uint32_t>(kLanes));
  first_.assign(touched_.size() + 1, 0);
  for (const Point& point : points_)
    for (std::uint32_t k = 0; k < point.count; ++k) ++first_[place_of(point.rows[k]) + 1];
  for (std::size_t i = 0; i < touched_.size(); ++i) first_[i + 1] += first_[i];
  list_.resize(first_.back());
  std::vector<std::uint32_t> next = first_;
  for (std::uint32_t p = 0; p < points_.size(); ++p)
    for (std::uint32_t k = 0; k < points_[p].count; ++k) list_[next[place_of(points_[p].rows[k])]++] = p;
}

std::size_t ClothContacts::place_of(std::uint32_t row) const {
  return static_cast<std::size_t>(std::lower_bound(touched_.begin(), touched_.end(), row) - touched_.begin());
}

Vec3 ClothContacts::at(const Point& point, const float* rows) const {
  Vec3 result = -point.start;
  for (std::uint32_t k = 0; k < point.count; ++k) result += point.weights[k] * row_at(rows, point.rows[k]);
  return result;
}

void ClothContacts::settle(std::uint32_t block, const float* hessian, double scale, float* rows) {
  const auto begin = block * static_cast<std::uint32_t>(kLanes);
  for (std::size_t t = place_of(begin); t < touched_.size() && touched_[t] < begin + kLanes; ++t) {
    compliance_[t] = inverse_of_lane(hessian, touched_[t] - begin, scale);
    const std::span<const std::uint32_t> own = std::span(list_).subspan(first_[t], first_[t + 1] - first_[t]);
    Vec3 force = Vec3::Zero();
    for (const std::uint32_t p : own)
      for (std::uint32_t k = 0; k < points_[p].count; ++k)
        if (points_[p].rows[k] == touched_[t]) force += points_[p].weights[k] * points_[p].force;
    if (force != Vec3::Zero()) move_row(rows, touched_[t], compliance_[t] * force);
    for (int round = 0; round < (own.size() > 1 ? kContactRounds : 1); ++round)
      for (const std::uint32_t p : own) solve(points_[p], rows);
  }
}

void ClothContacts::solve(Point& point, float* rows) {
  const Vec3 now = at(point, rows);
  if (point.force == Vec3::Zero() && point.limit.normal.dot(now) >= point.limit.gap) return;
  Eigen::Matrix3d compliance = Eigen::Matrix3d::Zero();
  for (std::uint32_t k = 0; k < point.count; ++k) {
    const Eigen::Matrix3d& own = compliance_[place_of(point.rows[k])];
    if (own(0, 0) == 0) return;  // was not visited yet: the last of its vertices answers, not one of little weight
    compliance += point.weights[k] * point.weights[k] * own;
  }
  const Vec3 force = contact_force(compliance, now - compliance * point.force, point.limit);
  const Vec3 change = force - point.force;
  point.force = force;
  for (std::uint32_t k = 0; k < point.count; ++k)
    move_row(rows, point.rows[k], point.weights[k] * (compliance_[place_of(point.rows[k])] * change));
}

void ClothContacts::add_to_gradient(double scale, float* gradient) const {
  for (const Point& point : points_)
    for (std::uint32_t k = 0; k < point.count; ++k)
      move_row(gradient, point.rows[k], (-scale * point.weights[k]) * point.force);
}

void ClothContacts::rub(const float* gradient, double scale, std::span<const double> masses, const float* y, float* rows) {
  static const char fmode = getenv("FMODE") ? getenv("FMODE")[0] : 'B';
  if (fmode == 'A') return;
  const double cap = fmode == 'B' ? 1 : fmode == 'C' ? 4 : 1e30;
  for (std::size_t t = 0; t < touched_.size(); ++t) {
    const std::uint32_t row = touched_[t];
    const std::span<const std::uint32_t> own = std::span(list_).subspan(first_[t], first_[t + 1] - first_[t]);
    const Vec3 needed = row_at(gradient, row) / scale;
    double sum = 0;
    for (const std::uint32_t p : own) sum += points_[p].force.norm();
    if (!(sum > 0)) continue;
    for (const std::uint32_t p : own) {
      Point& point = points_[p];
      const Vec3& n = point.limit.normal;
      const Vec3 free = Vec3(y[row / kLanes * 3 * kLanes + row % kLanes], y[row / kLanes * 3 * kLanes + kLanes + row % kLanes], y[row / kLanes * 3 * kLanes + 2 * kLanes + row % kLanes]) - point.start;
      const double falls = std::max(0.0, point.limit.gap - n.dot(free)) * masses[row] / (seconds_ * seconds_);
      const double push = std::min(std::max(0.0, n.dot(needed)), cap * falls) * (point.force.norm() / sum);
      const Vec3 slip = at(point, rows) - point.limit.drift, across = slip - n.dot(slip) * n;
      const double length = across.norm(), inertia = masses[row] / (seconds_ * seconds_);
      point.force = push * n;
      if (!(length > 0)) continue;
      const double taken = std::min(1.0, point.friction * push / (inertia * length));
      move_row(rows, row, -taken * across);
      point.force -= (taken * inertia) * across;
    }
  }
}

double ClothContacts::outer_work() const {
  double sum = 0;
  for (const Point& point : points_) sum += point.force.dot(point.limit.drift);
  return sum;
}

Vec3 ClothContacts::found_impulse() const {
  Vec3 sum = Vec3::Zero();
  for (const Point& point : points_) sum += seconds_ * point.force;
  return sum;
}

void ClothContacts::add_impulses(const Vec3& given, std::span<Vec3> impulses) const {
  double sum = 0;
  for (const Point& point : points_) sum += point.force.norm();
  if (!(sum > 0)) return;
  const Vec3 lacking = (given - found_impulse()) / sum;
  for (std::size_t i = 0; i < points_.size(); ++i)
    impulses[i] += seconds_ * points_[i].force + points_[i].force.norm() * lacking;
}

}  // namespace pliant
