// The report of a check as JSON, pliant.check/2 (docs/check.md): written while contacts come, and read back.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pliant/check/check.h"
#include "pliant/io/json_writer.h"

namespace pliant {

// Seconds that stages took, by name.
using CheckSeconds = std::vector<std::pair<std::string, double>>;

// A sink that writes contacts as they come, and the rest with finish(). Nothing but a small buffer is kept.
class CheckJson : public CheckSink {
 public:
  // At most `limit` contacts are listed; all are counted.
  explicit CheckJson(JsonWriter::Output output, std::uint64_t limit = std::numeric_limits<std::uint64_t>::max());

  void begin(const CheckReport& asked, std::span<const CheckBody> bodies) override;
  Flow contact(const CheckedContact& contact, const Detector& detector) override;
  void finish(const CheckReport& report, const CheckSeconds& seconds = {});

  // For contacts that are named already, after begin().
  void begin(const CheckReport& asked);
  void add(const NamedContact& contact);

 private:
  void write_pairs(const CheckReport& report);
  void write_summary(const CheckReport& report);

  JsonWriter json_;
  FeatureNames names_;
  std::uint64_t limit_;
  std::uint64_t listed_ = 0;
};

// A report with its contacts. `report.first_few` is empty, and `listed` the number of contacts here.
struct CheckDocument {
  CheckReport report;
  std::vector<NamedContact> contacts;
  CheckSeconds seconds;
};

// Throws Error, naming the file and what is wrong in it, for anything but a report of this version.
CheckDocument read_check_json(std::string_view text, const std::string& file);

// Reads back as the same.
void write_check_json(const JsonWriter::Output& output, const CheckDocument& document);

}  // namespace pliant
