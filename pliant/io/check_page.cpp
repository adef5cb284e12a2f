#include "pliant/io/check_page.h"

#include <algorithm>
#include <cmath>

#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

constexpr std::size_t kDrawnNumbers = 10;  // a contact

std::vector<FaceId> faces_of(const Feature& feature, const TriangleMesh& mesh, const Detector& detector) {
  const auto copied = [](std::span<const FaceId> faces) { return std::vector<FaceId>(faces.begin(), faces.end()); };
  switch (feature.kind) {
    case FeatureKind::face:
      return {FaceId(feature.id)};
    case FeatureKind::vertex:
      return copied(mesh.topology().faces_of_vertex(VertexId(feature.id)));
    case FeatureKind::edge:
      return copied(mesh.topology().faces_of_edge(EdgeId(feature.id)));
    default:
      return detector.region(feature.body, feature.id).faces;
  }
}

bool is_as_it_stands(const TriangleMesh& mesh) {
  return mesh.origin().polygon_of_face.empty() && mesh.origin().triangle_in_file.empty();
}

std::vector<std::uint32_t> polygons_of(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> polygons;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) polygons.push_back(mesh.polygon_in_file(FaceId(f)));
  return polygons;
}

// Face and count, by face.
std::vector<std::uint32_t> sorted(const std::unordered_map<std::uint32_t, std::uint32_t>& counts) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> faces(counts.begin(), counts.end());
  std::sort(faces.begin(), faces.end());
  std::vector<std::uint32_t> flat;
  for (const auto& [face, count] : faces) {
    flat.push_back(face);
    flat.push_back(count);
  }
  return flat;
}

}  // namespace

CheckPage::CheckPage(CheckPageSettings settings)
    : settings_(std::move(settings)), json_([this](std::string_view text) { document_ += text; }, 0) {}

void CheckPage::begin(const CheckReport& asked, std::span<const CheckBody> bodies) {
  bodies_ = bodies;
  json_.begin(asked, bodies);
}

Flow CheckPage::contact(const CheckedContact& checked, const Detector& detector) {
  const Contact& contact = checked.contact;
  if (checked.excused || contact.relation == Relation::possible) return Flow::go_on;
  const auto bodies = std::minmax(contact.a.body.value, contact.b.body.value);
  Pair& pair = pairs_[{bodies.first, bodies.second}];
  const Place place{checked.frame, contact};
  if (!pair.first) pair.first = place;
  keep_worst(pair, place);
  count_faces(pair, contact, detector);
  draw(pair, checked);
  return Flow::go_on;
}

// A moving contact has no depth, and triangles that cross at a frame do: these tell how bad it gets.
void CheckPage::at_frame(std::size_t frame, std::span<const Contact> meeting, const Detector&) {
  for (const Contact& contact : meeting) {
    const auto bodies = std::minmax(contact.a.body.value, contact.b.body.value);
    const auto found = pairs_.find({bodies.first, bodies.second});
    if (found != pairs_.end()) keep_worst(found->second, {static_cast<double>(frame), contact});
  }
}

void CheckPage::keep_worst(Pair& pair, const Place& place) {
  if (place.contact.kind() != ContactKind::triangle_triangle) return;
  if (place.contact.depth > (pair.worst ? pair.worst->contact.depth : 0)) pair.worst = place;
}

void CheckPage::count_faces(Pair& pair, const Contact& contact, const Detector& detector) {
  const std::uint32_t low = std::min(contact.a.body.value, contact.b.body.value);
  for (const Feature& feature : {contact.a, contact.b})
    for (const FaceId face : faces_of(feature, *bodies_[feature.body.index()].mesh, detector))
      ++pair.hit[feature.body.value == low ? 0 : 1][face.value];
}

void CheckPage::draw(Pair& pair, const CheckedContact& checked) {
  const double frame = std::floor(checked.frame);
  if (frame != pair.drawn_frame) pair.drawn_of_frame = 0;
  pair.drawn_frame = frame;
  if (pair.drawn_of_frame++ >= settings_.drawn_per_frame || drawn_.size() >= kDrawnNumbers * settings_.drawn) return;
  const Contact& contact = checked.contact;
  drawn_.push_back(static_cast<float>(contact.time));
  for (const Vec3& v : {contact.point, contact.normal})
    for (int axis = 0; axis < 3; ++axis) drawn_.push_back(static_cast<float>(v[axis]));
  drawn_.push_back(static_cast<float>(contact.depth));
  const auto bodies = std::minmax(contact.a.body.value, contact.b.body.value);
  drawn_.push_back(static_cast<float>(bodies.first));
  drawn_.push_back(static_cast<float>(bodies.second));
}

void CheckPage::write_place(JsonWriter& json, const char* key, const std::optional<Place>& place) const {
  json.key(key);
  if (!place) {
    json.null();
    return;
  }
  const Contact& contact = place->contact;
  json.begin_object().field("time", settings_.clock.shown(place->frame)).field("depth", contact.depth);
  json.field("point", contact.point).field("normal", contact.normal).end_object();
}

// In the order of the report's pairs; those that only lie inside each other, or are excused, have no place.
void CheckPage::write_pairs(JsonWriter& json, const CheckReport& report) const {
  json.new_line().key("pairs").begin_array();
  for (const PairTally& tally : report.pairs) {
    const auto found = pairs_.find({tally.a, tally.b});
    const bool is_there = found != pairs_.end();
    json.begin_object();
    write_place(json, "first", is_there ? found->second.first : std::nullopt);
    write_place(json, "worst", is_there ? found->second.worst : std::nullopt);
    json.end_object();
  }
  json.end_array().new_line().key("parts").begin_array();
  for (const CheckBody& body : bodies_) {
    json.begin_array();
    for (const MeshPart& part : body.mesh->origin().parts)
      json.begin_array().value(part.name).value(part.first_face).value(part.face_count).end_array();
    json.end_array();
  }
  json.end_array();
}

void CheckPage::add_faces(PageContent& content, const CheckReport& report) const {
  for (std::size_t p = 0; p < report.pairs.size(); ++p) {
    const auto found = pairs_.find({report.pairs[p].a, report.pairs[p].b});
    if (found == pairs_.end()) continue;
    const std::string name = "pair" + std::to_string(p);
    content.arrays.push_back({name + "a", sorted(found->second.hit[0])});
    content.arrays.push_back({name + "b", sorted(found->second.hit[1])});
  }
}

// Of bodies whose faces have other numbers in their files.
void CheckPage::add_names(PageContent& content) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (!is_as_it_stands(*bodies_[b].mesh))
      content.arrays.push_back({"polygons" + std::to_string(b), polygons_of(*bodies_[b].mesh)});
}

// Those before and after each place that the page flies to.
std::vector<std::size_t> CheckPage::needed_frames(const CheckReport& report) const {
  std::vector<std::size_t> frames;
  const auto add = [&](double frame) {
    frames.push_back(static_cast<std::size_t>(frame));
    frames.push_back(static_cast<std::size_t>(std::ceil(frame)));
  };
  if (report.first_new) add(report.first_new->checked.frame);
  for (const auto& [bodies, pair] : pairs_)
    for (const auto* place : {&pair.first, &pair.worst})
      if (*place) add((*place)->frame);
  return frames;
}

PageContent CheckPage::content(const CheckReport& report) {
  PageContent content;
  content.title = settings_.title;
  content.up = settings_.up;
  for (const CheckBody& body : bodies_) content.bodies.push_back({body.name, "", body.mesh, body.motion});
  for (std::size_t frame = 0; frame < report.frames; ++frame)
    content.times.push_back(settings_.clock.shown(static_cast<double>(frame)));
  content.needed = needed_frames(report);
  content.arrays.push_back({"contacts", drawn_});
  add_faces(content, report);
  add_names(content);
  content.fields = [this, &report](JsonWriter& json) { write_pairs(json, report); };
  content.document = std::move(document_);
  return content;
}

PageWritten CheckPage::write(const std::string& path, const PageTemplate& page, const CheckReport& report,
                             const CheckSeconds& seconds, std::uint64_t most_bytes) {
  json_.finish(report, seconds);
  return write_page(path, page, content(report), most_bytes);
}

}  // namespace pliant
