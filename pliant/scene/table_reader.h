// Values of one TOML table by key, with errors that name file, line and key, and refuse keys that nobody asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pliant/core/error.h"
#include "pliant/core/vec3.h"
#include "pliant/scene/toml_value.h"
#include "pliant/scene/units.h"

namespace pliant {

// Reads in any order; every key that is asked for is a valid one from then on. All functions throw Error for a value of
// the wrong type, unit or range. The file's values must outlive the reader.
class TableReader {
 public:
  // `what` names the table in errors: "body 'ball'". Throws Error if the value is not a table.
  TableReader(const TomlValue& value, std::string file, std::string what);

  const TomlValue* find(std::string_view key);  // null: not given
  bool has(std::string_view key) { return find(key) != nullptr; }

  // Numbers are finite, in SI units. `least` is allowed itself.
  double number(std::string_view key, double fallback, const Quantity& quantity = kNumber);
  double positive(std::string_view key, double fallback, const Quantity& quantity = kNumber);
  double not_negative(std::string_view key, double fallback, const Quantity& quantity = kNumber);
  int integer(std::string_view key, int fallback, int least);
  bool boolean(std::string_view key, bool fallback);
  std::string text(std::string_view key, std::string fallback = {});
  // Throws for one that is not in the list, suggesting the nearest.
  std::string choice(std::string_view key, std::string fallback, const std::vector<std::string_view>& choices);
  Vec3 vector(std::string_view key, const Vec3& fallback, const Quantity& quantity = kNumber);
  std::vector<Vec3> vectors(std::string_view key, const Quantity& quantity = kNumber);
  const TomlValue::Array& array(std::string_view key);  // empty if not given

  // Throws Error for the first key that was not asked for, suggesting the nearest of those that were.
  void finish() const;

  const std::string& file() const { return file_; }
  const std::string& what() const { return what_; }
  std::uint64_t line() const { return line_; }
  ErrorPlace place_of(std::string_view key, std::uint64_t line) const;
  [[noreturn]] void fail(std::string_view key, const std::string& problem, const std::string& remedy = {}) const;

  // What `read` returns; an Error of it that knows no file is told where it happened.
  template <class Read>
  auto placed(std::string_view key, Read&& read) const {
    try {
      return read();
    } catch (const Error& error) {
      if (!error.place().file.empty()) throw;
      fail(key, error.problem(), error.remedy());
    }
  }

 private:
  const TomlValue* look_up(std::string_view key) const;
  double number_of(std::string_view key, const TomlValue& value, const Quantity& quantity) const;
  Vec3 vector_of(std::string_view key, const TomlValue& value, const Quantity& quantity) const;

  const TomlValue::Table* entries_ = nullptr;
  std::uint64_t line_ = 0;
  std::string file_;
  std::string what_;
  std::vector<std::string> known_;
};

}  // namespace pliant
