// What `pliant check` shows: a table for people, JSON for programs.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "pliant/detect/detector.h"
#include "pliant/io/json_writer.h"

namespace pliant::app {

// A body as the user named it.
struct CheckBody {
  std::string name;
  MeshPtr mesh;
  Motion motion;                                             // at rest without a motion file
  std::vector<std::pair<const char*, std::size_t>> defects;  // name and count of every kind that it has
};

CheckBody make_check_body(std::string name, MeshPtr mesh);

// Numbers of frames as people count them: those of the file, or the times given for them.
class FrameClock {
 public:
  FrameClock() = default;
  FrameClock(std::size_t start, std::size_t step) : start_(start), step_(step) {}
  explicit FrameClock(std::vector<double> times) : times_(std::move(times)) {}
  // `time` in units of the frames that were read.
  double shown(double time) const;

 private:
  std::size_t start_ = 0;
  std::size_t step_ = 1;
  std::vector<double> times_;
};

struct CheckRun {
  std::string method;
  std::string mode;
  std::vector<CheckBody> bodies;
  std::size_t frames = 1;
  FrameClock clock;
  std::shared_ptr<const ContactFilter> filter;  // null: all pairs
  bool moves = false;                           // there is more than one frame
  bool allow_initial = false;  // pairs that start out intersecting do not count until they have come apart
  Report report;
  std::vector<std::pair<std::string, double>> seconds;
};

// Contacts of one pair of bodies, counted.
struct PairCount {
  std::uint64_t contacts = 0;
  std::uint64_t possible = 0;
  std::array<std::uint64_t, 5> by_relation{};  // by Relation
  double first_time = 0;
  std::uint64_t frames_affected = 0;
  std::size_t next_frame = 0;   // after the last frame affected
  bool initial = false;         // they met at the start
  std::uint64_t excusable = 0;  // contacts that belong to what met at the start
  std::uint64_t continued = 0;  // contacts that only go on with one of the time before
  double curve_length = 0;      // of the longest curve along which they cross at a frame
  double curve_time = 0;
};

// What a contact of an animation is to those before it.
struct ContactPast {
  bool from_start = false;  // belongs to what met at the start
  bool continued = false;   // the same features met right before: one contact for people
};

class CheckJson;
class ContactsFile;

// Counts everything, keeps the first few for the table, hands all on to the JSON and the contacts' file.
class CheckTally : public ContactSink {
 public:
  using BodyKey = std::pair<std::uint32_t, std::uint32_t>;

  // `file` may be null.
  CheckTally(CheckJson& json, ContactsFile* file, const CheckRun& run, std::optional<std::uint64_t> limit)
      : json_(json), file_(file), clock_(run.clock), shown_(std::min<std::uint64_t>(limit.value_or(kShown), kShown)) {}

  Flow contact(const Contact& contact) override;
  // The same, of a detector that knows the contact's regions.
  Flow contact(const Contact& contact, const Detector& detector, const ContactPast& past = {});
  void affects(BodyKey pair, std::size_t frame);
  void crosses(BodyKey pair, double curve_length, double time);
  void met_at_start(BodyKey pair) { pairs_[pair].initial = true; }

  const std::map<BodyKey, PairCount>& pairs() const { return pairs_; }
  const std::vector<Contact>& first() const { return first_; }
  std::uint64_t contacts() const { return contacts_; }  // certain ones
  std::uint64_t excusable() const { return excusable_; }
  std::uint64_t continued() const { return continued_; }
  std::uint64_t possible() const { return possible_; }
  std::optional<double> first_time() const { return first_time_; }

 private:
  Flow count(const Contact& contact, const Detector& detector, const ContactPast& past);

  static constexpr std::uint64_t kShown = 10;
  CheckJson& json_;
  ContactsFile* file_;
  const FrameClock& clock_;
  std::uint64_t shown_;
  std::map<BodyKey, PairCount> pairs_;
  std::vector<Contact> first_;
  std::uint64_t contacts_ = 0;
  std::uint64_t excusable_ = 0;
  std::uint64_t continued_ = 0;
  std::uint64_t possible_ = 0;
  std::optional<double> first_time_;
};

// pliant.check/1, written as contacts come. Does nothing without an output.
class CheckJson {
 public:
  CheckJson(JsonWriter::Output output, const CheckRun& run, const Detector& detector,
            std::optional<std::uint64_t> limit);
  // `detector` knows the contact's regions.
  void add(const Contact& contact, const Detector& detector);
  void finish(const CheckTally& tally);
  const Detector& detector() const { return detector_; }

 private:
  void write_bodies();
  void write_pairs(const CheckTally& tally);

  std::optional<JsonWriter> json_;
  const CheckRun& run_;
  const Detector& detector_;
  std::uint64_t left_;
};

void print_check(const CheckRun& run, const CheckTally& tally, const Detector& detector);
int exit_code(const CheckRun& run, const CheckTally& tally);

}  // namespace pliant::app
