#include "app/check_report.h"

#include "app/check_contacts.h"
#include "app/terminal.h"
#include "pliant/io/contact_json.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/topology.h"

namespace pliant::app {
namespace {

std::vector<std::pair<const char*, std::size_t>> defects_of(const TriangleMesh& mesh) {
  const DefectReport found = find_defects(mesh, {.places = 0});
  std::vector<std::pair<const char*, std::size_t>> list{
      {"boundary_edges", found.boundary_edges.count},
      {"nonmanifold_edges", found.nonmanifold_edges.count},
      {"flipped_edges", found.flipped_edges.count},
      {"nonmanifold_vertices", found.nonmanifold_vertices.count},
      {"unreferenced_vertices", found.unreferenced_vertices.count},
      {"duplicate_vertices", found.duplicate_vertices.count},
      {"repeated_index_faces", found.repeated_index_faces.count},
      {"zero_area_faces", found.zero_area_faces.count},
      {"duplicate_faces", found.duplicate_faces.count},
  };
  std::erase_if(list, [](const auto& defect) { return defect.second == 0; });
  return list;
}

std::string defect_text(const CheckBody& body) {
  std::string text;
  for (const auto& [name, count] : body.defects) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + words;
  }
  return text.empty() ? "none" : text;
}

std::string feature_text(const Feature& feature, const CheckRun& run) {
  const CheckBody& body = run.bodies[feature.body.index()];
  switch (feature.kind) {
    case FeatureKind::vertex:
      return fmt::format("{} vertex {}", body.name, body.mesh->vertex_in_file(VertexId(feature.id)));
    case FeatureKind::edge: {
      const Edge& edge = body.mesh->topology().edge(EdgeId(feature.id));
      return fmt::format("{} edge {}-{}", body.name, body.mesh->vertex_in_file(edge[0]),
                         body.mesh->vertex_in_file(edge[1]));
    }
    case FeatureKind::region:
      return fmt::format("{} region {}", body.name, feature.id);
    case FeatureKind::face:
      break;
  }
  const FaceId face(feature.id);
  std::string triangle = fmt::format("{} triangle {}", body.name, body.mesh->triangle_in_file(face));
  if (body.mesh->origin().polygon_of_face.empty()) return triangle;
  return fmt::format("{} (face {})", triangle, body.mesh->polygon_in_file(face));
}

}  // namespace

CheckBody make_check_body(std::string name, MeshPtr mesh) {
  auto defects = defects_of(*mesh);
  Motion rest = Motion::at_rest(mesh);
  return {std::move(name), std::move(mesh), std::move(rest), std::move(defects)};
}

double FrameClock::shown(double time) const {
  if (times_.empty()) return static_cast<double>(start_) + static_cast<double>(step_) * time;
  const auto frame = std::min(static_cast<std::size_t>(time), times_.size() - 1);
  if (frame + 1 == times_.size()) return times_[frame];
  return times_[frame] + (times_[frame + 1] - times_[frame]) * (time - static_cast<double>(frame));
}

Flow CheckTally::contact(const Contact& contact) { return count(contact, json_.detector(), {}); }

Flow CheckTally::contact(const Contact& contact, const Detector& detector, const ContactPast& past) {
  return count(contact, detector, past);
}

Flow CheckTally::count(const Contact& found, const Detector& detector, const ContactPast& past) {
  Contact contact = found;
  contact.time = clock_.shown(found.time);
  // A vertex-face contact names the vertex's body first, whichever it is.
  PairCount& pair = pairs_[std::minmax(contact.a.body.value, contact.b.body.value)];
  const bool possible = contact.relation == Relation::possible;
  if (!possible && pair.contacts == 0) pair.first_time = contact.time;
  ++pair.by_relation[static_cast<std::size_t>(contact.relation)];
  ++(possible ? pair.possible : pair.contacts);
  ++(possible ? possible_ : contacts_);
  if (!possible && past.from_start) {
    ++pair.excusable;
    ++excusable_;
  }
  if (!possible && past.continued) {
    ++pair.continued;
    ++continued_;
  }
  if (!possible && !first_time_) first_time_ = contact.time;
  if (first_.size() < shown_ && !past.continued) first_.push_back(contact);
  json_.add(contact, detector);
  if (file_) file_->add(contact, found.time, detector);
  return Flow::go_on;
}

void CheckTally::affects(BodyKey key, std::size_t frame) {
  PairCount& pair = pairs_[key];
  if (frame < pair.next_frame) return;
  ++pair.frames_affected;
  pair.next_frame = frame + 1;
}

void CheckTally::crosses(BodyKey key, double curve_length, double time) {
  PairCount& pair = pairs_[key];
  if (curve_length <= pair.curve_length) return;
  pair.curve_length = curve_length;
  pair.curve_time = clock_.shown(time);
}

CheckJson::CheckJson(JsonWriter::Output output, const CheckRun& run, const Detector& detector,
                     std::optional<std::uint64_t> limit)
    : run_(run), detector_(detector), left_(limit.value_or(std::numeric_limits<std::uint64_t>::max())) {
  if (!output) return;
  json_.emplace(std::move(output));
  json_->begin_object().field("schema", "pliant.check/1").field("method", run.method).field("mode", run.mode);
  write_bodies();
  json_->new_line().key("contacts").begin_array();
}

void CheckJson::write_bodies() {
  json_->new_line().key("bodies").begin_array();
  for (const CheckBody& body : run_.bodies) {
    json_->begin_object().field("name", body.name);
    json_->field("vertices", body.mesh->vertex_count()).field("triangles", body.mesh->face_count());
    json_->key("defects").begin_object();
    for (const auto& [name, count] : body.defects) json_->field(name, count);
    json_->end_object().end_object();
  }
  json_->end_array();
}

void CheckJson::add(const Contact& contact, const Detector& detector) {
  if (!json_ || left_ == 0) return;
  --left_;
  json_->new_line();
  write_json(*json_, contact, detector);
}

void CheckJson::write_pairs(const CheckTally& tally) {
  json_->new_line().key("pairs").begin_array();
  for (const auto& [bodies, pair] : tally.pairs()) {
    json_->begin_object().field("a", bodies.first).field("b", bodies.second).field("contacts", pair.contacts);
    json_->key("first_time");
    if (pair.contacts > 0) json_->value(pair.first_time);
    else json_->null();
    json_->field("frames_affected", pair.frames_affected).field("initial", pair.initial);
    if (run_.moves) json_->field("longest_curve", pair.curve_length).field("longest_curve_time", pair.curve_time);
    if (run_.moves) json_->field("from_start", pair.excusable).field("continued", pair.continued);
    if (pair.possible > 0) json_->field("possible", pair.possible);
    json_->end_object();
  }
  json_->end_array();
}

void CheckJson::finish(const CheckTally& tally) {
  if (!json_) return;
  const Report& report = run_.report;
  json_->end_array();
  write_pairs(tally);
  json_->new_line().field("guarantee", to_string(report.guarantee)).field("complete", report.complete);
  json_->field("bound", report.bound).field("collides", tally.contacts() > 0);
  json_->key("first_time");
  if (tally.first_time()) json_->value(*tally.first_time());
  else json_->null();
  json_->field("frames", run_.frames).field("contact_count", tally.contacts());
  if (tally.possible() > 0) json_->field("possible_count", tally.possible());
  json_->new_line().key("counters");
  write_json(*json_, report.counters);
  json_->key("seconds").begin_object();
  for (const auto& [name, seconds] : run_.seconds) json_->field(name, seconds);
  json_->end_object().end_object().new_line();
  json_->flush();
}

namespace {

void print_bodies(const CheckRun& run) {
  Table table({"", "body", "vertices", "triangles", "defects"});
  for (std::size_t b = 0; b < run.bodies.size(); ++b) {
    const CheckBody& body = run.bodies[b];
    table.add_row({std::to_string(b), body.name, grouped(body.mesh->vertex_count()), grouped(body.mesh->face_count()),
                   defect_text(body)});
  }
  table.print(stdout);
}

std::string pair_text(const CheckRun& run, CheckTally::BodyKey bodies) {
  const std::string& a = run.bodies[bodies.first].name;
  return bodies.first == bodies.second ? a + " with itself" : a + " with " + run.bodies[bodies.second].name;
}

void print_pairs(const CheckRun& run, const CheckTally& tally) {
  Table table({"pair", "contacts", "crossing", "touching", "coplanar", "possible"});
  for (const auto& [bodies, pair] : tally.pairs()) {
    const auto count = [&by_relation = pair.by_relation](Relation r) {
      return grouped(by_relation[static_cast<std::size_t>(r)]);
    };
    table.add_row({pair_text(run, bodies), grouped(pair.contacts), count(Relation::crossing), count(Relation::touching),
                   count(Relation::coplanar), count(Relation::possible)});
  }
  fmt::print("\n");
  table.print(stdout);
}

void print_moving_pairs(const CheckRun& run, const CheckTally& tally) {
  Table table({"pair", "contacts", "first at frame", "frames affected", "longest curve", "at frame", "possible", ""});
  for (const auto& [bodies, pair] : tally.pairs()) {
    const bool curve = pair.curve_length > 0;
    table.add_row({pair_text(run, bodies), grouped(pair.contacts - pair.continued),
                   pair.contacts > 0 ? fmt::format("{:.6g}", pair.first_time) : "-", grouped(pair.frames_affected),
                   curve ? fmt::format("{:.4g}", pair.curve_length) : "-",
                   curve ? fmt::format("{:.6g}", pair.curve_time) : "-", grouped(pair.possible),
                   pair.initial ? "intersects at the start" : ""});
  }
  fmt::print("\n");
  table.print(stdout);
}

void print_first(const CheckRun& run, const CheckTally& tally) {
  Table table({"first contacts", "with", run.moves ? "at frame" : "", "relation", "at"});
  for (const Contact& c : tally.first())
    table.add_row({feature_text(c.a, run), feature_text(c.b, run), run.moves ? fmt::format("{:.6g}", c.time) : "",
                   std::string(to_string(c.relation)) + (c.initial && run.moves ? ", from the start" : ""),
                   c.relation == Relation::possible
                       ? ""
                       : fmt::format("({:.6g}, {:.6g}, {:.6g})", c.point.x(), c.point.y(), c.point.z())});
  fmt::print("\n");
  table.print(stdout);
}

// All was looked at, and some answers stay open: nearness can not be decided exactly as crossing can.
bool is_undecided(const CheckRun& run, const CheckTally& tally) {
  return run.report.complete && tally.contacts() == 0 && tally.possible() > 0;
}

std::string verdict(const CheckRun& run, const CheckTally& tally) {
  if (tally.contacts() > 0) {
    const std::string count = counted(tally.contacts() - tally.continued(), "contact", "contacts") + ": ";
    if (tally.contacts() > tally.excusable()) return count + "collides";
    return count + "only what intersects from the start collides" + (run.allow_initial ? ", which is allowed" : "");
  }
  if (is_undecided(run, tally))
    return "not known: " + grouped(tally.possible()) +
           " pairs of features come as near as the separation, or as good as";
  return run.report.complete ? "no contact: nothing collides" : "not known: stopped before the end";
}

}  // namespace

void print_check(const CheckRun& run, const CheckTally& tally, const Detector& detector) {
  print_bodies(run);
  if (!tally.pairs().empty()) {
    if (run.moves) print_moving_pairs(run, tally);
    else print_pairs(run, tally);
    print_first(run, tally);
  }
  std::string times;
  for (const auto& [name, seconds] : run.seconds) times += fmt::format(", {} {}", name, duration_text(seconds));
  fmt::print("\n{} (method {}, {}{}{})\n", verdict(run, tally), detector.info().name, to_string(run.report.guarantee),
             run.report.complete ? "" : fmt::format(", incomplete, bound {:.6g}", run.report.bound), times);
}

int exit_code(const CheckRun& run, const CheckTally& tally) {
  const std::uint64_t excused = run.allow_initial ? tally.excusable() : 0;
  if (tally.contacts() > excused) return kCollides;
  return run.report.complete && !is_undecided(run, tally) ? kDone : kNotFinished;
}

}  // namespace pliant::app
