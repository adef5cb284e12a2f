#include "pliant/io/pvd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "pliant/core/error.h"
#include "pliant/io/decimal.h"
#include "pliant/io/vtk_xml_writer.h"
#include "pliant/io/xml_scanner.h"

namespace pliant {
namespace {

std::string decode_entities(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string result;
  while (!text.empty()) {
    const auto known = std::find_if(kEntities.begin(), kEntities.end(),
                                    [&](const auto& e) { return text.substr(0, e.first.size()) == e.first; });
    result += known == kEntities.end() ? text.front() : known->second;
    text.remove_prefix(known == kEntities.end() ? 1 : known->first.size());
  }
  return result;
}

PvdEntry read_entry(const XmlTag& tag, const TextScanner& scan) {
  TextScanner number(tag["timestep"], "");
  const std::optional<double> time = number.number();
  if (!time || !std::isfinite(*time)) scan.fail("an entry has no proper timestep", "write the file again");
  PvdEntry entry{*time, decode_entities(tag["file"])};
  const std::filesystem::path path = std::filesystem::path(entry.file).lexically_normal();
  if (path.empty() || path.is_absolute() || *path.begin() == "..")
    scan.fail("an entry names a file outside of its folder: " + entry.file.substr(0, 80),
              "put the frames beside the .pvd");
  return entry;
}

}  // namespace

std::string format_pvd(std::span<const PvdEntry> entries) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const PvdEntry& entry : entries) {
    text += "<DataSet timestep=\"";
    append_decimal(text, entry.time);
    text += "\" part=\"0\" file=\"" + escape_xml(entry.file) + "\"/>\n";
  }
  return text + "</Collection>\n</VTKFile>\n";
}

std::vector<PvdEntry> parse_pvd(std::string_view text, const std::string& name) {
  XmlScanner xml(text, name);
  bool is_collection = false;
  std::vector<PvdEntry> entries;
  while (const std::optional<XmlTag> tag = xml.next()) {
    if (tag->name == "VTKFile" && (*tag)["type"] == "Collection") is_collection = true;
    if (is_collection && tag->name == "DataSet" && !tag->is_end) entries.push_back(read_entry(*tag, xml.scan()));
  }
  const ErrorPlace place{.file = name};
  if (!is_collection) throw Error(place, "is not a .pvd collection", "name the .pvd file that ParaView opens");
  if (entries.empty()) throw Error(place, "the collection is empty", "it should name one file per frame");
  const auto by_time = [](const PvdEntry& a, const PvdEntry& b) { return a.time < b.time; };
  std::stable_sort(entries.begin(), entries.end(), by_time);
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (entries[i].time == entries[i - 1].time)
      throw Error(place, "shows several files at one time: " + entries[i - 1].file + " and " + entries[i].file,
                  "split it into one .pvd a part");
  }
  return entries;
}

}  // namespace pliant
