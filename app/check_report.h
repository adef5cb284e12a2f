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
  std::vector<std::pair<const char*, std::size_t>> defects;  // name and count of every kind that it has
};

CheckBody make_check_body(std::string name, MeshPtr mesh);

struct CheckRun {
  std::string method;
  std::string mode;
  std::vector<CheckBody> bodies;
  Report report;
  std::vector<std::pair<std::string, double>> seconds;
};

// Contacts of one pair of bodies, counted.
struct PairCount {
  std::uint64_t contacts = 0;
  std::uint64_t possible = 0;
  std::array<std::uint64_t, 5> by_relation{};  // by Relation
  double first_time = 0;
};

class CheckJson;

// Counts everything, keeps the first few for the table, hands all on to the JSON.
class CheckTally : public ContactSink {
 public:
  CheckTally(CheckJson& json, std::optional<std::uint64_t> limit)
      : json_(json), shown_(std::min<std::uint64_t>(limit.value_or(kShown), kShown)) {}
  Flow contact(const Contact& contact) override;

  using BodyKey = std::pair<std::uint32_t, std::uint32_t>;
  const std::map<BodyKey, PairCount>& pairs() const { return pairs_; }
  const std::vector<Contact>& first() const { return first_; }
  std::uint64_t contacts() const { return contacts_; }  // certain ones
  std::uint64_t possible() const { return possible_; }
  std::optional<double> first_time() const { return first_time_; }

 private:
  static constexpr std::uint64_t kShown = 10;
  CheckJson& json_;
  std::uint64_t shown_;
  std::map<BodyKey, PairCount> pairs_;
  std::vector<Contact> first_;
  std::uint64_t contacts_ = 0;
  std::uint64_t possible_ = 0;
  std::optional<double> first_time_;
};

// pliant.check/1, written as contacts come. Does nothing without an output.
class CheckJson {
 public:
  CheckJson(JsonWriter::Output output, const CheckRun& run, const Detector& detector,
            std::optional<std::uint64_t> limit);
  void add(const Contact& contact);
  void finish(const CheckTally& tally);

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
