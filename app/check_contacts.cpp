#include "app/check_contacts.h"

#include <filesystem>

#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/io/contact_files.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_format.h"

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

  void add(const Contact& contact, double, const Detector& detector) override {
    if (left_ == 0) return;
    --left_;
    line_.clear();
    append_csv(line_, contact, detector);
    file_.write(line_);
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

// One picture of the whole.
class SurfaceFile : public ContactsFile {
 public:
  SurfaceFile(std::string path, const ContactsFileSettings& settings)
      : path_(std::move(path)), detector_(settings.detector), counts_(detector_), points_(settings.limit) {}

  void add(const Contact& contact, double time, const Detector& detector) override {
    if (!first_time_) first_time_ = time;
    counts_.add(contact, detector);
    if (is_vtp()) points_.add(contact);
  }
  void finish(bool) override {
    const double time = first_time_.value_or(0);
    write_file(path_,
               is_vtp() ? format_contact_vtp(detector_, counts_, time) : format_contact_ply(detector_, counts_, time));
    if (is_vtp()) points_.write(with_word(path_, "points"));
  }

 private:
  bool is_vtp() const { return extension_of(path_) == ".vtp"; }

  std::string path_;
  const Detector& detector_;
  ContactCounts counts_;
  Points points_;
  std::optional<double> first_time_;
};

// One picture a frame, written when the frame is over.
class SeriesFile : public ContactsFile {
 public:
  SeriesFile(std::string path, const ContactsFileSettings& settings)
      : path_(std::move(path)),
        run_(settings.run),
        detector_(settings.detector),
        counts_(detector_),
        points_(settings.limit) {}

  void add(const Contact& contact, double time, const Detector& detector) override {
    const auto frame = static_cast<std::size_t>(time);
    while (surfaces_.size() < frame) write_frame();
    counts_.add(contact, detector);
    points_.add(contact);
    any_ = true;
  }
  void finish(bool all_frames) override {
    if (any_) write_frame();
    while (surfaces_.size() < run_.frames && all_frames) write_frame();
    write_file(path_, format_pvd(surfaces_));
    write_file(with_word(path_, "points"), format_pvd(pictures_of_points_));
  }

 private:
  void write_frame() {
    const std::size_t frame = surfaces_.size();
    const auto time = static_cast<double>(frame);
    std::filesystem::path name(path_);
    name.replace_extension(".vtp");
    const std::string surface = with_word(name.string(), fmt::format("{:04}", frame));
    const std::string points = with_word(with_word(name.string(), "points"), fmt::format("{:04}", frame));
    write_file(surface, format_contact_vtp(detector_, counts_, time));
    points_.write(points);
    counts_.clear();
    any_ = false;
    surfaces_.push_back({run_.clock.shown(time), std::filesystem::path(surface).filename().string()});
    pictures_of_points_.push_back({run_.clock.shown(time), std::filesystem::path(points).filename().string()});
  }

  std::string path_;
  const CheckRun& run_;
  const Detector& detector_;
  ContactCounts counts_;  // of the frame that is not over
  Points points_;
  bool any_ = false;  // in that frame
  std::vector<PvdEntry> surfaces_, pictures_of_points_;
};

}  // namespace

void require_contacts_format(const std::string& path) {
  const std::string extension = extension_of(path);
  for (const char* known : {".csv", ".ply", ".vtp", ".pvd"})
    if (extension == known) return;
  throw Error("--contacts " + path + ": the format can not be told", "name a .csv, .ply, .vtp or .pvd file");
}

std::unique_ptr<ContactsFile> open_contacts_file(const std::string& path, const ContactsFileSettings& settings) {
  require_contacts_format(path);
  const std::string extension = extension_of(path);
  if (extension == ".csv") return std::make_unique<CsvFile>(path, settings);
  if (extension == ".pvd") return std::make_unique<SeriesFile>(path, settings);
  return std::make_unique<SurfaceFile>(path, settings);
}

}  // namespace pliant::app
