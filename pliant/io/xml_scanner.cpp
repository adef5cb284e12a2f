#include "pliant/io/xml_scanner.h"

namespace pliant {
namespace {

constexpr const char* kBrokenXml = "the XML file is truncated or damaged: export it again";

}  // namespace

std::string_view XmlTag::operator[](std::string_view attribute) const {
  for (const auto& [key, value] : attributes) {
    if (key == attribute) return value;
  }
  return {};
}

void XmlScanner::skip_past(std::string_view end) {
  const std::size_t found = scan_.rest().find(end);
  if (found == std::string_view::npos)
    scan_.fail("a tag does not end: there is no '" + std::string(end) + "'", kBrokenXml);
  scan_.advance(found + end.size());
}

std::string_view XmlScanner::text() const { return scan_.rest().substr(0, scan_.rest().find('<')); }

std::optional<XmlTag> XmlScanner::next() {
  for (;;) {
    scan_.advance(text().size());
    if (scan_.at_end()) return std::nullopt;
    const std::string_view rest = scan_.rest();
    if (rest.substr(0, 4) == "<!--") skip_past("-->");
    else if (rest.substr(0, 2) == "<?") skip_past("?>");
    else if (rest.substr(0, 2) == "<!") skip_past(">");
    else return read_tag();
  }
}

std::string_view XmlScanner::name() {
  const std::string_view rest = scan_.rest();
  const std::string_view found = rest.substr(0, rest.find_first_of(" \t\r\n=/<>\"'"));
  if (found.empty()) scan_.fail("expected a name, found " + scan_.found(), kBrokenXml);
  scan_.advance(found.size());
  return found;
}

XmlTag XmlScanner::read_tag() {
  XmlTag tag;
  scan_.advance(1);
  if (scan_.peek() == '/') {
    tag.is_end = true;
    scan_.advance(1);
  }
  tag.name = name();
  read_attributes(tag);
  return tag;
}

void XmlScanner::read_attributes(XmlTag& tag) {
  for (scan_.skip_space(); scan_.peek() != '>'; scan_.skip_space()) {
    if (scan_.next_is('/', '>')) {
      tag.is_empty = true;
      scan_.advance(1);
      break;
    }
    const std::string_view key = name();
    scan_.skip_space();
    if (scan_.peek() != '=') scan_.fail("an attribute has no value", kBrokenXml);
    scan_.advance(1);
    scan_.skip_space();
    const char quote = scan_.peek();
    if (quote != '"' && quote != '\'') scan_.fail("the value of an attribute is not in quotes", kBrokenXml);
    scan_.advance(1);
    const std::string_view value = scan_.rest().substr(0, scan_.rest().find(quote));
    skip_past({&quote, 1});
    tag.attributes.emplace_back(key, value);
  }
  scan_.advance(1);
}

}  // namespace pliant
