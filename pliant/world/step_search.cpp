#include "pliant/world/step_search.h"

#include <algorithm>
#include <array>

#include "pliant/core/error.h"
#include "pliant/core/stopwatch.h"
#include "pliant/detect/registry.h"
#include "pliant/geometry/distance.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// Searches of each method for each goal before the choice; the first of each builds its trees and does not count.
constexpr std::size_t kTrials = 4;

// A pair in which neither body moves cannot come to meet.
class StepFilter : public ContactFilter {
 public:
  StepFilter(PairTable pairs, std::vector<bool> moves, std::uint8_t method, const ContactFilter* inner)
      : pairs_(std::move(pairs)), moves_(std::move(moves)), method_(method), inner_(inner) {}
  bool is_of(const PairTable& pairs, const std::vector<bool>& moves) const {
    return pairs_ == pairs && moves_ == moves;
  }
  bool bodies(BodyId a, BodyId b) const override {
    return (moves_[a.index()] || moves_[b.index()]) && pairs_(a, b) == method_;
  }
  bool features(const Feature& a, const Feature& b) const override { return !inner_ || inner_->features(a, b); }
  bool filters_features() const override { return inner_ && inner_->filters_features(); }

 private:
  PairTable pairs_;
  std::vector<bool> moves_;
  std::uint8_t method_;
  const ContactFilter* inner_;
};

std::vector<bool> moving_bodies(const Step& step) {
  std::vector<bool> moves;
  for (const StepBody& body : step.bodies)
    moves.push_back(!std::equal(body.x_t1.begin(), body.x_t1.end(), body.x_t0.positions().begin()));
  return moves;
}

double distance_at_start(const Step& step, const Contact& contact) {
  const StepBody& a = step.bodies[contact.a.body.index()];
  const StepBody& b = step.bodies[contact.b.body.index()];
  const std::span<const Vec3> x_a = a.x_t0.positions(), x_b = b.x_t0.positions();
  if (contact.kind() == ContactKind::vertex_face) {
    const Triangle& t = b.mesh->triangle(FaceId(contact.b.id));
    return closest_points(x_a[contact.a.id], Triangle3{x_b[t[0].index()], x_b[t[1].index()], x_b[t[2].index()]})
        .distance;
  }
  const Edge& e = a.mesh->topology().edge(EdgeId(contact.a.id));
  const Edge& f = b.mesh->topology().edge(EdgeId(contact.b.id));
  return closest_points(Segment3{x_a[e[0].index()], x_a[e[1].index()]}, Segment3{x_b[f[0].index()], x_b[f[1].index()]})
      .distance;
}

}  // namespace

void require_continuous_method(const std::string& name) {
  if (name == "auto") return;
  if (!method_info(name).moving)
    throw Error("the method " + name + " looks at instants only, not at motion",
                "choose a continuous one: swept-bvh, kinetic, or auto");
}

// One method, or two that take turns, on the pairs that the table gives it, with a detector for each goal.
class StepSearch::MethodSearch {
 public:
  MethodSearch(std::uint8_t number, const StepSearchSettings& settings, std::span<const MeshPtr> meshes)
      : search_seconds_(settings.search_seconds), number_(number), filter_(settings.filter) {
    const std::string& method = settings.methods[number];
    if (method == "auto")
      for (const char* candidate : kAutoMethods) candidates_.emplace_back(candidate, settings, meshes);
    else candidates_.emplace_back(method, settings, meshes);
  }

  void set_pairs(const PairTable& pairs) { pairs_ = pairs; }
  std::string method() const { return candidates_.size() == 1 ? candidates_[0].name : "auto"; }

  Report find(Goal goal, const Step& step, const Budget& budget) {
    if (candidates_.size() > 1 && tried_all()) choose();
    const auto g = static_cast<std::size_t>(goal);
    Candidate& now = *std::min_element(candidates_.begin(), candidates_.end(), [g](const auto& x, const auto& y) {
      return x.trials[g].count < y.trials[g].count;
    });
    const std::vector<bool> moves = moving_bodies(step);
    Detector& detector = *now.detectors[g];
    now.set_motions(detector, step, moves);
    // A new filter makes methods forget what they know: most steps have that of the step before.
    if (auto& known = now.filters[g]; !known || !known->is_of(pairs_, moves)) {
      known = std::make_shared<const StepFilter>(pairs_, moves, number_, filter_.get());
      detector.set_filter(known);
    }
    detector.reset(0);
    const Stopwatch watch(budget);
    Report report =
        detector.detect({0, 1}, search_seconds_ ? budget & Budget::within_seconds(*search_seconds_) : budget);
    if (candidates_.size() > 1) now.trials[g].add(watch.seconds());
    return report;
  }

 private:
  // How long the searches for one goal took.
  struct Trial {
    std::size_t count = 0;
    double seconds = 0;
    void add(double took) {
      if (++count > 1 && count <= kTrials) seconds += took;
    }
  };

  struct Candidate {
    Candidate(std::string method, const StepSearchSettings& settings, std::span<const MeshPtr> meshes)
        : name(std::move(method)) {
      for (const double separation : {settings.reach, 0.0}) {
        DetectorSettings own;
        own.min_separation = separation;
        own.initial_suffices = true;  // find_near() wants to know no more
        own.threads = settings.threads;
        if (const auto chosen = settings.method_settings.find(name); chosen != settings.method_settings.end())
          own.method = chosen->second;
        detectors.push_back(make_detector(name, own));
        for (const MeshPtr& mesh : meshes) detectors.back()->add_body(mesh);
      }
    }
    void set_motions(Detector& detector, const Step& step, const std::vector<bool>& moves) const {
      for (const StepBody& body : step.bodies) {
        const Motion& before = detector.body(body.id).motion;
        const bool moving = moves[body.id.index()];
        // What stands where it stood needs no new boxes.
        if (!moving && !before.moves() && before.frame(0).stamp() == body.x_t0.stamp()) continue;
        detector.set_motion(body.id,
                            moving ? Motion::linear(body.x_t0, Frame::own(body.x_t1)) : Motion::at_rest(body.x_t0));
      }
    }

    std::string name;
    std::vector<std::unique_ptr<Detector>> detectors;          // by Goal
    std::array<std::shared_ptr<const StepFilter>, 2> filters;  // by Goal
    std::array<Trial, 2> trials;                               // by Goal
    double seconds() const { return trials[0].seconds + trials[1].seconds; }
  };

  bool tried_all() const {
    return std::all_of(candidates_.begin(), candidates_.end(), [](const Candidate& one) {
      return std::all_of(one.trials.begin(), one.trials.end(), [](const Trial& t) { return t.count >= kTrials; });
    });
  }

  void choose() {
    const auto best = std::min_element(candidates_.begin(), candidates_.end(),
                                       [](const auto& x, const auto& y) { return x.seconds() < y.seconds(); });
    std::vector<Candidate> rest;
    rest.push_back(std::move(*best));
    candidates_ = std::move(rest);
  }

  std::optional<double> search_seconds_;
  std::uint8_t number_;
  std::shared_ptr<const ContactFilter> filter_;
  PairTable pairs_;
  std::vector<Candidate> candidates_;
};

StepSearch::StepSearch(const StepSearchSettings& settings, std::span<const MeshPtr> meshes) : reach_(settings.reach) {
  for (std::size_t i = 0; i < settings.methods.size(); ++i) {
    if (settings.methods[i].empty()) continue;
    require_continuous_method(settings.methods[i]);
    searches_.push_back(std::make_unique<MethodSearch>(static_cast<std::uint8_t>(i), settings, meshes));
  }
}
StepSearch::~StepSearch() = default;

void StepSearch::set_pairs(const PairTable& pairs) {
  for (const auto& search : searches_) search->set_pairs(pairs);
}

std::string StepSearch::method() const { return searches_.empty() ? "" : searches_[0]->method(); }

Report StepSearch::find(Goal goal, const Step& step, const Budget& budget) {
  if (searches_.empty()) {
    Report nothing;
    nothing.complete = true;
    return nothing;
  }
  Report all = searches_[0]->find(goal, step, budget);
  for (std::size_t i = 1; i < searches_.size() && all.complete; ++i) {
    Report more = searches_[i]->find(goal, step, budget);
    all.complete = more.complete;
    all.contacts.insert(all.contacts.end(), more.contacts.begin(), more.contacts.end());
  }
  if (searches_.size() > 1) std::sort(all.contacts.begin(), all.contacts.end(), earlier);
  return all;
}

// Of what is within reach from the start on the direction then is wanted, not where it would touch: constraints keep it
// from touching.
Report StepSearch::find_near(const Step& step, const Budget& budget) {
  Report report = find(Goal::near, step, budget);
  bool is_ordered = true;
  for (Contact& contact : report.contacts) {
    if (contact.relation != Relation::touching || contact.initial) continue;
    if (distance_at_start(step, contact) > reach_) continue;
    contact.time = 0;
    contact.normal = Vec3::Zero();
    contact.initial = true;
    is_ordered = false;
  }
  if (!is_ordered) std::sort(report.contacts.begin(), report.contacts.end(), earlier);
  return report;
}
Report StepSearch::find_meeting(const Step& step, const Budget& budget) { return find(Goal::meeting, step, budget); }

}  // namespace pliant
