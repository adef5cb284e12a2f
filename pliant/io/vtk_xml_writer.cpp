#include "pliant/io/vtk_xml_writer.h"

#include <cmath>

#include "pliant/core/error.h"

namespace pliant {
namespace {

std::vector<float> to_floats(std::span<const double> numbers) {
  std::vector<float> floats;
  floats.reserve(numbers.size());
  for (const double number : numbers) {
    floats.push_back(static_cast<float>(number));
    if (!std::isfinite(floats.back())) throw Error("a coordinate is too large for single precision", "write doubles");
  }
  return floats;
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

VtkXmlWriter::VtkXmlWriter(const std::string& type, Encoding encoding) : is_text_(encoding == Encoding::text) {
  text_ = "<?xml version=\"1.0\"?>\n";
  open("VTKFile", "type=\"" + type + "\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"");
  open(type);
}

void VtkXmlWriter::open(const std::string& tag, const std::string& attributes) {
  text_ += "<" + tag + (attributes.empty() ? "" : " ") + attributes + ">\n";
  open_.push_back(tag);
}

void VtkXmlWriter::close() {
  text_ += "</" + open_.back() + ">\n";
  open_.pop_back();
}

void VtkXmlWriter::positions(std::span<const Vec3> points, Precision precision) {
  const std::span<const double> numbers(points.empty() ? nullptr : points.data()->data(), 3 * points.size());
  open("Points");
  if (precision == Precision::float64) array<double>("points", 3, numbers);
  else array<float>("points", 3, to_floats(numbers));
  close();
}

void VtkXmlWriter::begin_array(const char* type, const std::string& name, std::size_t components, std::uint64_t bytes) {
  text_ += "<DataArray type=\"" + std::string(type) + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
           std::to_string(components) + "\" format=\"";
  if (is_text_) {
    text_ += "ascii\">\n";
    return;
  }
  text_ += "appended\" offset=\"" + std::to_string(appended_.size()) + "\"/>\n";
  append_little(appended_, bytes);
}

void VtkXmlWriter::end_array() {
  if (is_text_) text_ += "\n</DataArray>\n";
}

std::string VtkXmlWriter::finish() {
  while (open_.size() > 1) close();
  if (!is_text_) text_ += "<AppendedData encoding=\"raw\">\n_" + appended_ + "\n</AppendedData>\n";
  close();
  return std::move(text_);
}

}  // namespace pliant
