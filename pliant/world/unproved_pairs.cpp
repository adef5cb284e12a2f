#include "pliant/world/unproved_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/core/error.h"
#include "pliant/detect/detector.h"
#include "pliant/detect/regions.h"
#include "pliant/detect/registry.h"
#include "pliant/detect/sphere_tree/sphere_tree_detector.h"
#include "pliant/response/kept_out.h"
#include "pliant/response/pair_response.h"
#include "pliant/response/step.h"
#include "pliant/world/contained_bodies.h"
#include "pliant/world/step_search.h"

namespace pliant {
namespace {

class RuleFilter : public ContactFilter {
 public:
  RuleFilter(PairTable pairs, std::uint8_t rule, const ContactFilter* inner)
      : pairs_(std::move(pairs)), rule_(rule), inner_(inner) {}
  bool bodies(BodyId a, BodyId b) const override { return pairs_(a, b) == rule_; }
  bool features(const Feature& a, const Feature& b) const override { return !inner_ || inner_->features(a, b); }
  bool filters_features() const override { return inner_ && inner_->filters_features(); }

 private:
  PairTable pairs_;
  std::uint8_t rule_;
  const ContactFilter* inner_;
};

std::unique_ptr<Detector> detector_of(const std::string& method, const UnprovedSettings& settings,
                                      std::span<const MeshPtr> meshes) {
  DetectorSettings own;
  own.threads = settings.threads;
  if (const auto chosen = settings.method_settings.find(method); chosen != settings.method_settings.end())
    own.method = chosen->second;
  auto detector = make_detector(method, own);
  for (const MeshPtr& mesh : meshes) detector->add_body(mesh);
  return detector;
}

}  // namespace

void require_fits(const PairRule& rule) {
  require_valid(rule.response);
  if (rule.response.kind == ResponseKind::proof) return require_continuous_method(rule.method);
  if (rule.method == "auto" || !method_info(rule.method).still)
    throw Error("the response " + std::string(to_string(rule.response.kind)) + " looks at instants, the method " +
                    rule.method + " at motion only",
                "choose a method that answers at instants: bvh");
}

// One rule: its detector on the pairs that the table gives it.
class UnprovedPairs::Search {
 public:
  Search(std::uint8_t number, const PairRule& rule, const UnprovedSettings& settings, std::span<const MeshPtr> meshes)
      : search_seconds_(settings.search_seconds),
        number_(number),
        response_(make_response(rule.response)),
        detector_(detector_of(rule.method, settings, meshes)),
        filter_(settings.filter),
        inside_(meshes),
        kept_out_(meshes) {
    if (response_->follows_paths()) paths_ = detector_of("swept-bvh", settings, meshes);
    for (const MeshPtr& mesh : meshes) edge_.push_back(mean_edge_at_rest(*mesh));
  }

  const Response& response() const { return *response_; }

  void set_pairs(const PairTable& pairs) {
    if (pairs == pairs_) return;
    pairs_ = pairs;
    const auto filter = std::make_shared<const RuleFilter>(pairs, number_, filter_.get());
    detector_->set_filter(filter);
    if (paths_) paths_->set_filter(filter);
  }

  Report find(const Step& step, const FlatStep& flat, const std::vector<Vec3>& x, const Budget& budget) {
    for (const StepBody& body : step.bodies)
      detector_->set_positions(body.id, std::span(x).subspan(flat.first[body.id.index()], body.x_t1.size()));
    if (!search_seconds_) return detector_->detect({0, 0}, budget);
    Report found = detector_->detect({0, 0}, budget & Budget::within_seconds(*search_seconds_));
    // What its own time left open is answered by regions; only the time of the whole step makes it incomplete.
    found.complete = found.complete || !(budget.past_deadline() || budget.cancelled());
    return found;
  }

  // What was left as pairs of regions, of different bodies, with the vertices next to them.
  std::vector<RegionOverlap> overlaps(const Report& found) const {
    std::vector<RegionOverlap> result;
    for (const UnresolvedPair& pair : found.cut) {
      RegionOverlap overlap{possible_contact(pair, 0), {}, {}, pair.sphere_a.radius + pair.sphere_b.radius};
      if (pair.a.body == pair.b.body || !(overlap.contact.depth > 0)) continue;
      overlap.a = next_to(overlap.contact.a);
      overlap.b = next_to(overlap.contact.b);
      result.push_back(std::move(overlap));
    }
    return result;
  }

  // Whether something goes half an edge or more: what goes less leaves edges behind that pierce what it passed.
  bool goes_far(const Step& step, const FlatStep& flat) const {
    double farthest_sq = 0, shortest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < flat.size(); ++i)
      farthest_sq = std::max(farthest_sq, (flat.x_t1[i] - flat.x_t0[i]).squaredNorm());
    for (const StepBody& body : step.bodies)
      if (!flat.is_obstacle[body.id.index()]) shortest = std::min(shortest, edge_[body.id.index()]);
    return farthest_sq > 0.25 * shortest * shortest;
  }

  // Since x_t1 was `before`: in edges, of what bends.
  double farthest_move(const FlatStep& flat, const std::vector<Vec3>& before) const {
    double farthest_sq = 0;
    for (std::uint32_t i = 0; i < flat.size(); ++i) {
      const double edge = edge_[flat.body[i]];
      if (edge > 0 && !flat.moves_as_one(i))
        farthest_sq = std::max(farthest_sq, (flat.x_t1[i] - before[i]).squaredNorm() / (edge * edge));
    }
    return std::sqrt(farthest_sq);
  }

  Report find_on_the_way(const Step& step, const FlatStep& flat, const Budget& budget) {
    for (const StepBody& body : step.bodies)
      paths_->set_step(body.id, flat.part(flat.x_t0, body.id), flat.part(flat.x_t1, body.id));
    return paths_->detect({0, 1}, budget);
  }

  // Adds the bodies that lie inside others.
  void add_contained(const Step& step, const FlatStep& flat, Report& found) const {
    inside_.add(
        step, flat, [this](BodyId a, BodyId b) { return wants(a, b); }, found);
  }

  // Takes particles out of obstacles: those of contacts with obstacles, and what was moved since x_t1 was `before`.
  void move_out(const Step& step, FlatStep& flat, const std::vector<Vec3>& before, std::span<const Contact> contacts,
                std::vector<Impact>& impacts) {
    std::vector<bool> listed(flat.size(), false);
    for (std::size_t i = 0; i < flat.size(); ++i) listed[i] = flat.x_t1[i] != before[i];
    for (const Contact& contact : contacts) {
      if (contact.kind() != ContactKind::triangle_triangle) continue;
      const bool a_gives = !flat.is_obstacle[contact.a.body.index()],
                 b_gives = !flat.is_obstacle[contact.b.body.index()];
      if (a_gives == b_gives) continue;
      const Feature& face = a_gives ? contact.a : contact.b;
      for (const VertexId v : step.bodies[face.body.index()].mesh->triangle(FaceId(face.id)))
        listed[flat.slot(face.body, v)] = true;
    }
    std::vector<std::uint32_t> slots;
    for (std::uint32_t i = 0; i < flat.size(); ++i)
      if (listed[i]) slots.push_back(i);
    // What lies inside as a whole is on its way out, all of it the same way.
    const auto is_contained = [&](BodyId body, BodyId obstacle) {
      return std::any_of(contacts.begin(), contacts.end(), [&](const Contact& c) {
        return c.kind() == ContactKind::vertex_face && c.a.body == body && c.b.body == obstacle;
      });
    };
    const auto wanted = [&](BodyId a, BodyId b) { return wants(a, b) && !is_contained(a, b); };
    kept_out_.move_out(step, flat, slots, wanted, impacts);
  }

 private:
  bool wants(BodyId a, BodyId b) const { return pairs_(a, b) == number_; }

  std::vector<VertexId> next_to(const Feature& region) const {
    if (const auto* spheres = dynamic_cast<const SphereTreeDetector*>(detector_.get()))
      return spheres->near_vertices(region.body, region.id);
    const Region found = detector_->region(region.body, region.id);
    std::vector<VertexId> vertices;
    for (const FaceId face : found.faces)
      for (const VertexId v : detector_->body(region.body).mesh->triangle(face)) vertices.push_back(v);
    const Frame frame = detector_->body(region.body).motion.frame(0);
    const auto nearer = [&](VertexId v, VertexId w) {
      const double dv = (frame.positions()[v.index()] - found.centre).squaredNorm();
      const double dw = (frame.positions()[w.index()] - found.centre).squaredNorm();
      return dv != dw ? dv < dw : v < w;
    };
    std::sort(vertices.begin(), vertices.end(), nearer);
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    constexpr std::size_t kFew = 4;
    vertices.resize(std::min(vertices.size(), kFew));
    return vertices;
  }

  std::optional<double> search_seconds_;
  std::uint8_t number_;
  std::unique_ptr<Response> response_;
  std::unique_ptr<Detector> detector_;
  std::unique_ptr<Detector> paths_;  // where the ways of particles are looked at
  std::shared_ptr<const ContactFilter> filter_;
  PairTable pairs_;
  ContainedBodies inside_;
  KeptOut kept_out_;
  std::vector<double> edge_;  // mean, by body
};

bool UnprovedPairs::once_per_step() const {
  return std::all_of(searches_.begin(), searches_.end(),
                     [](const auto& search) { return search->response().once_per_step(); });
}

UnprovedPairs::UnprovedPairs(std::span<const PairRule> rules, const UnprovedSettings& settings,
                             std::span<const MeshPtr> meshes) {
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (rules[i].response.kind != ResponseKind::proof)
      searches_.push_back(std::make_unique<Search>(static_cast<std::uint8_t>(i), rules[i], settings, meshes));
}
UnprovedPairs::~UnprovedPairs() = default;

void UnprovedPairs::set_pairs(const PairTable& pairs) {
  for (const auto& search : searches_) search->set_pairs(pairs);
}

bool UnprovedPairs::add_forces(const Step& step, const FlatStep& flat, std::span<Vec3> forces,
                               std::vector<Impact>& impacts, const Budget& budget) {
  for (const auto& search : searches_) {
    if (!search->response().adds_forces()) continue;
    const Report found = search->find(step, flat, flat.x_t0, budget);
    if (!found.complete) return false;
    search->response().add_forces(step, flat, found.contacts, forces, impacts);
    if (!found.cut.empty()) search->response().add_region_forces(step, flat, search->overlaps(found), forces, impacts);
  }
  return true;
}

bool UnprovedPairs::move_ends(const Step& step, FlatStep& flat, std::vector<Impact>& impacts, const Budget& budget) {
  farthest_move_ = 0;
  for (const auto& search : searches_) {
    const Response& response = search->response();
    if (!response.moves_ends()) continue;
    if (response.follows_paths() && search->goes_far(step, flat)) {
      const Report found = search->find_on_the_way(step, flat, budget);
      if (!found.complete) return false;
      const std::vector<Vec3> before = flat.x_t1;
      response.move_paths(step, flat, found.contacts, impacts);
      farthest_move_ = std::max(farthest_move_, search->farthest_move(flat, before));
    }
    for (int pass = 0; pass < response.passes(); ++pass) {
      Report found = search->find(step, flat, flat.x_t1, budget);
      if (!found.complete) return false;
      if (response.looks_inside()) search->add_contained(step, flat, found);
      if (found.contacts.empty()) break;
      const std::vector<Vec3> before = flat.x_t1;
      response.move_ends(step, flat, found.contacts, impacts);
      search->move_out(step, flat, before, found.contacts, impacts);
      farthest_move_ = std::max(farthest_move_, search->farthest_move(flat, before));
    }
  }
  return true;
}

}  // namespace pliant
