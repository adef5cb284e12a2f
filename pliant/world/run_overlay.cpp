#include "pliant/world/run_overlay.h"

#include <algorithm>
#include <limits>

#include "pliant/detect/overlay.h"
#include "pliant/detect/registry.h"

namespace pliant {
namespace {

constexpr std::uint32_t kNumbersPerEvent = 4;  // time, point

// Everything that is drawn, frame after frame; rows says how much of each belongs to a frame.
struct OverlayArrays {
  std::vector<std::uint32_t>
      rows;  // by frame: boxes, spheres, lines, events, numbers of surfaces, particles, guarantee
  std::vector<float> boxes, spheres, lines, events, bounds;
  std::vector<std::uint32_t> surfaces;   // body, number of faces, region of each; where they changed
  std::vector<std::uint32_t> particles;  // body, vertex
  std::vector<std::uint32_t> counts;     // by frame: each of the counters
  std::vector<std::string> counters;
  std::size_t left_out = 0;         // boxes, spheres, pairs, events
  std::size_t regions_without = 0;  // frames whose regions are not there
};

class OverlayMaker {
 public:
  OverlayMaker(const PageContent& content, const RunOverlaySettings& settings,
               std::shared_ptr<const ContactFilter> filter)
      : content_(content), settings_(settings) {
    DetectorSettings chosen;
    chosen.mode = settings.mode;
    chosen.method = settings.own;
    detector_ = make_detector(settings.method, chosen);
    detector_->set_filter(std::move(filter));
    for (const PageBody& body : content.bodies) bodies_.push_back(detector_->add_body(body.mesh, body.motion));
    last_regions_.resize(bodies_.size());
    const std::size_t per_frame = settings.most_numbers / std::max<std::size_t>(1, frames()) / 8;
    limits_ = {std::clamp<std::size_t>(per_frame / 3, 16, 512), std::clamp<std::size_t>(per_frame / 4, 16, 512),
               std::clamp<std::size_t>(per_frame / 4, 16, 512), bodies_.size()};
  }

  // As many frames as there is time for.
  OverlayArrays make() {
    const Budget all = Budget::within_seconds(settings_.most_seconds);
    for (std::size_t frame = 0; frame < frames() && !all.past_deadline(); ++frame) add_frame(frame);
    return std::move(arrays_);
  }

  const MethodInfo& info() const { return detector_->info(); }
  std::size_t frames() const { return content_.times.size(); }

 private:
  // A moving method has nothing to say of the last frame: it is shown what the one before ended with.
  Interval interval(std::size_t frame) const {
    const double t = static_cast<double>(frame);
    if (!info().moving || info().still) return {t, t};
    const double last = static_cast<double>(std::max<std::size_t>(1, frames() - 1));
    return {std::min(t, last - 1), std::min(t + 1, last)};
  }

  Budget budget() const {
    Budget budget;
    if (settings_.search_seconds) budget = budget & Budget::within_seconds(*settings_.search_seconds);
    if (settings_.operations) budget = budget & Budget::operations(*settings_.operations);
    return budget;
  }

  void add_frame(std::size_t frame) {
    const Interval when = interval(frame);
    if (when.t0 < last_t0_ || (frame > 0 && when.t0 == last_t0_)) detector_->reset(when.t0);
    last_t0_ = when.t0;
    const Report report = detector_->detect(when, budget());
    const detail::Overlay overlay = detail::overlay_of(*detector_, report, limits_);
    arrays_.left_out += overlay.left_out();
    std::vector<std::uint32_t> row;
    row.push_back(append(arrays_.boxes, detail::flat_boxes(overlay, bodies_), 8));
    row.push_back(append(arrays_.spheres, detail::flat_spheres(overlay, bodies_), 6));
    row.push_back(append(arrays_.lines, detail::flat_lines(overlay, bodies_), 8));
    row.push_back(append(arrays_.events, events(report), kNumbersPerEvent));
    row.push_back(add_surfaces(overlay));
    row.push_back(add_particles(overlay));
    row.push_back(static_cast<std::uint32_t>(report.guarantee));
    arrays_.rows.insert(arrays_.rows.end(), row.begin(), row.end());
    arrays_.bounds.push_back(static_cast<float>(report.bound));
    add_counts(report.counters);
  }

  static std::uint32_t append(std::vector<float>& all, const std::vector<float>& more, std::uint32_t each) {
    all.insert(all.end(), more.begin(), more.end());
    return static_cast<std::uint32_t>(more.size() / each);
  }

  // Contacts of the method, by time: regions have no place of their own.
  std::vector<float> events(const Report& report) {
    std::vector<float> numbers;
    std::size_t kept = 0;
    for (const Contact& contact : report.contacts) {
      if (contact.a.kind == FeatureKind::region) continue;
      if (++kept > limits_.pairs) {
        ++arrays_.left_out;
        continue;
      }
      // The motions of pages have a frame per row.
      numbers.push_back(static_cast<float>(time_at(contact.time)));
      for (int axis = 0; axis < 3; ++axis) numbers.push_back(static_cast<float>(contact.point[axis]));
    }
    return numbers;
  }
  double time_at(double row) const {
    const auto before = std::min(static_cast<std::size_t>(std::max(0.0, row)), frames() - 1);
    const std::size_t after = std::min(before + 1, frames() - 1);
    return content_.times[before] +
           (row - static_cast<double>(before)) * (content_.times[after] - content_.times[before]);
  }

  std::uint32_t add_surfaces(const detail::Overlay& overlay) {
    const std::size_t begun = arrays_.surfaces.size();
    std::vector<std::vector<std::uint32_t>> regions(bodies_.size());
    for (const detail::Overlay::Surface& surface : overlay.surfaces())
      regions[place(surface.body)] = surface.region_of_face;
    bool left_out = false;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (regions[b] == last_regions_[b]) continue;
      if (arrays_.surfaces.size() + regions[b].size() + 2 > settings_.most_region_numbers) {
        left_out = true;
        continue;
      }
      arrays_.surfaces.insert(arrays_.surfaces.end(), {static_cast<std::uint32_t>(b), size(regions[b])});
      arrays_.surfaces.insert(arrays_.surfaces.end(), regions[b].begin(), regions[b].end());
      last_regions_[b] = std::move(regions[b]);
    }
    arrays_.regions_without += left_out ? 1 : 0;
    return static_cast<std::uint32_t>(arrays_.surfaces.size() - begun);
  }

  std::uint32_t add_particles(const detail::Overlay& overlay) {
    std::uint32_t count = 0;
    for (const detail::Overlay::Surface& surface : overlay.surfaces())
      for (const VertexId vertex : surface.particles) {
        if (!vertex.valid()) continue;
        arrays_.particles.insert(arrays_.particles.end(),
                                 {static_cast<std::uint32_t>(place(surface.body)), vertex.value});
        ++count;
      }
    return count;
  }

  // Counters keep their columns; a frame that does not tell one has 0.
  void add_counts(const Counters& counters) {
    if (arrays_.counters.empty())
      for (const auto& [name, count] : counters.all()) arrays_.counters.emplace_back(name);
    for (const std::string& name : arrays_.counters)
      arrays_.counts.push_back(static_cast<std::uint32_t>(
          std::min<std::uint64_t>(counters[name], std::numeric_limits<std::uint32_t>::max())));
  }

  std::size_t place(BodyId body) const {
    return static_cast<std::size_t>(std::lower_bound(bodies_.begin(), bodies_.end(), body) - bodies_.begin());
  }
  static std::uint32_t size(const std::vector<std::uint32_t>& list) { return static_cast<std::uint32_t>(list.size()); }

  const PageContent& content_;
  const RunOverlaySettings& settings_;
  std::unique_ptr<Detector> detector_;
  std::vector<BodyId> bodies_;
  OverlayLimits limits_;
  OverlayArrays arrays_;
  std::vector<std::vector<std::uint32_t>> last_regions_;  // by body
  double last_t0_ = -1;
};

}  // namespace

std::function<void(JsonWriter&)> add_overlay(PageContent& content, const RunOverlaySettings& settings,
                                             std::shared_ptr<const ContactFilter> filter) {
  OverlayMaker maker(content, settings, std::move(filter));
  OverlayArrays arrays = maker.make();
  const MethodInfo& method = maker.info();
  const std::size_t rows = arrays.bounds.size();
  content.arrays.push_back({"overlay_rows", std::move(arrays.rows)});
  content.arrays.push_back({"overlay_boxes", std::move(arrays.boxes)});
  content.arrays.push_back({"overlay_spheres", std::move(arrays.spheres)});
  content.arrays.push_back({"overlay_lines", std::move(arrays.lines)});
  content.arrays.push_back({"overlay_events", std::move(arrays.events)});
  content.arrays.push_back({"overlay_surfaces", std::move(arrays.surfaces)});
  content.arrays.push_back({"overlay_particles", std::move(arrays.particles)});
  content.arrays.push_back({"overlay_counts", std::move(arrays.counts)});
  content.arrays.push_back({"overlay_bounds", std::move(arrays.bounds)});
  return [counters = std::move(arrays.counters), left_out = arrays.left_out, without = arrays.regions_without, rows,
          settings, &method, times = content.times](JsonWriter& json) {
    json.new_line().key("overlay").begin_object();
    json.field("method", method.name).field("mode", settings.mode == Mode::paper ? "paper" : "safe");
    json.field("moving", method.moving && !method.still).field("rows", rows).field("left_out", left_out);
    json.field("regions_without", without);
    json.key("limited").value(settings.search_seconds.has_value() || settings.operations.has_value());
    json.key("counters").begin_array();
    for (const std::string& name : counters) json.value(name);
    json.end_array();
    // Of all frames, whichever the page keeps.
    json.key("times").begin_array();
    for (std::size_t row = 0; row < rows; ++row) json.value(times[row]);
    json.end_array();
    json.end_object();
  };
}

}  // namespace pliant
