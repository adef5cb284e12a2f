#include "pliant/response/contact_constraints.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "pliant/detect/feature_vertices.h"
#include "pliant/geometry/distance.h"
#include "pliant/response/rigid_moves.h"
#include "pliant/response/touch_direction.h"

namespace pliant {
namespace {

// Two constraints of the same vertices with normals nearer than this (cosine) and weights nearer than that say the
// same.
constexpr double kSameDirection = 0.98;
constexpr double kSameWeight = 0.05;
// Of the separation: by how much planes of an obstacle may differ that say the same; and by how much an edge or face
// may come nearer to one than its corners are allowed to.
constexpr double kSamePlane = 0.25;
constexpr double kImplied = 0.5;
// Of the separation: what one step regains at most. Faster, and bodies hop.
constexpr double kFastestRecovery = 0.02;
// A weight below this is none.
constexpr double kLeastWeight = 1e-9;
// Of a target: what the prediction of a body may leave open. To push more than is needed strains what is pushed.
constexpr double kLeftOpen = 0.5;
// In steps that are no longer than this, s, what moves apart does not come back.
constexpr double kFrozenSeconds = 1.01 / 480;
// Of the separation: what is nearer than this meets.
constexpr double kMeeting = 1e-3;
// Of the separation: what lacks less is left as it is.
constexpr double kEnough = 1e-3;
// Of the separation: what rounding leaves open of a contact that acted within a prediction is not pushed after it. (It
// would move vertices in their last bits, and a body would have to look at all of its springs again.)
constexpr double kNothing = 1e-9;
// What moves as one hands pushes on at once, through whole stacks: it gets so many times the sweeps, there and back,
// and what may lack is little beside what its weight does in a short step.
constexpr int kRigidSweeps = 10;
constexpr double kRigidEnough = 1e-6;

// The four vertices of a contact: v f0 f1 f2, or a0 a1 b0 b1. Contacts of continuous methods are of these two kinds.
std::array<std::uint32_t, 6> slots_of(const Contact& contact, const Step& step, const FlatStep& flat) {
  std::array<std::uint32_t, 6> slots{};
  std::size_t count = 0;
  for (const Feature& f : {contact.a, contact.b})
    for (const VertexId v : vertices_of(f, *step.bodies[f.body.index()].mesh)) slots[count++] = flat.slot(f.body, v);
  return slots;
}

std::array<double, 6> signed_weights(const ClosestPoints& near, bool is_face) {
  if (is_face) return {1, -near.weights_b[0], -near.weights_b[1], -near.weights_b[2]};
  return {near.weights_a[0], near.weights_a[1], -near.weights_b[0], -near.weights_b[1]};
}

inline Vec3 sum_of(const ContactConstraint& c, const std::vector<Vec3>& x) {
  Vec3 sum = c.weight[0] * x[c.slot[0]];
  for (std::uint32_t i = 1; i < c.count; ++i) sum += c.weight[i] * x[c.slot[i]];
  return sum;
}
inline Vec3 gap_at_end(const ContactConstraint& c, const FlatStep& flat) { return sum_of(c, flat.x_t1) + c.other; }
inline Vec3 gap_at_start(const ContactConstraint& c, const FlatStep& flat) { return sum_of(c, flat.x_t0) + c.other_t0; }
inline Vec3 velocity_of(const ContactConstraint& c, const FlatStep& flat) {
  return sum_of(c, flat.v_t1) + (c.other - c.other_t0) / c.seconds;
}

// x += sum over the vertices of w / m * impulse.
inline void apply(const ContactConstraint& c, const Vec3& impulse, std::vector<Vec3>& x) {
  for (std::uint32_t i = 0; i < c.count; ++i) x[c.slot[i]] += c.weight_over_mass[i] * impulse;
}

Vec3 across(const Vec3& v, const Vec3& normal) { return v - normal.dot(v) * normal; }

Vec3 limited(const Vec3& v, double length) {
  const double norm_sq = v.squaredNorm();
  return norm_sq > length * length ? Vec3(v * (length / std::sqrt(norm_sq))) : v;
}

// Raises `push` until the gap has its value; it never pulls. Returns by how much.
double push_apart(const ContactConstraint& c, double lacking, double& push) {
  const double before = push;
  push = std::max(0.0, push + lacking / c.mobility);
  return push - before;
}

// Of one side (1: a, -1: b): the vertex that has almost all of its weight; -1: none has.
std::int32_t main_slot(const ContactConstraint& c, double side) {
  for (std::uint32_t i = 0; i < c.count; ++i)
    if (side * c.weight[i] > 1 - kSameWeight) return static_cast<std::int32_t>(c.slot[i]);
  return -1;
}

// The same for the same vertices, in any order.
std::size_t hash_of_places(const ContactConstraint& c) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < c.count; ++i) {
    std::uint64_t mixed = (c.slot[i] + 1) * 0x9e3779b97f4a7c15ULL;
    mixed ^= mixed >> 29;
    sum += mixed * 0xbf58476d1ce4e5b9ULL;
  }
  return static_cast<std::size_t>(sum ^ (sum >> 32));
}

double weight_at(const ContactConstraint& c, std::uint32_t slot) {
  for (std::uint32_t i = 0; i < c.count; ++i)
    if (c.slot[i] == slot) return c.weight[i];
  return 0;
}

bool say_the_same(const ContactConstraint& one, const ContactConstraint& other, double length) {
  if (one.count != other.count || other.normal.dot(one.normal) <= kSameDirection) return false;
  // Of faces of an obstacle in almost one plane.
  if (std::abs(one.normal.dot(one.other - other.other)) >= length) return false;
  if (std::abs(one.normal.dot(one.other_t0 - other.other_t0)) >= length) return false;
  for (std::uint32_t i = 0; i < one.count; ++i)
    if (std::abs(weight_at(other, one.slot[i]) - one.weight[i]) >= kSameWeight) return false;
  return true;
}

}  // namespace

// What either surface lets be touched.
Vec3 ContactConstraints::allowed(const Contact& contact, const FlatStep& flat, const Weights& wa, const Weights& wb,
                                 const Vec3& normal) const {
  const auto side = [&](const Feature& feature, const Weights& weights) {
    const BodyId body = feature.body;
    return TouchedSide{
        {*step_.bodies[body.index()].mesh, flat.part(flat.x_t0, body), flat.part(flat.x_t1, body), contact.time},
        feature,
        weights};
  };
  return agreed_direction(side(contact.a, wa), side(contact.b, wb), normal, flat.is_obstacle[contact.a.body.index()]);
}

// What comes near is still apart then: the direction between the two is well defined, on either side of a sheet. What
// meets has no distance; its contact knows the side that it came from.
ContactConstraints::Met ContactConstraints::meet(const Contact& contact, const FlatStep& flat) const {
  Met met{.contact = &contact, .slots = slots_of(contact, step_, flat)};
  std::array<Vec3, 4> x;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3& start = flat.x_t0[met.slots[i]];
    x[i] = contact.time > 0 ? Vec3(start + contact.time * (flat.x_t1[met.slots[i]] - start)) : start;
  }
  const bool is_face = contact.kind() == ContactKind::vertex_face;
  const ClosestPoints near = nearest_points(x, is_face);
  met.weights = signed_weights(near, is_face);
  // What is behind the surface has a depth; the way between the two is not the way out.
  met.is_apart = near.distance > kMeeting * settings_.separation && !(contact.depth > 0);
  met.normal = met.is_apart ? Vec3((near.a - near.b) / near.distance) : contact.normal;
  for (std::size_t i = 0; i < 4; ++i) {
    if (std::abs(met.weights[i]) < kLeastWeight || flat.is_obstacle[flat.body[met.slots[i]]]) continue;
    ++met.count;
    met.is_rigid = met.is_rigid || flat.moves_as_one(met.slots[i]);
  }
  return met;
}

// Points, weights and the direction between them; false: nothing could be pushed.
bool ContactConstraints::begin(Made& made, const FlatStep& flat) const {
  const Met& met = made.met;
  ContactConstraint& c = made.constraint;
  c.normal = met.normal;
  if (!c.normal.allFinite() || c.normal == Vec3::Zero()) return false;
  c.other = c.other_t0 = met.offset;
  for (std::size_t i = 0; i < met.slots.size(); ++i) {
    const std::uint32_t slot = met.slots[i];
    if (std::abs(met.weights[i]) < kLeastWeight) continue;
    if (flat.is_obstacle[flat.body[slot]]) {
      c.other_t0 += met.weights[i] * flat.x_t0[slot];
      c.other += met.weights[i] * flat.x_t1[slot];
      continue;
    }
    c.slot[c.count] = slot;
    c.weight[c.count] = met.weights[i];
    if (flat.moves_as_one(slot)) c.is_rigid = true;
    else c.weight_over_mass[c.count] = met.weights[i] * flat.inverse_mass[slot];
    c.mobility += met.weights[i] * c.weight_over_mass[c.count++];
  }
  return c.mobility > 0 || c.is_rigid;
}

// The direction that surfaces allow, and all that depends on it; false: they allow none.
bool ContactConstraints::finish(Made& made, const FlatStep& flat) const {
  const Contact& contact = *made.met.contact;
  ContactConstraint& c = made.constraint;
  const bool is_face = contact.kind() == ContactKind::vertex_face;
  const std::array<double, 6>& w = made.met.weights;
  const Vec3 normal = allowed(contact, flat, is_face ? Weights{1, 0, 0} : Weights{w[0], w[1], 0},
                              is_face ? Weights{-w[1], -w[2], -w[3]} : Weights{-w[2], -w[3], 0}, c.normal);
  if (normal == Vec3::Zero() && made.met.is_apart) return false;
  if (normal != Vec3::Zero()) c.normal = normal;  // else it does meet there
  set_course(made, flat);
  return true;
}

void ContactConstraints::set_course(Made& made, const FlatStep& flat) const {
  const Contact& contact = *made.met.contact;
  ContactConstraint& c = made.constraint;
  Course& course = made.course;
  const Surface surface =
      between(step_.bodies[contact.a.body.index()].surface, step_.bodies[contact.b.body.index()].surface);
  c.friction = surface.friction;
  course.restitution = surface.restitution;
  course.other_t0 = c.other_t0;
  course.other_t1 = c.other;
  // What comes from the side is below the plane of a face that it is not above yet: it is held from its time on.
  const double gap = c.normal.dot(sum_of(c, flat.x_t0) + course.other_t0);
  course.from = contact.time > 0 && gap < settings_.separation ? contact.time : 0;
  begin_at(course, contact.depth > 0 ? gap : std::max(0.0, gap));
  c.target = course.end;
  c.seconds = step_.seconds;
}

// What is nearer then comes back evenly over the step, a part of the way: a jump would be energy from nothing, and
// without it stacks lean more and more.
void ContactConstraints::begin_at(Course& course, double gap) const {
  const double d = settings_.separation;
  course.start = std::min(d, gap);
  course.end = course.start + std::min(settings_.recovery * (d - course.start), kFastestRecovery * d);
}

// Whether there is one between two bodies at the same vertex already, with the same direction and gap: where vertices
// lie on one another, each of them comes near all faces and edges around the other.
bool ContactConstraints::is_beside(const ContactConstraint& one, const FlatStep& flat) const {
  const double gap = one.normal.dot(gap_at_start(one, flat));
  for (const double side : {1.0, -1.0}) {
    const std::int32_t slot = main_slot(one, side);
    if (slot < 0) continue;
    for (std::int32_t k = last_at_[static_cast<std::size_t>(slot)]; k >= 0;) {
      const AtVertex& known = at_vertices_[static_cast<std::size_t>(k)];
      const ContactConstraint& other = constraints_[known.constraint];
      if (one.normal.dot(other.normal) > kSameDirection && main_slot(other, side) == slot &&
          std::abs(gap - other.normal.dot(gap_at_start(other, flat))) < kSamePlane * settings_.separation)
        return true;
      k = known.before;
    }
  }
  return false;
}

void ContactConstraints::note_vertices(std::size_t index) {
  const ContactConstraint& c = constraints_[index];
  for (const double side : {1.0, -1.0}) {
    const std::int32_t slot = main_slot(c, side);
    if (slot < 0) continue;
    std::int32_t& last = last_at_[static_cast<std::size_t>(slot)];
    at_vertices_.push_back({static_cast<std::uint32_t>(index), last});
    last = static_cast<std::int32_t>(at_vertices_.size()) - 1;
  }
}

bool ContactConstraints::is_known(const ContactConstraint& one, std::size_t bucket) const {
  for (std::int32_t k = bucket_[bucket]; k >= 0; k = before_[static_cast<std::size_t>(k)])
    if (say_the_same(constraints_[static_cast<std::size_t>(k)], one, kSamePlane * settings_.separation)) return true;
  return false;
}

// Whether corners that lie beside an obstacle keep the edge or face between them from it, too.
bool ContactConstraints::is_implied(const ContactConstraint& one) const {
  if (one.count < 2 || one.is_rigid) return false;
  Vec3 planes = one.other, planes_t0 = one.other_t0;
  for (std::uint32_t i = 0; i < one.count; ++i) {
    ContactConstraint corner;
    corner.count = 1;
    corner.slot[0] = one.slot[i];
    const ContactConstraint* held = nullptr;
    double side = 1;  // -1: the obstacle is a of the one and b of the other
    std::int32_t k = bucket_[hash_of_places(corner) & (bucket_.size() - 1)];
    for (; k >= 0 && !held; k = before_[static_cast<std::size_t>(k)]) {
      const ContactConstraint& known = constraints_[static_cast<std::size_t>(k)];
      if (known.count != 1 || known.slot[0] != one.slot[i]) continue;
      side = known.weight[0] * one.weight[i] > 0 ? 1 : -1;
      if (side * known.normal.dot(one.normal) > kSameDirection) held = &known;
    }
    if (!held) return false;
    planes -= side * std::abs(one.weight[i]) * held->other;
    planes_t0 -= side * std::abs(one.weight[i]) * held->other_t0;
  }
  const double nearer = -kImplied * settings_.separation;
  return one.normal.dot(planes) > nearer && one.normal.dot(planes_t0) > nearer;
}

void ContactConstraints::begin_buckets(std::size_t more, const FlatStep& flat) {
  bucket_.assign(std::bit_ceil(2 * (constraints_.size() + more) + 1), -1);
  if (last_at_.empty()) last_at_.assign(flat.size(), -1);
  for (std::size_t k = 0; k < constraints_.size(); ++k) enter(k);
}

void ContactConstraints::enter(std::size_t index) {
  std::int32_t& last = bucket_[hash_of_places(constraints_[index]) & (bucket_.size() - 1)];
  before_[index] = std::exchange(last, static_cast<std::int32_t>(index));
}

bool ContactConstraints::is_there(const ContactConstraint& one) const {
  return is_known(one, hash_of_places(one) & (bucket_.size() - 1));
}

void ContactConstraints::keep(const Made& made) {
  if (is_there(made.constraint)) return;
  constraints_.push_back(made.constraint);
  courses_.push_back(made.course);
  contacts_.push_back(*made.met.contact);
  before_.push_back(-1);
  enter(constraints_.size() - 1);
}

void ContactConstraints::add_carried(std::span<const CarriedContact> contacts, const FlatStep& flat) {
  begin_buckets(contacts.size(), flat);
  for (const CarriedContact& one : contacts) {
    Made made{.met = {.contact = &one.contact,
                      .slots = one.slot,
                      .weights = one.weight,
                      .normal = one.contact.normal,
                      .offset = one.offset}};
    if (!begin(made, flat)) continue;
    set_course(made, flat);
    keep(made);
  }
}

void ContactConstraints::add(std::span<const Contact> contacts, const FlatStep& flat) {
  begin_buckets(contacts.size(), flat);
  // Single vertices first: most edges and faces between them need nothing more. (What met does, whatever it is.) To ask
  // the surfaces for a direction costs more than all the rest: what says nothing new as it is is not asked for.
  std::vector<Met> others;
  for (const Contact& contact : contacts) {
    Made made{.met = meet(contact, flat)};
    if (made.met.count > 1 && !made.met.is_rigid) {
      others.push_back(made.met);
      continue;
    }
    if (!begin(made, flat) || (contact.time == 0 && !made.met.is_rigid && is_there(made.constraint))) continue;
    if (finish(made, flat)) keep(made);
  }
  const auto is_between = [&](const Contact& c) {
    return c.a.body != c.b.body && !flat.is_obstacle[c.a.body.index()] && !flat.is_obstacle[c.b.body.index()];
  };
  const auto keep_other = [&](const Met& met) {
    const bool later = met.contact->time > 0, between = is_between(*met.contact);
    Made made{.met = met};
    if (!begin(made, flat) || (!later && is_implied(made.constraint)) || !finish(made, flat)) return;
    if (!later && (is_implied(made.constraint) || (between && is_beside(made.constraint, flat)))) return;
    const std::size_t before = constraints_.size();
    keep(made);
    if (constraints_.size() > before && between) note_vertices(before);
  };
  // Edges on edges of two bodies are often beside vertices on faces, and come after them.
  std::vector<const Met*> later;
  for (const Met& met : others)
    if (is_between(*met.contact) && met.contact->kind() != ContactKind::vertex_face) later.push_back(&met);
    else keep_other(met);
  for (const Met* met : later) keep_other(*met);
}

std::vector<std::uint32_t> ContactConstraints::all() const {
  std::vector<std::uint32_t> all(constraints_.size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

void ContactConstraints::begin_short_step(Indices which, const FlatStep& flat, double from, double to) {
  for (const std::uint32_t k : which) {
    ContactConstraint& c = constraints_[k];
    const Course& course = courses_[k];
    c.other_t0 = course.other_t0 + from * (course.other_t1 - course.other_t0);
    c.other = course.other_t0 + to * (course.other_t1 - course.other_t0);
    c.seconds = (to - from) * step_.seconds;
    c.target = course.start + to * (course.end - course.start);
    c.wait = std::max(0.0, course.from - from) * step_.seconds;
    if (to <= course.from) c.target = -std::numeric_limits<double>::infinity();
    else if (from < course.from && c.seconds <= kFrozenSeconds) c.target = target_from_now(c, courses_[k], flat);
    c.push = 0;
    c.drag = Vec3::Zero();
    c.held = c.stops = false;
    c.left = 0;
  }
  note_approach(which, flat);
}

// Of a contact whose time has come. One that is on the other side by now is not the one that was foreseen.
double ContactConstraints::target_from_now(const ContactConstraint& c, Course& course, const FlatStep& flat) const {
  const double gap = c.normal.dot(gap_at_start(c, flat));
  if (gap < 0) course.from = 1;
  else begin_at(course, gap);
  return gap < 0 ? -std::numeric_limits<double>::infinity() : course.start;
}

void ContactConstraints::note_approach(Indices which, const FlatStep& flat) {
  for (const std::uint32_t k : which) {
    ContactConstraint& c = constraints_[k];
    const double restitution = courses_[k].restitution;
    const double approach = restitution > 0 ? -c.normal.dot(velocity_of(c, flat)) : 0;
    c.speed = approach > settings_.rest_speed ? restitution * approach : 0;
  }
}

void ContactConstraints::begin_again(Indices which) {
  for (const std::uint32_t k : which) {
    constraints_[k].impulse = constraints_[k].force = Vec3::Zero();
    if (courses_[k].from > 0) courses_[k].from = contacts_[k].time;
  }
}

BodyId ContactConstraints::held_by(std::size_t index, const FlatStep& flat) const {
  const Contact& contact = contacts_[index];
  if (contact.a.body == contact.b.body) return {};
  const ContactConstraint& c = constraints_[index];
  bool a_gives_way = false, b_gives_way = false;
  for (std::uint32_t i = 0; i < c.count; ++i) {
    if (flat.inverse_mass[c.slot[i]] == 0) continue;
    (flat.body_at(c.slot[i]) == contact.a.body ? a_gives_way : b_gives_way) = true;
  }
  if (a_gives_way && b_gives_way) return {};
  return a_gives_way ? contact.a.body : contact.b.body;
}

std::optional<SurfaceConstraint> ContactConstraints::half_space(std::size_t index, BodyId body,
                                                                const FlatStep& flat) const {
  const ContactConstraint& c = constraints_[index];
  if (std::isinf(c.target)) return std::nullopt;
  if (contacts_[index].a.body == contacts_[index].b.body) return distance_kept(index, flat);
  const double side = contacts_[index].a.body == body ? 1 : -1;
  SurfaceConstraint half;
  half.normal = side * c.normal;
  half.friction = c.friction;
  if (c.seconds > kFrozenSeconds) half.from = c.wait, half.keep = settings_.separation;
  Vec3 own = Vec3::Zero(), other = -side * c.other, other_t0 = -side * c.other_t0;
  std::size_t count = 0;
  double sum = 0;
  for (std::uint32_t i = 0; i < c.count; ++i) {
    const std::uint32_t at = c.slot[i];
    const double weight = side * c.weight[i];
    if (flat.body_at(at) == body) {
      half.vertices[count] = VertexId(at - flat.first[body.index()]);
      half.weights[count++] = weight;
      sum += weight;
      own += weight * (flat.x_t0[at] + c.seconds * flat.v_t1[at]);
    } else {
      other -= weight * (flat.x_t0[at] + c.seconds * flat.v_t1[at]);
      other_t0 -= weight * flat.x_t0[at];
    }
  }
  for (double& weight : half.weights) weight /= sum;
  half.offset = c.target + half.normal.dot(other);
  half.velocity = (other - other_t0) / c.seconds;
  const bool is_short = c.seconds <= kFrozenSeconds;
  if (is_short && half.normal.dot(own) > half.offset + settings_.separation) return std::nullopt;
  return half;
}

// Of a body with itself.
SurfaceConstraint ContactConstraints::distance_kept(std::size_t index, const FlatStep& flat) const {
  const ContactConstraint& c = constraints_[index];
  SurfaceConstraint two;
  two.normal = c.normal;
  two.friction = c.friction;
  two.offset = c.target;
  if (c.seconds > kFrozenSeconds) two.from = c.wait, two.keep = settings_.separation;
  for (std::uint32_t i = 0; i < c.count; ++i) {
    two.vertices[i] = VertexId(c.slot[i] - flat.first[contacts_[index].a.body.index()]);
    two.weights[i] = c.weight[i];
  }
  return two;
}

void ContactConstraints::leave(std::size_t index) {
  ContactConstraint& c = constraints_[index];
  if (c.seconds <= kFrozenSeconds) return;
  c.left = c.wait > 0 ? std::numeric_limits<double>::infinity() : kLeftOpen * std::max(0.0, c.target);
}

void ContactConstraints::hold(std::size_t index, BodyId body, const Vec3& impulse) {
  ContactConstraint& c = constraints_[index];
  c.impulse += contacts_[index].a.body == body ? impulse : Vec3(-impulse);
  c.held = true;
}

bool ContactConstraints::may_touch(std::size_t index, const FlatStep& flat) const {
  const ContactConstraint& c = constraints_[index];
  const double gap = c.normal.dot(gap_at_start(c, flat) + c.seconds * velocity_of(c, flat));
  return gap < c.target + settings_.separation;
}

void ContactConstraints::hold_jointly(std::size_t index, const Vec3& force) {
  ContactConstraint& c = constraints_[index];
  c.force = force;
  c.impulse += c.seconds * force;
  c.held = force != Vec3::Zero();
}

// One that has not much more than its target, or had to be pushed before. Most contacts that come near in a step are
// not so at any one time, and sweeps are what all this costs.
std::vector<ContactConstraint*> ContactConstraints::active(Indices which, const FlatStep& flat) {
  std::vector<ContactConstraint*> result;
  for (const std::uint32_t k : which) {
    ContactConstraint& c = constraints_[k];
    if (c.push > 0 || c.normal.dot(gap_at_end(c, flat)) < c.target + settings_.separation) result.push_back(&c);
  }
  return result;
}

void ContactConstraints::solve_positions(Indices which, FlatStep& flat, int sweeps) {
  const std::vector<ContactConstraint*> constraints = active(which, flat);
  RigidMoves moves(constraints, flat);
  const double enough = (moves.empty() ? kEnough : kRigidEnough) * settings_.separation;
  if (!moves.empty()) sweeps *= kRigidSweeps;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double worst = 0;
    const bool back = !moves.empty() && sweep % 2 == 1;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      const std::size_t k = back ? constraints.size() - 1 - i : i;
      ContactConstraint& c = *constraints[k];
      const double lacking = c.target - c.left - c.normal.dot(gap_at_end(c, flat) + moves.of(k));
      if (lacking <= kNothing * settings_.separation && c.push == 0) continue;
      worst = std::max(worst, lacking);
      const Vec3 pushed = push_apart(c, lacking, c.push) * c.normal;
      apply(c, pushed, flat.x_t1);
      moves.push(k, pushed);
      if (c.friction == 0) continue;
      const Vec3 slip = across(gap_at_end(c, flat) + moves.of(k) - gap_at_start(c, flat), c.normal);
      const Vec3 drag = limited(c.drag - moves.against(k, slip), c.friction * c.push);
      if (c.is_rigid) worst = std::max(worst, std::sqrt((drag - c.drag).squaredNorm()) * c.mobility);
      apply(c, drag - c.drag, flat.x_t1);
      moves.push(k, drag - c.drag);
      c.drag = drag;
    }
    if (worst <= enough) break;
  }
  moves.move(flat);
}

void ContactConstraints::solve_velocities(Indices which, FlatStep& flat, int sweeps) {
  struct Impulse {
    ContactConstraint* of;
    double push = 0;
    Vec3 drag = Vec3::Zero();
  };
  std::vector<Impulse> impulses;
  for (const std::uint32_t k : which) {
    ContactConstraint& c = constraints_[k];
    if (c.push > 0 || (c.held && c.speed > 0) || c.stops) impulses.push_back({&c});
  }
  if (impulses.empty()) return;
  std::vector<ContactConstraint*> constraints;
  constraints.reserve(impulses.size());
  for (const Impulse& impulse : impulses) constraints.push_back(impulse.of);
  RigidMoves moves(constraints, flat);
  const double enough = (moves.empty() ? kEnough : kRigidEnough) * settings_.separation / impulses[0].of->seconds;
  if (!moves.empty()) sweeps *= kRigidSweeps;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double worst = 0;
    const bool back = !moves.empty() && sweep % 2 == 1;
    for (std::size_t i = 0; i < impulses.size(); ++i) {
      const std::size_t k = back ? impulses.size() - 1 - i : i;
      Impulse& impulse = impulses[k];
      const ContactConstraint& c = *impulse.of;
      const double lacking = c.speed - c.normal.dot(velocity_of(c, flat) + moves.of(k));
      const double pushed = push_apart(c, lacking, impulse.push);
      worst = std::max(worst, std::abs(pushed) * c.mobility);
      apply(c, pushed * c.normal, flat.v_t1);
      moves.push(k, pushed * c.normal);
      if (c.friction == 0) continue;
      const Vec3 slip = across(velocity_of(c, flat) + moves.of(k), c.normal);
      const Vec3 drag = limited(impulse.drag - moves.against(k, slip), c.friction * impulse.push);
      if (c.is_rigid) worst = std::max(worst, std::sqrt((drag - impulse.drag).squaredNorm()) * c.mobility);
      apply(c, drag - impulse.drag, flat.v_t1);
      moves.push(k, drag - impulse.drag);
      impulse.drag = drag;
    }
    if (worst <= enough) break;
  }
  moves.speed_up(flat);
  for (const Impulse& impulse : impulses) impulse.of->impulse += impulse.push * impulse.of->normal + impulse.drag;
}

std::vector<Impact> ContactConstraints::impacts() const {
  std::vector<Impact> impacts;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    if (constraints_[i].impulse == Vec3::Zero()) continue;
    impacts.push_back({contacts_[i], constraints_[i].impulse});
    impacts.back().contact.normal = constraints_[i].normal;
  }
  return impacts;
}

}  // namespace pliant
