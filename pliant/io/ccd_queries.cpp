#include "pliant/io/ccd_queries.h"

#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

#include "pliant/core/error.h"
#include "pliant/io/file.h"
#include "pliant/io/text_scanner.h"

namespace pliant {
namespace {

static_assert(std::endian::native == std::endian::little, "the readers copy little-endian values as they are");

// The three arrays of a .ccdq or .ccdp file, with its header and size checked.
class BinaryFile {
 public:
  BinaryFile(const std::filesystem::path& file, std::string_view magic, std::size_t row_bytes)
      : file_(file.string()), row_bytes_(row_bytes), content_(read_file(file_)), bytes_(content_.view()) {
    if (bytes_.size() < kHeader || bytes_.substr(0, magic.size()) != magic) {
      throw Error(ErrorPlace{.file = file_, .byte = 0}, "does not begin with " + std::string(magic));
    }
    const auto kind = value<std::uint32_t>(8);
    if (kind > 1) {
      throw Error(ErrorPlace{.file = file_, .byte = 8},
                  "kind " + std::to_string(kind) + " is neither 0 (edge-edge) nor 1 (vertex-face)");
    }
    kind_ = static_cast<CcdKind>(kind);
    count_ = value<std::uint32_t>(12);
    const std::uint64_t wanted = kHeader + static_cast<std::uint64_t>(count_) * (row_bytes + 1 + sizeof(double));
    if (bytes_.size() != wanted) {
      throw Error(ErrorPlace{.file = file_}, "has " + std::to_string(bytes_.size()) +
                                                 " bytes where its header asks for " + std::to_string(wanted));
    }
  }

  CcdKind kind() const { return kind_; }
  std::size_t count() const { return count_; }

  template <class Row>
  Row row(std::size_t i) const {
    return value<Row>(kHeader + i * row_bytes_);
  }

  CcdTruth truth(std::size_t i) const {
    const std::size_t flags = kHeader + count_ * row_bytes_;
    const auto flag = value<std::uint8_t>(flags + i);
    if (flag > 1) fail(i, "collides is " + std::to_string(flag) + " instead of 0 or 1");
    return {flag == 1, value<double>(flags + count_ + i * sizeof(double))};
  }

  [[noreturn]] void fail(std::size_t i, const std::string& problem) const {
    throw Error(ErrorPlace{.file = file_, .element = "query " + std::to_string(i)}, problem);
  }

 private:
  static constexpr std::size_t kHeader = 16;

  template <class T>
  T value(std::size_t offset) const {
    T result;
    std::memcpy(&result, bytes_.data() + offset, sizeof(T));
    return result;
  }

  std::string file_;
  std::size_t row_bytes_;
  FileBytes content_;
  std::string_view bytes_;
  CcdKind kind_ = CcdKind::vertex_face;
  std::size_t count_ = 0;
};

CcdQuery query_of(const std::array<double, 24>& x) {
  CcdQuery query;
  for (int i = 0; i < 4; ++i) {
    query.x_t0[i] = Vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    query.x_t1[i] = Vec3(x[12 + 3 * i], x[13 + 3 * i], x[14 + 3 * i]);
  }
  return query;
}

using Integer = boost::multiprecision::cpp_int;

// numerator / denominator > 0 to double, rounded towards zero if it does not fit.
struct Rounded {
  double value = 0;
  bool exact = true;
};

Rounded to_double(Integer numerator, Integer denominator) {
  if (numerator == 0) return {};
  const bool negative = numerator < 0;
  if (negative) numerator = -numerator;
  const auto bits = [](const Integer& x) { return static_cast<int>(msb(x)); };
  // A quotient of 54 to 56 bits, of which the last one or three are dropped.
  const int shift = 55 - (bits(numerator) - bits(denominator));
  (shift >= 0 ? numerator : denominator) <<= static_cast<unsigned>(std::abs(shift));
  const Integer quotient = numerator / denominator;
  const auto q = static_cast<std::uint64_t>(quotient);
  const int excess = std::bit_width(q) - 53;
  const double value = std::ldexp(static_cast<double>(q >> excess), excess - shift);
  const bool exact = quotient * denominator == numerator && ((q >> excess) << excess) == q &&
                     std::ldexp(value, shift - excess) == static_cast<double>(q >> excess);
  return {negative ? -value : value, exact};
}

// One row of a .csv file: six integers and a flag.
class CsvRow {
 public:
  CsvRow(const std::string& file, std::uint64_t line, std::string_view text) : place_{.file = file, .line = line} {
    for (std::size_t i = 0; i < cell_.size(); ++i) {
      const std::size_t comma = text.find(',');
      const bool last = i + 1 == cell_.size();
      if (last != (comma == std::string_view::npos)) fail("does not have seven columns");
      cell_[i] = trimmed(text.substr(0, comma));
      if (!last) text.remove_prefix(comma + 1);
    }
  }

  Rounded coordinate(int axis) const {
    const Integer denominator = integer(cell_[2 * axis + 1]);
    if (denominator <= 0) fail("has a denominator that is not positive");
    return to_double(integer(cell_[2 * axis]), denominator);
  }

  bool collides() const {
    if (cell_[6] != "0" && cell_[6] != "1") fail("does not end with 0 or 1");
    return cell_[6] == "1";
  }

  [[noreturn]] void fail(const std::string& problem) const { throw Error(place_, "row " + problem); }

 private:
  static std::string_view trimmed(std::string_view s) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!s.empty() && blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && blank(s.back())) s.remove_suffix(1);
    return s;
  }

  Integer integer(std::string_view s) const {
    const bool negative = !s.empty() && s.front() == '-';
    if (negative) s.remove_prefix(1);
    if (s.empty() || s.find_first_not_of("0123456789") != std::string_view::npos) fail("has a cell that is no integer");
    while (s.size() > 1 && s.front() == '0') s.remove_prefix(1);  // a leading 0 would mean octal
    const Integer value{std::string(s)};
    return negative ? Integer(-value) : value;
  }

  ErrorPlace place_;
  std::array<std::string_view, 7> cell_;
};

}  // namespace

CcdQueryFile read_ccdq(const std::filesystem::path& file) {
  const BinaryFile in(file, "CCDQ0001", 24 * sizeof(double));
  CcdQueryFile result{.kind = in.kind()};
  for (std::size_t i = 0; i < in.count(); ++i) {
    const auto x = in.row<std::array<double, 24>>(i);
    for (const double coordinate : x) {
      if (!std::isfinite(coordinate)) in.fail(i, "has a coordinate that is not finite");
    }
    result.queries.push_back(query_of(x));
    result.truth.push_back(in.truth(i));
  }
  return result;
}

CcdPairFile read_ccdp(const std::filesystem::path& file, std::size_t vertex_count) {
  const BinaryFile in(file, "CCDP0001", 4 * sizeof(std::int32_t));
  CcdPairFile result{.kind = in.kind()};
  for (std::size_t i = 0; i < in.count(); ++i) {
    const auto pair = in.row<std::array<std::uint32_t, 4>>(i);
    for (const std::uint32_t vertex : pair) {
      if (vertex >= vertex_count) {
        in.fail(i, "names vertex " + std::to_string(vertex) + " of " + std::to_string(vertex_count));
      }
    }
    result.pairs.push_back(pair);
    result.truth.push_back(in.truth(i));
  }
  return result;
}

CcdQueryFile read_ccd_csv(const std::filesystem::path& file, CcdKind kind) {
  const FileBytes content = read_file(file.string());
  CcdQueryFile result{.kind = kind};
  std::array<double, 24> x{};
  std::istringstream in{std::string(without_byte_order_mark(content.view()))};
  std::string text;
  std::uint64_t line = 0, row = 0;
  bool collides = false;
  while (std::getline(in, text)) {
    ++line;
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    const CsvRow cells(file.string(), line, text);
    for (int axis = 0; axis < 3; ++axis) {
      const Rounded r = cells.coordinate(axis);
      if (!std::isfinite(r.value)) cells.fail("has a coordinate beyond the largest double");
      result.rounded_coordinates += r.exact ? 0 : 1;
      x[3 * (row % 8) + static_cast<std::size_t>(axis)] = r.value;
    }
    if (row % 8 != 0 && cells.collides() != collides) cells.fail("contradicts the rows of its query above");
    collides = cells.collides();
    if (++row % 8 == 0) {
      result.queries.push_back(query_of(x));
      result.truth.push_back({collides, std::numeric_limits<double>::quiet_NaN()});
    }
  }
  if (row % 8 != 0) {
    throw Error(ErrorPlace{.file = file.string(), .line = line}, "ends inside a query",
                "a query is eight rows, this file has " + std::to_string(row));
  }
  return result;
}

}  // namespace pliant
