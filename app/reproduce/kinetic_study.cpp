// R. Weller and G. Zachmann, "Kinetic separation lists for continuous collision detection of deformable objects"
// (2006): figures 10 to 12, and what the text claims.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/bench_measure.h"
#include "app/reproduce/study.h"
#include "app/terminal.h"
#include "pliant/core/random.h"
#include "pliant/mesh/points.h"
#include "pliant/mesh/shapes.h"

namespace pliant::app {
namespace {

constexpr const char* kClassical = "swept-classical";
constexpr const char* kEvents = "kinetic-events";
constexpr const char* kKinetic = "kinetic";
constexpr double kPublishedEvents = 500;  // a frame, of the tablecloth at 16k faces

// One scene at one size, and what methods do on it, by how often each keyframe interval is sampled.
struct Measured {
  std::string scene;
  std::size_t triangles = 0;
  std::size_t keyframes = 0;                                    // intervals
  std::map<std::string, std::map<std::size_t, BenchRow>> rows;  // method, l
  const BenchRow& row(const std::string& method, std::size_t l) const { return rows.at(method).at(l); }
  double ratio(const std::string& method, std::size_t l) const {
    return row(kClassical, l).ms.mean / row(method, l).ms.mean;
  }
};

double events_of(const BenchRow& row) {
  double sum = 0;
  for (const char* name :
       {"leaf_events", "tree_events", "overlap_events", "fathers_apart_events", "leaves_apart_events"})
    sum += static_cast<double>(row.counters[name]);
  return sum;
}
double events_per_keyframe(const Measured& m) {
  return events_of(m.row(kEvents, 1)) / static_cast<double>(m.keyframes);
}

class KineticStudy {
 public:
  explicit KineticStudy(const StudySettings& settings) : settings_(settings) {
    study_ = {kKinetic,
              "R. Weller, G. Zachmann: Kinetic separation lists for continuous collision detection of deformable "
              "objects, 2006",
              {},
              {}};
  }

  Study run() {
    measure_all();
    add_speedups();
    add_events();
    add_sampling();
    add_qualities();
    add_order_and_kinds();
    add_figures();
    return std::move(study_);
  }

 private:
  void measure_all() {
    cloth_ = measure_sizes("tablecloth", settings_.quick ? Sizes{2'000, 4'000} : Sizes{2'000, 4'000, 8'000, 16'000});
    // How often the paper sampled is not told; here as often as it takes to have its number of events in a frame.
    published_l_ = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::lround(events_per_keyframe(cloth_.back()) / kPublishedEvents)));
    for (Measured& m : cloth_) measure_at(m, published_l_);
    avatar_ = measure_sizes("avatar", settings_.quick ? Sizes{10'000} : Sizes{35'000, 49'000, 90'000});
    swirl_ = measure_sizes("swirl", settings_.quick ? Sizes{4'000} : Sizes{4'000, 8'000, 16'000, 33'000});
    for (std::vector<Measured>* all : {&avatar_, &swirl_})
      for (Measured& m : *all) measure_at(m, published_l_);
    scenes_.clear();
  }

  using Sizes = std::vector<std::size_t>;
  std::vector<Measured> measure_sizes(const std::string& name, const Sizes& sizes) {
    std::vector<Measured> all;
    for (const std::size_t size : sizes) {
      settings_.note(fmt::format("{} of {} triangles: making it", name, grouped(size)));
      const std::size_t first = 40, intervals = settings_.quick ? 1 : 5;
      MovingScene made = make_scene(name, {.triangles = size, .frames = first + intervals + 1});
      scenes_.push_back(with_stored_frames(made));
      Measured m{name, scenes_.back().triangle_count(), intervals, {}};
      scene_of_[{name, m.triangles}] = scenes_.size() - 1;
      for (const std::size_t l : settings_.quick ? Sizes{1, 10} : Sizes{1, 5, 10, 30, 100}) measure_at(m, l);
      all.push_back(std::move(m));
    }
    return all;
  }

  void measure_at(Measured& m, std::size_t l) {
    for (const char* method : {kClassical, kEvents, kKinetic}) {
      if (m.rows[method].contains(l)) continue;
      settings_.note(fmt::format("{} of {} triangles: {}, l = {}", m.scene, grouped(m.triangles), method, l));
      BenchCase bench{&scenes_[scene_of_.at({m.scene, m.triangles})], method, l, 40, {}};
      bench.settings.threads = {1};
      m.rows[method].emplace(l, measure(bench));
    }
  }

  std::string ratios(const Measured& m, const char* method) const {
    std::string text;
    for (const auto& [l, row] : m.rows.at(method))
      text += fmt::format("{}{:.2g}x at l = {}", text.empty() ? "" : ", ", m.ratio(method, l), l);
    return text;
  }

  void add_speedup(const char* id, const char* claim, const Measured& m, double published) {
    const double reached = m.ratio(kEvents, published_l_);
    const bool holds = reached >= published;
    std::string why = fmt::format(
        "a frame of the classical method here is {:.2g} ms, and an event costs {:.2g} us: most of what events save is "
        "no longer there to be saved",
        m.row(kClassical, published_l_).ms.mean, us_per_event(m));
    if (holds) why = "";
    study_.claims.push_back(
        {id, claim, fmt::format("{:g}x", published),
         fmt::format("kinetic-events {} ({:.2g}x where it has the published {:g} events a frame); kinetic {}",
                     ratios(m, kEvents), reached, kPublishedEvents, ratios(m, kKinetic)),
         fmt::format("{} triangles, keyframe intervals: {}, self-collision, one thread, beside swept volumes "
                     "(swept-classical); l, frames per interval, is not given in the paper",
                     grouped(m.triangles), m.keyframes),
         holds ? Judgement::holds : Judgement::does_not_hold, why});
  }

  double us_per_event(const Measured& m) const {
    const BenchRow& row = m.row(kEvents, 1);
    return 1e3 * row.ms.mean * static_cast<double>(row.frames) / std::max(1.0, events_of(row));
  }

  void add_speedups() {
    add_speedup("kinetic/tablecloth-speedup",
                "Updating and checking a falling tablecloth is about 50 times faster than by swept volumes (figure 11)",
                cloth_.back(), 50);
    add_speedup("kinetic/avatar-speedup", "Overall gain of about 20 with a walking figure in a shirt (figure 10)",
                avatar_.back(), 20);
    add_speedup("kinetic/swirl-speedup", "Gain of about 2 with a swirling cloth, the worst case (figure 12)",
                swirl_.back(), 2);
  }

  void add_events() {
    const Measured& m = cloth_.back();
    const double events = events_per_keyframe(m);
    const double checks =
        static_cast<double>(m.row(kClassical, 1).counters["pair_tests"]) / static_cast<double>(m.keyframes);
    study_.claims.push_back(
        {"kinetic/events-per-frame",
         "About 500 events per frame in the largest tablecloth, where swept volumes take several tens of thousands of "
         "checks",
         "500 events, tens of thousands of checks",
         fmt::format("{:.0f} events per keyframe interval, {:.0f} a frame at l = {}; {:.0f} elementary checks per "
                     "frame by swept volumes",
                     events, events / static_cast<double>(published_l_), published_l_, checks),
         fmt::format("{} triangles", grouped(m.triangles)),
         checks > 10 * events / static_cast<double>(published_l_) ? Judgement::holds : Judgement::does_not_hold,
         fmt::format(
             "the frame rate of the paper's keyframes is not known: with {} frames per interval the numbers agree",
             published_l_)});
    std::vector<std::array<double, 2>> points;
    for (const Measured& one : cloth_) points.push_back({static_cast<double>(one.triangles), events_per_keyframe(one)});
    const double exponent = fitted_exponent(points);
    study_.claims.push_back(
        {"kinetic/events-linear", "The number of events rises nearly linearly with the number of polygons",
         "exponent about 1", fmt::format("exponent {:.2f}", exponent), "tablecloth, all sizes",
         exponent > 0.7 && exponent < 1.3 ? Judgement::holds : Judgement::does_not_hold,
         "fitted over the sizes that were measured: finer cloth also folds more, and each fold is events"});
  }

  void add_sampling() {
    bool same_events = true;
    double least = 1e300, most = 0;
    for (const auto& [l, row] : cloth_.back().rows.at(kEvents)) {
      same_events = same_events && events_of(row) == events_of(cloth_.back().row(kEvents, 1));
      const double total = row.ms.mean * static_cast<double>(row.frames);
      least = std::min(least, total), most = std::max(most, total);
    }
    const Measured& m = cloth_.back();
    const double slow = m.row(kClassical, 10).ms.mean * 10 / m.row(kClassical, 1).ms.mean;
    study_.claims.push_back(
        {"kinetic/independent-of-sampling",
         "Events, and the time for them, depend on keyframes only: a scene in slow motion costs the same, by swept "
         "volumes ten times as much",
         "the same; 10x",
         fmt::format("events {} at every l; time per interval from {:.3g} to {:.3g} ms; swept volumes {:.2g}x as much "
                     "at l = 10",
                     same_events ? "equal" : "not equal", least / static_cast<double>(m.keyframes),
                     most / static_cast<double>(m.keyframes), slow),
         fmt::format("tablecloth, {} triangles", grouped(m.triangles)),
         same_events && most < 2 * least ? Judgement::holds : Judgement::does_not_hold,
         "counts are compared exactly; a frame in which nothing happens still costs a look at the queue"});
  }

  void add_quality(const char* name, const char* claim, const char* published, std::string measured, bool holds) {
    study_.claims.push_back({std::string("kinetic/") + name, claim, published, std::move(measured),
                             "tablecloth, all sizes", holds ? Judgement::holds : Judgement::does_not_hold,
                             holds ? "" : "by the sizes that were measured"});
  }

  void add_qualities() {
    std::vector<std::array<double, 2>> bytes, cost, pairs;
    std::string per_box, per_event;
    bool few_events = true;
    for (const Measured& m : cloth_) {
      const BenchRow& row = m.row(kEvents, 1);
      const auto n = static_cast<double>(m.triangles);
      bytes.push_back({n, static_cast<double>(row.bytes)});
      cost.push_back({n, us_per_event(m)});
      pairs.push_back({n, static_cast<double>(row.counters["list_size"]) / n});
      per_box +=
          fmt::format("{}{:.1f}", per_box.empty() ? "" : ", ", static_cast<double>(row.counters["list_size"]) / n);
      per_event += fmt::format("{}{:.1f}", per_event.empty() ? "" : ", ", us_per_event(m));
      few_events = few_events && events_per_keyframe(m) < n * std::log2(n);
    }
    const double storage = fitted_exponent(bytes), response = fitted_exponent(cost);
    add_quality("compact", "Compact: storage grows like n in practice", "exponent 1",
                fmt::format("exponent {:.2f}", storage), storage < 1.2);
    add_quality("local", "Local: a box takes part in few pairs of the list in practice", "O(1)",
                "pairs per triangle, by size: " + per_box, fitted_exponent(pairs) < 0.2);
    add_quality("responsive", "Responsive: an event takes O(log n)", "O(log n)",
                fmt::format("us per event, everything included, by size: {} (exponent {:.2f})", per_event, response),
                response < 0.5);
    add_quality("efficient", "Efficient: at most about n log n events", "n log n",
                few_events ? "fewer in every row" : "more", few_events);
  }

  // In the order of time, for triangles and for points.
  void add_order_and_kinds() {
    settings_.note("order of contacts, points");
    const MovingScene scene = make_scene("teapot-sphere", {.triangles = 2'000, .frames = 12});
    const auto kinetic = make_detector(kEvents), truth = make_detector("brute-force");
    for (Detector* d : {kinetic.get(), truth.get()})
      for (const MovingBody& body : scene.bodies) d->add_body(body.mesh, body.motion);
    const Interval all{0, static_cast<double>(scene.frame_count() - 1)};
    const Report found = kinetic->detect(all);
    const bool ordered = std::is_sorted(found.contacts.begin(), found.contacts.end(), earlier);
    study_.claims.push_back(
        {"kinetic/order", "Collisions are reported in the order of time, without sorting", "in order",
         fmt::format("{} contacts, {}", found.contacts.size(), ordered ? "in order" : "not in order"),
         "teapot and ball, 2,000 triangles, 11 intervals", ordered ? Judgement::holds : Judgement::does_not_hold,
         ordered ? "" : "a contact comes before an earlier one"});

    Random random(3);
    std::vector<Vec3> start, end;
    for (int k = 0; k < 400; ++k) {
      start.emplace_back(random.within(-1, 1), random.within(-1, 1), 1.6);
      end.push_back(start.back() - Vec3(0, 0, 3.2));
    }
    const MeshPtr points = make_points(start), ball = make_icosphere({.frequency = 8});
    std::size_t counts[2];
    for (int k = 0; k < 2; ++k) {
      const auto detector = make_detector(k == 0 ? kEvents : "brute-force");
      detector->add_body(points, Motion::linear(Frame::of_mesh(points), Frame::own(end)));
      detector->add_body(ball);
      counts[k] = detector->detect({0, 1}).contacts.size();
    }
    study_.claims.push_back(
        {"kinetic/point-clouds", "Extends to point clouds (future work)", "should be straightforward",
         fmt::format("{} contacts of 400 points with a ball, {} by brute force", counts[0], counts[1]),
         "points as triangles of no extent (mesh/points.h)",
         counts[0] == counts[1] && counts[0] > 0 ? Judgement::holds : Judgement::does_not_hold,
         counts[0] == counts[1] ? "" : "brute force finds others"});
    study_.claims.push_back({"kinetic/nurbs", "Extends to NURBS (future work)", "should be straightforward",
                             "not measured", "", Judgement::not_covered,
                             "meshes of triangles only: exact elementary tests exist for these"});
    study_.claims.push_back({"kinetic/other-flight-plans", "Flight plans may be any algebraic functions",
                             "any algebraic function", "not measured", "", Judgement::not_covered,
                             "motions are piecewise linear, as caches and solvers give them; for these times of events "
                             "are rational and compared exactly"});
  }

  static std::vector<std::array<double, 2>> over_sizes(const std::vector<Measured>& all,
                                                       const std::function<double(const Measured&)>& value) {
    std::vector<std::array<double, 2>> points;
    for (const Measured& m : all) points.push_back({static_cast<double>(m.triangles), value(m)});
    return points;
  }

  void add_time_figure(const char* id, const char* title, const std::vector<Measured>& all) {
    Figure figure{id, fmt::format("{} (l = {})", title, published_l_), "triangles", "ms per frame", true, true, {}};
    for (const char* method : {kClassical, kEvents, kKinetic})
      figure.series.push_back(
          {method, over_sizes(all, [&](const Measured& m) { return m.row(method, published_l_).ms.mean; })});
    study_.figures.push_back(std::move(figure));
  }

  void add_count_figure(const char* id, const char* title, const std::vector<Measured>& all) {
    Figure figure{id, fmt::format("{} (l = {})", title, published_l_), "triangles", "per frame", true, true, {}};
    figure.series.push_back({"events", over_sizes(all, [&](const Measured& m) {
                               return events_per_keyframe(m) / static_cast<double>(published_l_);
                             })});
    figure.series.push_back({"checks of swept volumes", over_sizes(all, [&](const Measured& m) {
                               const BenchRow& row = m.row(kClassical, published_l_);
                               return static_cast<double>(row.counters["pair_tests"]) / static_cast<double>(row.frames);
                             })});
    study_.figures.push_back(std::move(figure));
  }

  void add_figures() {
    add_time_figure("kinetic-figure-10", "Avatar with a shirt", avatar_);
    Figure sampling{
        "kinetic-figure-10-right",
        fmt::format("Avatar of {} triangles: time over sampling", grouped(avatar_[avatar_.size() / 2].triangles)),
        "l, frames per keyframe interval",
        "ms per frame",
        true,
        true,
        {}};
    for (const char* method : {kClassical, kEvents, kKinetic}) {
      Series series{method, {}};
      for (const auto& [l, row] : avatar_[avatar_.size() / 2].rows.at(method))
        series.points.push_back({static_cast<double>(l), row.ms.mean});
      sampling.series.push_back(std::move(series));
    }
    study_.figures.push_back(std::move(sampling));
    add_time_figure("kinetic-figure-11", "Tablecloth", cloth_);
    add_count_figure("kinetic-figure-11-right", "Tablecloth: events and checks", cloth_);
    add_time_figure("kinetic-figure-12", "Swirling cloth", swirl_);
    add_count_figure("kinetic-figure-12-right", "Swirling cloth: events and checks", swirl_);
  }

  const StudySettings& settings_;
  Study study_;
  std::vector<MovingScene> scenes_;
  std::map<std::pair<std::string, std::size_t>, std::size_t> scene_of_;
  std::vector<Measured> cloth_, avatar_, swirl_;
  std::size_t published_l_ = 1;
};

}  // namespace

Study study_kinetic(const StudySettings& settings) { return KineticStudy(settings).run(); }

}  // namespace pliant::app
