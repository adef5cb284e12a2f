#include "pliant/response/pierced_particles.h"

#include <algorithm>
#include <tuple>

#include "pliant/geometry/line_passes.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// Of an edge: crossings that are nearer to each other are one, of several faces.
constexpr double kSamePoint = 1e-9;
// Triangles that cross are parted only if that moves them out of each other's surfaces, not along them: this much of
// the way, at least, is along either normal.
constexpr double kOutwards = 0.1;
// Of a sheet and a closed body: this much, since it is parted along the body's normal instead.
constexpr double kAcross = 0.5;
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

// What is known of a slot and a body that it may be behind.
struct Judged {
  std::uint32_t slot = 0, body = 0;
  std::uint32_t next = 0;   // of the same slot
  std::uint32_t ring = 0;   // 0: told by its own edges; otherwise how far that spread to get here
  bool is_behind = false;   // `particle` says where
  bool is_outside = false;  // an edge of its own says so
  PiercedParticle particle;
};

// Few slots of all, and few bodies for each: lists in one row, found by slot.
class JudgedTable {
 public:
  explicit JudgedTable(std::size_t slots) : first_(slots, kNone) {}

  // Index in the row, or kNone.
  std::uint32_t find(std::uint32_t slot, std::uint32_t body) const {
    std::uint32_t at = first_[slot];
    while (at != kNone && row_[at].body != body) at = row_[at].next;
    return at;
  }
  std::uint32_t at(std::uint32_t slot, std::uint32_t body) {
    const std::uint32_t known = find(slot, body);
    if (known != kNone) return known;
    row_.push_back({.slot = slot, .body = body, .next = first_[slot]});
    return first_[slot] = static_cast<std::uint32_t>(row_.size() - 1);
  }
  Judged& operator[](std::uint32_t index) { return row_[index]; }
  const Judged& operator[](std::uint32_t index) const { return row_[index]; }

  // Indices of those behind something, by slot and body.
  std::vector<std::uint32_t> behind() const {
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < row_.size(); ++i)
      if (row_[i].is_behind) indices.push_back(i);
    sort(indices);
    return indices;
  }
  void sort(std::vector<std::uint32_t>& indices) const {
    std::sort(indices.begin(), indices.end(), [this](std::uint32_t x, std::uint32_t y) {
      return std::pair(row_[x].slot, row_[x].body) < std::pair(row_[y].slot, row_[y].body);
    });
  }

  static constexpr std::uint32_t kNone = ~0U;

 private:
  std::vector<std::uint32_t> first_;  // by slot
  std::vector<Judged> row_;
};

class Finder {
 public:
  Finder(const Step& step, const FlatStep& flat)
      : step_(step), flat_(flat), closed_(step.bodies.size(), kUnknown), judged_(flat.size()) {}

  PiercedParticles run(std::span<const Contact> contacts) {
    for (const Contact& contact : contacts)
      if (contact.kind() == ContactKind::triangle_triangle && contact.relation == Relation::crossing) pierce(contact);
    std::sort(pierces_.begin(), pierces_.end());
    pierces_.erase(std::unique(pierces_.begin(), pierces_.end()), pierces_.end());
    for (std::size_t begin = 0; begin < pierces_.size();) begin = judge_edge(begin);
    spread();
    PiercedParticles found;
    for (const std::uint32_t i : judged_.behind()) add_or_join(judged_[i].particle, found.particles);
    for (const Contact& contact : contacts) {
      if (contact.kind() != ContactKind::triangle_triangle || contact.relation != Relation::crossing) continue;
      if (!has_particle(contact.a, contact.b.body) && !has_particle(contact.b, contact.a.body) && leads_out(contact))
        add_other(contact, found.others);
    }
    std::erase_if(edges_, [this](const PiercedByEdge& edge) { return has_particle(edge); });
    found.edges = std::move(edges_);
    for (const Closed known : closed_) found.is_closed.push_back(known == kClosed);
    return found;
  }

 private:
  using PiercedEdge = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // slots of its ends, and the body
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
    pierced_.emplace_back(first.from, first.to, first.surface.body.value);
    const bool closed = first.body != first.surface.body && is_closed(first.surface.body);
    if (closed) judge_closed(begin, end);
    if (closed || end - begin > 1) return end;
    if (first.body != first.surface.body && is_closed(first.body)) judge_open_over_closed(first);
    else judge_open(first);
    return end;
  }

  // How often more it goes in than out, from `from` to `to`.
  int entries(std::size_t begin, std::size_t end) {
    const Vec3& from = at(pierces_[begin].from);
    const double same_sq = kSamePoint * kSamePoint * (at(pierces_[begin].to) - from).squaredNorm();
    int sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const PiercedSurface& one = pierces_[i].surface;
      const bool goes_in = height(from, one) > 0;
      // Through an edge of the surface, or a vertex, it meets several faces at once.
      const bool is_new = std::none_of(pierces_.begin() + static_cast<std::ptrdiff_t>(begin),
                                       pierces_.begin() + static_cast<std::ptrdiff_t>(i), [&](const Pierce& other) {
                                         return (height(from, other.surface) > 0) == goes_in &&
                                                (other.surface.point - one.point).squaredNorm() <= same_sq;
                                       });
      if (is_new) sum += goes_in ? 1 : -1;
    }
    return sum;
  }

  void judge_closed(std::size_t begin, std::size_t end) {
    const int sum = entries(begin, end);
    if (sum == 0) return judge_between(begin, end);
    const std::uint32_t inside = sum > 0 ? pierces_[begin].to : pierces_[begin].from;
    const std::uint32_t outside = sum > 0 ? pierces_[begin].from : pierces_[begin].to;
    judged_[judged_.at(outside, pierces_[begin].surface.body.value)].is_outside = true;
    const Pierce* nearest = nullptr;  // of the faces that it is behind
    for (std::size_t i = begin; i < end; ++i)
      if (height(at(inside), pierces_[i].surface) < 0 &&
          (!nearest || distance_sq(at(inside), pierces_[i].surface) < distance_sq(at(inside), nearest->surface)))
        nearest = &pierces_[i];
    if (nearest) offer(inside, nearest->surface);
  }

  // In and out again: under a ridge of the surface, or a ridge of its own body that is in it.
  void judge_between(std::size_t begin, std::size_t end) {
    const Vec3 &from = at(pierces_[begin].from), way = at(pierces_[begin].to) - from;
    const auto along = [&](const Pierce& x) { return std::pair(way.dot(x.surface.point - from), x.surface.face); };
    const auto [in, out] = std::minmax_element(pierces_.begin() + static_cast<std::ptrdiff_t>(begin),
                                               pierces_.begin() + static_cast<std::ptrdiff_t>(end),
                                               [&](const Pierce& x, const Pierce& y) { return along(x) < along(y); });
    const double first = along(*in).first, last = along(*out).first, whole = way.squaredNorm();
    // Out before in: both ends are inside.
    if (!(last - first > kSamePoint * whole) || !(height(from, in->surface) > 0)) return;
    edges_.push_back({in->from, in->to, 0.5 * (first + last) / whole, in->surface, out->surface});
  }
  // Particles there that are behind the edge's own body say enough.
  bool has_particle(const PiercedByEdge& edge) const {
    const std::uint32_t body = flat_.body[edge.from];
    const auto is_behind = [&](std::uint32_t slot) {
      const std::uint32_t at = judged_.find(slot, body);
      return at != JudgedTable::kNone && judged_[at].is_behind;
    };
    return std::any_of(edge.surface.slot.begin(), edge.surface.slot.end(), is_behind) ||
           std::any_of(edge.way_out.slot.begin(), edge.way_out.slot.end(), is_behind);
  }

  double height(const Vec3& p, const PiercedSurface& surface) const {
    return surface.normal.dot(p - at(surface.slot[0]));
  }
  double height_t0(std::uint32_t slot, const PiercedSurface& surface) const {
    const Vec3 &a = flat_.x_t0[surface.slot[0]], &b = flat_.x_t0[surface.slot[1]], &c = flat_.x_t0[surface.slot[2]];
    return (b - a).cross(c - a).dot(flat_.x_t0[slot] - a);
  }

  // Around a vertex, outwards; longer where faces are larger.
  Vec3 outward(std::uint32_t slot) const {
    const BodyId body = flat_.body_at(slot);
    const TriangleMesh& mesh = *step_.bodies[body.index()].mesh;
    const std::uint32_t base = flat_.first[body.index()];
    Vec3 sum = Vec3::Zero();
    for (const FaceId face : mesh.topology().faces_of_vertex(VertexId(slot - base))) {
      const Triangle& t = mesh.triangle(face);
      const Vec3& a = at(base + t[0].value);
      sum += (at(base + t[1].value) - a).cross(at(base + t[2].value) - a);
    }
    return sum;
  }

  // A sheet belongs outside of a closed body, whatever came before: of an edge of the body that pierces it, the end
  // that stands out.
  void judge_open_over_closed(const Pierce& pierce) {
    PiercedSurface surface = pierce.surface;
    const Vec3 out = (outward(pierce.from) + outward(pierce.to)).normalized();
    const double along = surface.normal.dot(out);
    if (std::abs(along) < kOutwards) return;  // what of the sheet is inside decides
    if (along > 0) surface.normal = -surface.normal;
    offer(height(at(pierce.from), surface) < 0 ? pierce.from : pierce.to, surface);
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
    Judged& judged = judged_[judged_.at(slot, surface.body.value)];
    PiercedParticle& particle = judged.particle;
    if (!judged.is_behind) {
      judged.is_behind = true;
      particle = {slot, surface.body, surface, std::nullopt};
      return;
    }
    PiercedSurface other = surface;
    const auto order = [&](const PiercedSurface& x, const PiercedSurface& y) {
      return std::pair(distance_sq(p, x), x.face) < std::pair(distance_sq(p, y), y.face);
    };
    if (order(other, particle.first)) std::swap(other, particle.first);
    const auto corner = [&](const PiercedSurface& s) { return makes_corner(s, particle.first); };
    if (particle.second && !corner(*particle.second)) particle.second.reset();
    if (corner(other) && (!particle.second || order(other, *particle.second))) particle.second = other;
  }

  // Along edges that do not pierce, ring by ring: the result does not depend on any order.
  void spread() {
    std::vector<std::uint32_t> ring = judged_.behind(), next, reached;
    std::erase_if(ring, [&](std::uint32_t i) { return !spreads(judged_[i]); });
    std::vector<std::pair<std::uint32_t, std::uint32_t>> wrong;  // body pairs in which a touch was misread
    for (std::uint32_t number = 1; !ring.empty(); ++number) {
      next.clear();
      for (const std::uint32_t i : ring) spread_from(i, number, next, wrong);
      judged_.sort(next);
      reached.insert(reached.end(), next.begin(), next.end());
      ring.swap(next);
    }
    for (const std::uint32_t i : reached) {
      const std::pair bodies(flat_.body[judged_[i].slot], judged_[i].body);
      if (std::find(wrong.begin(), wrong.end(), bodies) != wrong.end()) judged_[i].is_behind = false;
    }
  }

  void spread_from(std::uint32_t index, std::uint32_t ring, std::vector<std::uint32_t>& next,
                   std::vector<std::pair<std::uint32_t, std::uint32_t>>& wrong) {
    const std::uint32_t slot = judged_[index].slot, behind = judged_[index].body;
    const BodyId body = flat_.body_at(slot);
    const MeshTopology& topology = step_.bodies[body.index()].mesh->topology();
    const std::uint32_t base = flat_.first[body.index()];
    for (const EdgeId e : topology.edges_of_vertex(VertexId(slot - base))) {
      const Edge& edge = topology.edge(e);
      const std::uint32_t u = base + edge[0].value, v = base + edge[1].value, to = u == slot ? v : u;
      const PiercedEdge through(std::min(u, v), std::max(u, v), behind);
      if (std::binary_search(pierced_.begin(), pierced_.end(), through)) continue;
      const std::uint32_t heir = judged_.at(to, behind);
      if (judged_[heir].is_behind && judged_[heir].ring < ring) continue;
      // An end that is outside for sure.
      if (judged_[heir].is_outside) wrong.emplace_back(body.value, behind);
      inherit(judged_[heir], to, judged_[index].particle);
      if (judged_[heir].ring == ring) continue;
      judged_[heir].ring = ring;
      next.push_back(heir);
    }
  }

  bool spreads(const Judged& judged) {
    const BodyId behind(judged.body);
    return flat_.body_at(judged.slot) != behind && is_closed(behind);
  }

  void inherit(Judged& heir, std::uint32_t slot, const PiercedParticle& from) const {
    if (heir.is_behind) {
      const PiercedSurface& own = heir.particle.first;
      const double own_sq = distance_sq(at(slot), own), from_sq = distance_sq(at(slot), from.first);
      if (std::pair(own_sq, own.face) <= std::pair(from_sq, from.first.face)) return;
    }
    heir.is_behind = true;
    heir.particle = {slot, from.behind, from.first, std::nullopt};
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
    if (makes_corner(farther, known.first)) known.second = farther;
  }

  // Next to a face of a finely or irregularly meshed surface the shortest way is past its border, onto the next face.
  bool leads_out(const Contact& contact) {
    const double along_a = contact.normal.dot(normal_of(contact.a)), along_b = contact.normal.dot(normal_of(contact.b));
    const auto is_oriented = [&](BodyId body) { return contact.a.body != contact.b.body && is_closed(body); };
    return (is_oriented(contact.a.body) ? -along_a : std::abs(along_a)) >= kOutwards &&
           (is_oriented(contact.b.body) ? along_b : std::abs(along_b)) >= kOutwards;
  }
  void add_other(const Contact& contact, std::vector<Contact>& others) {
    others.push_back(contact);
    const bool a_closed = is_closed(contact.a.body), b_closed = is_closed(contact.b.body);
    if (contact.a.body == contact.b.body || a_closed == b_closed) return;
    Contact& other = others.back();
    other.normal = a_closed ? Vec3(-normal_of(contact.a)) : normal_of(contact.b);
    const double along = other.normal.dot(contact.normal);
    if (along < kAcross) others.pop_back();
    else other.depth /= along;
  }

  Vec3 normal_of(const Feature& face) const {
    const auto slots = slots_of(face);
    return (at(slots[1]) - at(slots[0])).cross(at(slots[2]) - at(slots[0])).normalized();
  }

  bool has_particle(const Feature& face, BodyId behind) const {
    for (const std::uint32_t slot : slots_of(face))
      if (const auto at = judged_.find(slot, behind.value); at != JudgedTable::kNone && judged_[at].is_behind)
        return true;
    return false;
  }

  const Step& step_;
  const FlatStep& flat_;
  std::vector<Closed> closed_;
  std::vector<Pierce> pierces_;
  std::vector<PiercedEdge> pierced_;  // sorted
  std::vector<PiercedByEdge> edges_;
  JudgedTable judged_;
};

}  // namespace

PiercedParticles find_pierced(const Step& step, const FlatStep& flat, std::span<const Contact> contacts) {
  return Finder(step, flat).run(contacts);
}

}  // namespace pliant
