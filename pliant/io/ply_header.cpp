#include "pliant/io/ply_header.h"

#include <array>
#include <optional>

#include "pliant/io/text_scanner.h"

namespace pliant {
namespace {

std::optional<PlyType> type_named(std::string_view name) {
  struct Entry {
    std::string_view name;
    PlyType type;
  };
  constexpr std::array<Entry, 16> kTypes = {{{"char", PlyType::int8},
                                             {"int8", PlyType::int8},
                                             {"uchar", PlyType::uint8},
                                             {"uint8", PlyType::uint8},
                                             {"short", PlyType::int16},
                                             {"int16", PlyType::int16},
                                             {"ushort", PlyType::uint16},
                                             {"uint16", PlyType::uint16},
                                             {"int", PlyType::int32},
                                             {"int32", PlyType::int32},
                                             {"uint", PlyType::uint32},
                                             {"uint32", PlyType::uint32},
                                             {"float", PlyType::float32},
                                             {"float32", PlyType::float32},
                                             {"double", PlyType::float64},
                                             {"float64", PlyType::float64}}};
  for (const Entry& entry : kTypes) {
    if (entry.name == name) return entry.type;
  }
  return std::nullopt;
}

class HeaderReader {
 public:
  HeaderReader(std::string_view bytes, const std::string& file) : scan_(bytes, file) {}

  PlyHeader read() {
    if (next_word() != "ply") scan_.fail_at(0, "not a PLY file", "it must begin with the line 'ply'");
    end_line();
    for (std::string_view keyword = next_word(); keyword != "end_header"; keyword = next_word()) {
      if (keyword == "format") read_format();
      else if (keyword == "element") read_element();
      else if (keyword == "property") read_property();
      else if (keyword == "comment" || keyword == "obj_info" || keyword.empty()) scan_.rest_of_line();
      else fail("unknown statement '" + printable(keyword) + "' in the header");
      end_line();
    }
    end_line();
    if (!has_format_) fail("the header has no format line");
    header_.size = scan_.offset();
    return std::move(header_);
  }

 private:
  static std::string printable(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, 24)) result += c >= ' ' && c <= '~' ? c : '?';
    return result;
  }

  [[noreturn]] void fail(const std::string& problem) {
    scan_.fail(problem, "the header of the PLY file is damaged: export it again");
  }

  std::string_view next_word() {
    if (scan_.at_end()) fail("the file ends inside the header");
    scan_.skip_blanks();
    return scan_.word();
  }

  void end_line() {
    if (!scan_.rest_of_line().empty()) fail("unexpected text at the end of a header line");
    if (scan_.at_end()) return;
    scan_.skip_line();
    ++header_.line_count;
  }

  void read_format() {
    const std::string_view encoding = next_word();
    if (encoding == "ascii") header_.encoding = PlyEncoding::text;
    else if (encoding == "binary_little_endian") header_.encoding = PlyEncoding::binary_little;
    else if (encoding == "binary_big_endian") header_.encoding = PlyEncoding::binary_big;
    else fail("unknown format '" + printable(encoding) + "'");
    if (next_word() != "1.0") fail("the format version is not 1.0");
    has_format_ = true;
  }

  void read_element() {
    const std::string_view name = next_word();
    scan_.skip_blanks();
    const std::optional<std::int64_t> count = scan_.integer();
    if (name.empty() || !count || *count < 0) fail("an element needs a name and a count");
    header_.elements.push_back({std::string(name), static_cast<std::uint64_t>(*count), {}});
  }

  void read_property() {
    if (header_.elements.empty()) fail("a property stands before any element");
    PlyProperty property;
    std::string_view type = next_word();
    if (type == "list") {
      property.is_list = true;
      property.count_type = require_type(next_word());
      if (property.count_type >= PlyType::float32) fail("the count of a list must be an integer");
      type = next_word();
    }
    property.type = require_type(type);
    property.name = next_word();
    if (property.name.empty()) fail("a property needs a name");
    header_.elements.back().properties.push_back(std::move(property));
  }

  PlyType require_type(std::string_view name) {
    const std::optional<PlyType> type = type_named(name);
    if (!type) fail("unknown type '" + printable(name) + "'");
    return *type;
  }

  TextScanner scan_;
  PlyHeader header_;
  bool has_format_ = false;
};

}  // namespace

std::size_t size_of(PlyType type) {
  constexpr std::array<std::size_t, 8> kSizes = {1, 1, 2, 2, 4, 4, 4, 8};
  return kSizes[static_cast<std::size_t>(type)];
}

int PlyElement::find(std::string_view property) const {
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if (properties[i].name == property) return static_cast<int>(i);
  }
  return -1;
}

bool PlyElement::has_lists() const {
  for (const PlyProperty& property : properties) {
    if (property.is_list) return true;
  }
  return false;
}

std::size_t PlyElement::least_size() const {
  std::size_t size = 0;
  for (const PlyProperty& property : properties)
    size += size_of(property.is_list ? property.count_type : property.type);
  return size;
}

const PlyElement* PlyHeader::find(std::string_view element) const {
  for (const PlyElement& candidate : elements) {
    if (candidate.name == element) return &candidate;
  }
  return nullptr;
}

PlyHeader parse_ply_header(std::string_view bytes, const std::string& file) { return HeaderReader(bytes, file).read(); }

}  // namespace pliant
