#include "pliant/response/pierced_particles.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "pliant/geometry/line_passes.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// Faces that are nearly parallel make no corner.
constexpr double kCornerSine = 0.05;

// An edge of one body that pierces a face of another, or of its own.
struct Pierce {
  std::uint32_t from = 0, to = 0;  // slots, from < to
  BodyId body;                     // of the edge
  PiercedSurface surface;          // the normal as the face turns
  const Contact* contact = nullptr;

  friend bool operator<(const Pierce& x, const Pierce& y) {
    return std::tie(x.from, x.to, x.surface.body, x.surface.face) <
           std::tie(y.from, y.to, y.surface.body, y.surface.face);
  }
  friend bool operator==(const Pierce& x, const Pierce& y) { return !(x < y) && !(y < x); }
};

// Barycentric, of a point in the plane of a triangle.
Weights weights_at(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const double area_sq = n.squaredNorm();
  if (!(area_sq > 0)) return {1, 0, 0};
  const double wb = n.dot((p - a).cross(c - a)) / area_sq;
  const double wc = n.dot((b - a).cross(p - a)) / area_sq;
  return {1 - wb - wc, wb, wc};
}

class Finder {
 public:
  Finder(const Step& step, const FlatStep& flat) : step_(step), flat_(flat), closed_(step.bodies.size(), kUnknown) {}

  PiercedParticles run(std::span<const Contact> contacts) {
    for (const Contact& contact : contacts)
      if (contact.kind() == ContactKind::triangle_triangle && contact.relation == Relation::crossing) pierce(contact);
    std::sort(pierces_.begin(), pierces_.end());
    pierces_.erase(std::unique(pierces_.begin(), pierces_.end()), pierces_.end());
    for (std::size_t begin = 0; begin < pierces_.size();) begin = judge_edge(begin);
    spread();
    PiercedParticles found;
    for (auto& [key, particle] : particles_) add_or_join(particle, found.particles);
    for (const Contact& contact : contacts) {
      if (contact.kind() != ContactKind::triangle_triangle || contact.relation != Relation::crossing) continue;
      if (!has_particle(contact.a, contact.b.body) && !has_particle(contact.b, contact.a.body))
        found.others.push_back(&contact);
    }
    return found;
  }

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;  // slot, body that it is behind
  enum Closed : std::uint8_t { kUnknown, kOpen, kClosed };

  std::array<std::uint32_t, 3> slots_of(const Feature& face) const {
    const Triangle& t = step_.bodies[face.body.index()].mesh->triangle(FaceId(face.id));
    return {flat_.slot(face.body, t[0]), flat_.slot(face.body, t[1]), flat_.slot(face.body, t[2])};
  }
  const Vec3& at(std::uint32_t slot) const { return flat_.x_t1[slot]; }

  void pierce(const Contact& contact) {
    const auto a = slots_of(contact.a), b = slots_of(contact.b);
    const Triangle3 ta(at(a[0]), at(a[1]), at(a[2])), tb(at(b[0]), at(b[1]), at(b[2]));
    SharedVertices shared;
    for (std::uint8_t i = 0; i < 3; ++i)
      for (std::uint8_t j = 0; j < 3; ++j)
        if (a[i] == b[j] && shared.count < 3) shared.pairs[shared.count++] = {i, j};
    const EdgeHits hits = shared.count > 0 ? edge_hits_of_neighbours(ta, tb, shared) : edge_hits(ta, tb);
    for (const EdgeHit& hit : hits)
      if (hit.contact.relation == Relation::crossing)
        add(contact, hit, hit.of_a ? contact.a : contact.b, hit.of_a ? contact.b : contact.a);
  }

  void add(const Contact& contact, const EdgeHit& hit, const Feature& edge_face, const Feature& face) {
    const auto edge = slots_of(edge_face);
    const auto p = edge[static_cast<std::size_t>(hit.edge)];
    const auto q = edge[static_cast<std::size_t>(Triangle3::next(hit.edge))];
    Pierce one;
    one.from = std::min(p, q);
    one.to = std::max(p, q);
    one.body = edge_face.body;
    one.contact = &contact;
    one.surface.body = face.body;
    one.surface.face = FaceId(face.id);
    one.surface.slot = slots_of(face);
    const Vec3 &a = at(one.surface.slot[0]), &b = at(one.surface.slot[1]), &c = at(one.surface.slot[2]);
    // The same bits whichever of the edge's faces met it.
    const Segment3 segment(at(one.from), at(one.to));
    one.surface.point = segment_triangle_contact(segment, Triangle3(a, b, c)).first;
    one.surface.weights = weights_at(one.surface.point, a, b, c);
    one.surface.normal = (b - a).cross(c - a).normalized();
    pierces_.push_back(one);
  }

  bool is_closed(BodyId body) {
    Closed& known = closed_[body.index()];
    if (known == kUnknown)
      known = step_.bodies[body.index()].mesh->topology().boundary_edge_count() == 0 ? kClosed : kOpen;
    return known == kClosed;
  }

  // All crossings of one edge with one body, from pierces_[begin] on; returns where they end.
  std::size_t judge_edge(std::size_t begin) {
    const Pierce& first = pierces_[begin];
    std::size_t end = begin + 1;
    while (end < pierces_.size() && pierces_[end].from == first.from && pierces_[end].to == first.to &&
           pierces_[end].surface.body == first.surface.body)
      ++end;
    pierced_.insert({first.from, first.to, first.surface.body.value});
    const bool closed = first.body != first.surface.body && is_closed(first.surface.body);
    if (closed && (end - begin) % 2 == 1) judge_closed(begin, end);
    if (!closed && end - begin == 1) judge_open(first);
    return end;
  }

  void judge_closed(std::size_t begin, std::size_t end) {
    for (const std::uint32_t slot : {pierces_[begin].from, pierces_[begin].to}) {
      const Pierce* nearest = &pierces_[begin];
      for (std::size_t i = begin; i < end; ++i)
        if ((pierces_[i].surface.point - at(slot)).squaredNorm() < (nearest->surface.point - at(slot)).squaredNorm())
          nearest = &pierces_[i];
      const bool inside = height(at(slot), nearest->surface) < 0;
      if (inside) offer(slot, nearest->surface);
      else outside_.insert({slot, nearest->surface.body.value});
    }
  }

  double height(const Vec3& p, const PiercedSurface& surface) const {
    return surface.normal.dot(p - at(surface.slot[0]));
  }
  double height_t0(std::uint32_t slot, const PiercedSurface& surface) const {
    const Vec3 &a = flat_.x_t0[surface.slot[0]], &b = flat_.x_t0[surface.slot[1]], &c = flat_.x_t0[surface.slot[2]];
    return (b - a).cross(c - a).dot(flat_.x_t0[slot] - a);
  }

  // The end that changed sides; if neither or both did, the nearer.
  void judge_open(const Pierce& pierce) {
    const double from = height(at(pierce.from), pierce.surface), to = height(at(pierce.to), pierce.surface);
    const bool from_changed = from * height_t0(pierce.from, pierce.surface) < 0;
    const bool to_changed = to * height_t0(pierce.to, pierce.surface) < 0;
    const bool is_from = from_changed != to_changed ? from_changed : std::abs(from) <= std::abs(to);
    PiercedSurface surface = pierce.surface;
    if ((is_from ? from : to) > 0) surface.normal = -surface.normal;
    offer(is_from ? pierce.from : pierce.to, surface);
  }

  static double distance_sq(const Vec3& p, const PiercedSurface& s) { return (s.point - p).squaredNorm(); }

  // Keeps the nearest, and the nearest that makes a corner with it.
  void offer(std::uint32_t slot, const PiercedSurface& surface) {
    const Vec3& p = at(slot);
    const auto [found, is_new] = particles_.try_emplace(Key{slot, surface.body.value});
    PiercedParticle& particle = found->second;
    particle.slot = slot;
    particle.behind = surface.body;
    if (is_new) {
      particle.first = surface;
      return;
    }
    PiercedSurface other = surface;
    const auto order = [&](const PiercedSurface& x, const PiercedSurface& y) {
      return std::pair(distance_sq(p, x), x.face) < std::pair(distance_sq(p, y), y.face);
    };
    if (order(other, particle.first)) std::swap(other, particle.first);
    const auto corner = [&](const PiercedSurface& s) {
      return s.normal.cross(particle.first.normal).norm() > kCornerSine;
    };
    if (particle.second && !corner(*particle.second)) particle.second.reset();
    if (corner(other) && (!particle.second || order(other, *particle.second))) particle.second = other;
  }

  // Along edges that do not pierce, ring by ring: the result does not depend on any order.
  void spread() {
    std::map<Key, PiercedParticle> all = particles_, ring = particles_;
    std::erase_if(ring, [&](const auto& entry) { return !spreads(entry.first); });
    std::set<Key> wrong;  // body pairs in which an end that is outside was reached: a touch was misread
    while (!ring.empty()) {
      std::map<Key, PiercedParticle> next;
      for (const auto& [key, particle] : ring) {
        const BodyId body = flat_.body_at(key.first);
        const MeshTopology& topology = step_.bodies[body.index()].mesh->topology();
        const std::uint32_t base = flat_.first[body.index()];
        for (const EdgeId e : topology.edges_of_vertex(VertexId(key.first - base))) {
          const Edge& edge = topology.edge(e);
          const std::uint32_t u = base + edge[0].value, v = base + edge[1].value;
          const std::uint32_t to = u == key.first ? v : u;
          const Key reached{to, key.second};
          if (pierced_.contains({std::min(u, v), std::max(u, v), key.second}) || all.contains(reached)) continue;
          if (outside_.contains(reached)) wrong.insert({body.value, key.second});
          inherit(next[reached], to, particle);
        }
      }
      all.insert(next.begin(), next.end());
      ring = std::move(next);
    }
    for (auto& [key, particle] : all)
      if (!wrong.contains({flat_.body[key.first], key.second})) particles_.insert({key, particle});
  }

  bool spreads(const Key& key) {
    const BodyId behind(key.second);
    return flat_.body_at(key.first) != behind && is_closed(behind);
  }

  void inherit(PiercedParticle& heir, std::uint32_t slot, const PiercedParticle& from) const {
    const bool is_new = !heir.behind.valid();
    const double own = is_new ? 0 : distance_sq(at(slot), heir.first), other = distance_sq(at(slot), from.first);
    if (!is_new && std::pair(own, heir.first.face) <= std::pair(other, from.first.face)) return;
    heir = {slot, from.behind, from.first, std::nullopt};
  }

  // What is behind two bodies is in the corner between them.
  void add_or_join(const PiercedParticle& particle, std::vector<PiercedParticle>& found) const {
    if (found.empty() || found.back().slot != particle.slot) return found.push_back(particle);
    PiercedParticle& known = found.back();
    const Vec3& p = at(particle.slot);
    const bool is_nearer = distance_sq(p, particle.first) < distance_sq(p, known.first);
    const PiercedSurface farther = is_nearer ? known.first : particle.first;
    if (is_nearer) known.first = particle.first;
    known.second.reset();
    if (farther.normal.cross(known.first.normal).norm() > kCornerSine) known.second = farther;
  }

  bool has_particle(const Feature& face, BodyId behind) const {
    for (const std::uint32_t slot : slots_of(face))
      if (particles_.contains({slot, behind.value})) return true;
    return false;
  }

  const Step& step_;
  const FlatStep& flat_;
  std::vector<Closed> closed_;
  std::vector<Pierce> pierces_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> pierced_;  // edge and body
  std::set<Key> outside_;
  std::map<Key, PiercedParticle> particles_;
};

}  // namespace

PiercedParticles find_pierced(const Step& step, const FlatStep& flat, std::span<const Contact> contacts) {
  return Finder(step, flat).run(contacts);
}

}  // namespace pliant
