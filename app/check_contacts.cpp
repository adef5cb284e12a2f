#include "app/check_contacts.h"

#include <cmath>
#include <filesystem>
#include <map>

#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/io/contact_files.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_format.h"
#include "pliant/io/region_files.h"
#include "pliant/mesh/shapes.h"

namespace pliant::app {
namespace {

// "out/hits.vtp" with "points" as "out/hits.points.vtp".
std::string with_word(const std::string& path, const std::string& word) {
  std::filesystem::path result(path);
  result.replace_filename(result.stem().string() + "." + word + result.extension().string());
  return result.string();
}

class CsvFile : public ContactsFile {
 public:
  CsvFile(const std::string& path, const ContactsFileSettings& settings) : file_(path), left_(settings.limit) {
    file_.write(contact_csv_header());
  }

  Flow contact(const CheckedContact& checked, const Detector& detector) override {
    if (left_ == 0) return Flow::go_on;
    --left_;
    line_.clear();
    append_csv(line_, checked.contact, detector);
    file_.write(line_);
    return Flow::go_on;
  }
  void finish(bool) override { file_.commit(); }

 private:
  OutputFile file_;
  std::uint64_t left_;
  std::string line_;
};

// Points of contacts, as far as they have one: what is only possible has none.
class Points {
 public:
  explicit Points(std::uint64_t limit) : left_(limit) {}
  void add(const Contact& contact) {
    if (left_ == 0 || contact.kind() == ContactKind::region_region) return;
    --left_;
    contacts_.push_back(contact);
  }
  void write(const std::string& path) {
    write_file(path, format_contact_points_vtp(contacts_));
    contacts_.clear();
  }

 private:
  std::uint64_t left_;
  std::vector<Contact> contacts_;
};

// The spheres of regions that were left open, as surfaces: what a search that was cut short had reached.
class RegionSpheres {
 public:
  explicit RegionSpheres(std::uint64_t limit) : left_(limit) {}
  void clear() { spheres_.clear(); }
  void add(const Contact& contact, const Detector& detector) {
    if (contact.kind() != ContactKind::region_region) return;
    for (const Feature& feature : {contact.a, contact.b}) {
      if (spheres_.size() >= left_ || spheres_.count(feature) != 0) continue;
      const Region region = detector.region(feature.body, feature.id);
      if (std::isfinite(region.radius)) spheres_.emplace(feature, Sphere{region.centre, region.radius});
    }
  }
  // Nothing is written if there are none.
  void write(const std::string& path) const {
    if (spheres_.empty()) return;
    const MeshPtr ball = make_icosphere({.frequency = 3});
    std::vector<Vec3> positions;
    std::vector<Triangle> triangles;
    std::vector<std::uint32_t> number_of_face;
    std::uint32_t number = 0;
    for (const auto& [feature, sphere] : spheres_) {
      const auto first = static_cast<std::uint32_t>(positions.size());
      for (const Vec3& p : ball->positions()) positions.emplace_back(sphere.centre + sphere.radius * p);
      for (const Triangle& t : ball->triangles()) {
        triangles.push_back({VertexId(first + t[0].value), VertexId(first + t[1].value), VertexId(first + t[2].value)});
        number_of_face.push_back(number);
      }
      ++number;
    }
    write_file(path, format_regions({std::move(positions), std::move(triangles)}, number_of_face,
                                    extension_of(path) == ".vtp" ? MeshFormat::vtp : MeshFormat::ply));
  }

 private:
  std::uint64_t left_;
  std::map<Feature, Sphere> spheres_;
};

// One picture of the whole.
class SurfaceFile : public ContactsFile {
 public:
  SurfaceFile(std::string path, const ContactsFileSettings& settings)
      : path_(std::move(path)),
        detector_(settings.detector),
        counts_(detector_),
        points_(settings.limit),
        spheres_(settings.limit) {}

  Flow contact(const CheckedContact& checked, const Detector& detector) override {
    if (!time_ || (excused_ && !checked.excused)) {
      time_ = checked.frame;
      excused_ = checked.excused;
      divisions_ = divisions_of(detector);
      spheres_.clear();
    }
    counts_.add(checked.contact, detector);
    if (checked.frame == *time_) spheres_.add(checked.contact, detector);
    if (is_vtp()) points_.add(checked.contact);
    return Flow::go_on;
  }
  void finish(bool) override {
    const double time = time_.value_or(0);
    write_file(path_, is_vtp() ? format_contact_vtp(detector_, counts_, time, nullptr, divisions_)
                               : format_contact_ply(detector_, counts_, time, divisions_));
    if (is_vtp()) points_.write(with_word(path_, "points"));
    spheres_.write(with_word(path_, "spheres"));
  }

 private:
  bool is_vtp() const { return extension_of(path_) == ".vtp"; }

  std::string path_;
  const Detector& detector_;
  ContactCounts counts_;
  Points points_;
  RegionSpheres spheres_;       // of the picture
  std::optional<double> time_;  // of the picture
  bool excused_ = false;        // that contact
  Divisions divisions_;         // then
};

// One picture per frame, written when the frame is over.
class SeriesFile : public ContactsFile {
 public:
  SeriesFile(std::string path, const ContactsFileSettings& settings)
      : path_(std::move(path)),
        settings_(settings),
        meeting_(settings.detector),
        begins_(settings.detector),
        points_(settings.limit) {}

  void at_frame(std::size_t frame, std::span<const Contact> meeting, const Detector& detector) override {
    go_to(frame);
    for (const Contact& contact : meeting) meeting_.add(contact, detector);
    any_ = true;
  }
  Flow contact(const CheckedContact& checked, const Detector& detector) override {
    go_to(static_cast<std::size_t>(checked.frame));
    begins_.add(checked.contact, detector);
    // Features that are near each other at the frame, or touch just then, need not cross there.
    const bool is_at_frame = checked.frame == static_cast<double>(surfaces_.size());
    if (is_at_frame && divisions_.empty()) divisions_ = divisions_of(detector);
    if (is_at_frame && checked.contact.relation != Relation::possible) meeting_.add(checked.contact, detector);
    points_.add(checked.contact);
    any_ = true;
    return Flow::go_on;
  }
  void finish(bool all_frames) override {
    if (any_) write_frame();
    if (all_frames) go_to(settings_.frames);
    write_file(path_, format_pvd(surfaces_));
    write_file(with_word(path_, "points"), format_pvd(pictures_of_points_));
  }

 private:
  void go_to(std::size_t frame) {
    while (surfaces_.size() < frame) write_frame();
  }
  void write_frame() {
    const std::size_t frame = surfaces_.size();
    const auto time = static_cast<double>(frame);
    std::filesystem::path name(path_);
    name.replace_extension(".vtp");
    const std::string surface = with_word(name.string(), fmt::format("{:04}", frame));
    const std::string points = with_word(with_word(name.string(), "points"), fmt::format("{:04}", frame));
    write_file(surface, format_contact_vtp(settings_.detector, meeting_, time, &begins_, divisions_));
    points_.write(points);
    meeting_.clear();
    begins_.clear();
    divisions_.clear();
    any_ = false;
    const double shown = settings_.clock.shown(time);
    surfaces_.push_back({shown, std::filesystem::path(surface).filename().string()});
    pictures_of_points_.push_back({shown, std::filesystem::path(points).filename().string()});
  }

  std::string path_;
  ContactsFileSettings settings_;
  ContactCounts meeting_, begins_;  // of the frame that is not over
  Points points_;
  Divisions divisions_;  // in that frame
  bool any_ = false;     // in that frame
  std::vector<PvdEntry> surfaces_, pictures_of_points_;
};

}  // namespace

void require_contacts_format(const std::string& path) {
  const std::string extension = extension_of(path);
  for (const char* known : {".csv", ".ply", ".vtp", ".pvd"})
    if (extension == known) return;
  throw Error("--contacts " + path + ": the format cannot be told", "name a .csv, .ply, .vtp or .pvd file");
}

std::unique_ptr<ContactsFile> open_contacts_file(const std::string& path, const ContactsFileSettings& settings) {
  require_contacts_format(path);
  const std::string extension = extension_of(path);
  if (extension == ".csv") return std::make_unique<CsvFile>(path, settings);
  if (extension == ".pvd") return std::make_unique<SeriesFile>(path, settings);
  return std::make_unique<SurfaceFile>(path, settings);
}

}  // namespace pliant::app
