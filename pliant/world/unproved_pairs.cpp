#include "pliant/world/unproved_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/core/error.h"
#include "pliant/detect/detector.h"
#include "pliant/detect/registry.h"
#include "pliant/response/foreseen_contacts.h"
#include "pliant/response/kept_out.h"
#include "pliant/response/pair_response.h"
#include "pliant/response/step.h"
#include "pliant/world/contained_bodies.h"
#include "pliant/world/region_sides.h"
#include "pliant/world/step_search.h"

namespace pliant {
namespace {

// Dense surfaces are not looked at with themselves: where the coarse ones bend, what hangs on them folds a little.
class RuleFilter : public ContactFilter {
 public:
  RuleFilter(PairTable pairs, std::uint8_t rule, const ContactFilter* inner, std::vector<bool> is_dense,
             bool with_themselves)
      : pairs_(std::move(pairs)),
        rule_(rule),
        inner_(inner),
        is_dense_(std::move(is_dense)),
        with_themselves_(with_themselves) {}
  bool bodies(BodyId a, BodyId b) const override {
    return pairs_(a, b) == rule_ && (a != b || (with_themselves_ && !is_dense_[a.index()]));
  }
  // Features of dense surfaces are not those that the world's filter knows.
  bool features(const Feature& a, const Feature& b) const override {
    return !inner_ || is_dense_[a.body.index()] || is_dense_[b.body.index()] || inner_->features(a, b);
  }
  bool filters_features() const override { return inner_ && inner_->filters_features(); }

 private:
  PairTable pairs_;
  std::uint8_t rule_;
  const ContactFilter* inner_;
  std::vector<bool> is_dense_;  // by body
  bool with_themselves_;
};

std::unique_ptr<Detector> detector_of(const std::string& method, const UnprovedSettings& settings,
                                      std::span<const MeshPtr> meshes) {
  DetectorSettings own;
  own.mode = settings.mode;
  own.threads = settings.threads;
  if (const auto chosen = settings.method_settings.find(method); chosen != settings.method_settings.end())
    own.method = chosen->second;
  auto detector = make_detector(method, own);
  for (const MeshPtr& mesh : meshes) detector->add_body(mesh);
  return detector;
}

// s, of springs at most. What comes nearer at v is found up to v / 300 deep; a spring of a quarter swing of 2 ms then
// throws it back at v or less, critically damped: nothing is gained. Bodies at 5 m/s are 1.7 cm deep at worst.
constexpr double kSearchEvery = 1.0 / 300;

// Of an edge: what is left deeper than this is answered again, so often at most.
constexpr double kDeep = 0.02;
constexpr int kMostPasses = 8;

std::vector<CarriedContact> carried_by(const DenseStep& dense, std::span<const Contact> contacts, const FlatStep& flat,
                                       double separation) {
  std::vector<CarriedContact> carried;
  for (const Contact& contact : contacts)
    if (const std::optional<CarriedContact> one = dense.carried(contact, separation)) carried.push_back(*one);
  return gathered(carried, flat);
}

ResponseSettings response_of(const PairRule& rule, Mode mode) {
  ResponseSettings response = rule.response;
  if (mode == Mode::paper) response.penalty.averaged = true;
  return response;
}

}  // namespace

std::vector<MeshPtr> UnprovedSurfaces::seen() const {
  std::vector<MeshPtr> seen = meshes;
  for (std::size_t b = 0; b < dense.size(); ++b)
    if (dense[b]) seen[b] = dense[b].mesh;
  return seen;
}

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
  Search(std::uint8_t number, const PairRule& rule, const UnprovedSettings& settings, const UnprovedSurfaces& surfaces)
      : search_seconds_(settings.search_seconds),
        number_(number),
        response_(make_response(response_of(rule, settings.mode))),
        filter_(settings.filter),
        dense_(surfaces.dense),
        inside_(surfaces.seen()),
        kept_out_(surfaces.meshes) {
    const std::vector<MeshPtr> looked_at = surfaces.seen();
    dense_.resize(looked_at.size());
    detector_ = detector_of(rule.method, settings, looked_at);
    sides_.emplace(*detector_, response_->takes_spheres());
    UnprovedSettings safe = settings;
    safe.mode = Mode::safe;
    if (response_->follows_paths()) paths_ = detector_of("swept-bvh", safe, looked_at);
    if (response_->foresees()) foresight_ = detector_of(rule.method, safe, looked_at);
    for (const MeshPtr& mesh : surfaces.meshes) edge_.push_back(mean_edge_at_rest(*mesh));
  }

  const Response& response() const { return *response_; }
  bool looks_at_dense() const {
    return std::any_of(dense_.begin(), dense_.end(), [](const DenseSurface& one) { return static_cast<bool>(one); });
  }

  std::unique_ptr<ContactForces> forces;  // of what was found last

  void set_pairs(const PairTable& pairs) {
    if (pairs == pairs_) return;
    pairs_ = pairs;
    std::vector<bool> is_dense;
    for (const DenseSurface& dense : dense_) is_dense.push_back(static_cast<bool>(dense));
    const auto filter_for = [&](bool with_themselves) {
      return std::make_shared<const RuleFilter>(pairs, number_, filter_.get(), is_dense, with_themselves);
    };
    detector_->set_filter(filter_for(true));
    if (paths_) paths_->set_filter(filter_for(true));
    if (foresight_) foresight_->set_filter(filter_for(false));
  }

  Report find(const Step& step, const FlatStep& flat, const std::vector<Vec3>& x, const Budget& budget) {
    // To put bodies where they are takes of its time too.
    const Budget own = search_seconds_ ? budget & Budget::within_seconds(*search_seconds_) : budget;
    for (const StepBody& body : step.bodies) place(body.id, flat.part(x, body.id));
    Report found = detector_->detect({0, 0}, own);
    if (!search_seconds_) return found;
    // What its own time left open is answered by regions; only the time of the whole step makes it incomplete.
    found.complete = found.complete || !(budget.past_deadline() || budget.cancelled());
    return found;
  }

  // What was left as pairs of regions. Valid until the next call.
  std::vector<RegionOverlap> regions(const Report& found, const Step& step, const FlatStep& flat) {
    return sides_->overlaps(found, step, flat);
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

  // Features are those of the step as it is given.
  Report foresee(const Step& step, double margin, const Budget& budget) {
    const Foresight foresight(step, margin);
    for (const StepBody& body : step.bodies)
      foresight_->set_positions(body.id, foresight.swollen().part(foresight.swollen().x_t1, body.id));
    Report found = foresight_->detect({0, 0}, budget);
    if (found.complete) found.contacts = foresight.contacts(found.contacts);
    return found;
  }

  // Whether triangles are left in each other by more than a little of an edge.
  bool is_deep(std::span<const Contact> contacts) const {
    return std::any_of(contacts.begin(), contacts.end(), [this](const Contact& c) {
      return c.depth > kDeep * std::min(edge_[c.a.body.index()], edge_[c.b.body.index()]);
    });
  }

  Report find_on_the_way(const Step& step, const FlatStep& flat, const Budget& budget) {
    for (const StepBody& body : step.bodies)
      paths_->set_step(body.id, flat.part(flat.x_t0, body.id), flat.part(flat.x_t1, body.id));
    return paths_->detect({0, 1}, budget);
  }

  // Whether a body can lie inside another: their boxes overlap.
  bool may_contain(const Step& step, const FlatStep& flat) const {
    std::vector<Aabb> boxes;
    for (const StepBody& body : step.bodies) boxes.push_back(Aabb::of_points(flat.part(flat.x_t1, body.id)));
    for (std::size_t a = 0; a < boxes.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (boxes[a].overlaps(boxes[b]) && wants(BodyId(a), BodyId(b))) return true;
    return false;
  }

  // Adds the bodies that lie inside others.
  void add_contained(const Step& step, const FlatStep& flat, Report& found) {
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

  // A dense surface by what it hangs on: its own vertices are put where a method asks for them.
  void place(BodyId body, std::span<const Vec3> x) {
    const DenseSurface& dense = dense_[body.index()];
    if (!dense) return detector_->set_positions(body, x);
    detector_->set_motion(body, Motion::embedded(Motion::at_rest(Frame::own({x.begin(), x.end()})), dense.links));
  }

  std::optional<double> search_seconds_;
  std::uint8_t number_;
  std::unique_ptr<Response> response_;
  std::unique_ptr<Detector> detector_;
  std::optional<RegionSides> sides_;
  std::unique_ptr<Detector> paths_;      // where the ways of particles are looked at
  std::unique_ptr<Detector> foresight_;  // where contacts act within steps
  std::shared_ptr<const ContactFilter> filter_;
  PairTable pairs_;
  std::vector<DenseSurface> dense_;  // by body
  ContainedBodies inside_;
  KeptOut kept_out_;
  std::vector<double> edge_;  // mean, by body
};

bool UnprovedPairs::once_per_step() const {
  return std::all_of(searches_.begin(), searches_.end(),
                     [](const auto& search) { return search->response().once_per_step(); });
}

bool UnprovedPairs::adds_forces() const {
  return std::any_of(searches_.begin(), searches_.end(),
                     [](const auto& search) { return search->response().adds_forces(); });
}

bool UnprovedPairs::foresees() const {
  return std::all_of(searches_.begin(), searches_.end(),
                     [](const auto& search) { return search->response().foresees(); });
}

bool UnprovedPairs::foresees_dense() const {
  return foresees() && !once_per_step() &&
         std::any_of(searches_.begin(), searches_.end(), [](const auto& search) { return search->looks_at_dense(); });
}

Report UnprovedPairs::foresee(const Step& step, double margin, const Budget& budget,
                              std::vector<CarriedContact>& carried) {
  Report all;
  all.complete = true;
  for (const auto& search : searches_) {
    if (!search->response().foresees()) continue;
    const Stopwatch watch(budget);
    Report found;
    if (search->looks_at_dense()) {
      const FlatStep flat(step);
      const DenseStep dense(step, flat);
      found = search->foresee(dense.step(), margin, budget);
      const std::vector<CarriedContact> kept = carried_by(dense, found.contacts, flat, separation_);
      carried.insert(carried.end(), kept.begin(), kept.end());
      found.contacts.clear();
    } else {
      found = search->foresee(step, margin, budget);
    }
    note(found, watch);
    all.complete = all.complete && found.complete;
    all.contacts.insert(all.contacts.end(), found.contacts.begin(), found.contacts.end());
  }
  return all;
}

UnprovedPairs::UnprovedPairs(std::span<const PairRule> rules, const UnprovedSettings& settings,
                             const UnprovedSurfaces& surfaces)
    : separation_(settings.separation) {
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (rules[i].response.kind != ResponseKind::proof)
      searches_.push_back(std::make_unique<Search>(static_cast<std::uint8_t>(i), rules[i], settings, surfaces));
}
UnprovedPairs::~UnprovedPairs() = default;

void UnprovedPairs::set_pairs(const PairTable& pairs) {
  for (const auto& search : searches_) search->set_pairs(pairs);
}

void UnprovedPairs::begin_step() {
  since_search_ = kSearchEvery;
  for (const auto& search : searches_) search->forces.reset();
}

void UnprovedPairs::end_step(std::vector<Impact>& impacts) {
  for (const auto& search : searches_)
    if (search->forces) search->forces->add_impacts(impacts);
}

void UnprovedPairs::note(const Report& found, const Stopwatch& watch) {
  ++work_.searches;
  work_.seconds += watch.seconds();
  work_.counters.merge(found.counters);
}

bool UnprovedPairs::add_forces(const Step& step, const FlatStep& flat, std::span<Vec3> forces,
                               std::vector<Impact>& impacts, const Budget& budget) {
  const bool is_due = since_search_ + flat.seconds > kSearchEvery * (1 + 1e-9);
  since_search_ = is_due ? flat.seconds : since_search_ + flat.seconds;
  for (const auto& search : searches_) {
    if (!search->response().adds_forces()) continue;
    if (is_due) {
      if (search->forces) search->forces->add_impacts(impacts);
      const Stopwatch watch(budget);
      const Report found = search->find(step, flat, flat.x_t0, budget);
      note(found, watch);
      if (!found.complete) return false;
      const SecondsInto respond(work_.respond_seconds);
      search->forces = search->response().forces(step, flat, {found.contacts, search->regions(found, step, flat)});
    }
    search->forces->add(flat, forces);
  }
  return true;
}

bool UnprovedPairs::move_ends(const Step& step, FlatStep& flat, std::vector<Impact>& impacts, const Budget& budget) {
  farthest_move_ = 0;
  unforeseen_.clear();
  for (const auto& search : searches_) {
    const Response& response = search->response();
    if (!response.moves_ends()) continue;
    if (response.follows_paths() && search->goes_far(step, flat) && !move_paths(*search, step, flat, impacts, budget))
      return false;
    const bool is_complete = search->looks_at_dense() ? move_dense_ends(*search, step, flat, impacts, budget)
                                                      : move_ends(*search, step, flat, impacts, budget);
    if (!is_complete) return false;
  }
  return true;
}

bool UnprovedPairs::move_paths(Search& search, const Step& step, FlatStep& flat, std::vector<Impact>& impacts,
                               const Budget& budget) {
  const Stopwatch watch(budget);
  const std::vector<Vec3> before = flat.x_t1;
  std::optional<DenseStep> dense;
  if (search.looks_at_dense()) dense.emplace(step, flat);
  const Report found =
      dense ? search.find_on_the_way(dense->step(), dense->flat(), budget) : search.find_on_the_way(step, flat, budget);
  note(found, watch);
  if (!found.complete) return false;
  if (dense) search.response().move_dense_paths(*dense, flat, found.contacts, impacts);
  else search.response().move_paths(step, flat, found.contacts, impacts);
  farthest_move_ = std::max(farthest_move_, search.farthest_move(flat, before));
  return true;
}

bool UnprovedPairs::move_ends(Search& search, const Step& step, FlatStep& flat, std::vector<Impact>& impacts,
                              const Budget& budget) {
  const Response& response = search.response();
  bool is_deep = false;
  for (int pass = 0; pass < response.passes() || (is_deep && pass < kMostPasses); ++pass) {
    const Stopwatch watch(budget);
    Report found = search.find(step, flat, flat.x_t1, budget);
    note(found, watch);
    if (!found.complete) return false;
    if (response.looks_inside()) search.add_contained(step, flat, found);
    if (found.contacts.empty()) break;
    is_deep = search.is_deep(found.contacts);
    if (pass >= response.passes() && !is_deep) break;
    const std::vector<Vec3> before = flat.x_t1;
    response.move_ends(step, flat, found.contacts, impacts);
    search.move_out(step, flat, before, found.contacts, impacts);
    farthest_move_ = std::max(farthest_move_, search.farthest_move(flat, before));
  }
  return true;
}

bool UnprovedPairs::move_dense_ends(Search& search, const Step& step, FlatStep& flat, std::vector<Impact>& impacts,
                                    const Budget& budget) {
  const Response& response = search.response();
  bool is_deep = false;
  for (int pass = 0; pass < response.passes() || (is_deep && pass < kMostPasses); ++pass) {
    const Stopwatch watch(budget);
    Report found = search.find(step, flat, flat.x_t1, budget);
    note(found, watch);
    if (!found.complete) return false;
    std::optional<DenseStep> dense;
    const bool looks_inside = response.looks_inside() && search.may_contain(step, flat);
    if (!found.contacts.empty() || looks_inside) dense.emplace(step, flat);
    if (looks_inside) search.add_contained(dense->step(), dense->flat(), found);
    if (found.contacts.empty()) break;
    is_deep = search.is_deep(found.contacts);
    if (pass >= response.passes() && !is_deep) break;
    const std::vector<Vec3> before = flat.x_t1;
    const std::size_t first = impacts.size();
    response.move_dense_ends(*dense, flat, found.contacts, impacts);
    if (pass == 0) note_unforeseen(*dense, flat, std::span(impacts).subspan(first));
    farthest_move_ = std::max(farthest_move_, search.farthest_move(flat, before));
  }
  return true;
}

void UnprovedPairs::note_unforeseen(const DenseStep& dense, const FlatStep& flat, std::span<const Impact> impacts) {
  const FlatStep& seen = dense.flat();
  std::vector<Contact> deep;
  for (const Impact& impact : impacts) {
    if (impact.contact.kind() != ContactKind::vertex_face) continue;
    const Contact at_end = timed(impact.contact, dense.step(), seen, {seen.x_t1, seen.x_t1, separation_});
    if (at_end.depth > kUnforeseen * separation_)
      deep.push_back(timed(impact.contact, dense.step(), seen, {seen.x_t0, seen.x_t1, separation_}));
  }
  const std::vector<CarriedContact> kept = carried_by(dense, deep, flat, separation_);
  unforeseen_.insert(unforeseen_.end(), kept.begin(), kept.end());
}

}  // namespace pliant
