// The tags of an XML file, one after the other. Just enough for VTK's files; not a validating parser.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pliant/io/text_scanner.h"

namespace pliant {

struct XmlTag {
  std::string_view name;
  bool is_end = false;                                                    // </name>
  bool is_empty = false;                                                  // <name/>
  std::vector<std::pair<std::string_view, std::string_view>> attributes;  // as written: entities are not decoded

  std::string_view operator[](std::string_view attribute) const;  // "" if there is none
};

// The text and the file name must outlive the scanner and its tags.
class XmlScanner {
 public:
  XmlScanner(std::string_view text, std::string_view file) : scan_(text, file) {}

  // The next tag; text, comments and declarations before it are skipped. Nothing at the end of the file. Throws Error
  // for a tag that does not end.
  std::optional<XmlTag> next();
  // What stands between the cursor and the next tag.
  std::string_view text() const;

  TextScanner& scan() { return scan_; }

 private:
  void skip_past(std::string_view end);
  XmlTag read_tag();
  void read_attributes(XmlTag& tag);
  std::string_view name();

  TextScanner scan_;
};

}  // namespace pliant
