#include "pliant/core/error.h"

namespace pliant {
namespace {

std::string describe(const ErrorPlace& place, const std::string& problem, const std::string& remedy) {
  std::string text = place.file;
  if (place.line) text += (text.empty() ? "line " : ":") + std::to_string(*place.line);
  if (place.byte) text += (text.empty() ? "byte " : ", byte ") + std::to_string(*place.byte);
  if (!place.element.empty()) text += (text.empty() ? "" : ", ") + place.element;
  if (!text.empty()) text += ": ";
  text += problem;
  if (!remedy.empty()) text += " (" + remedy + ")";
  return text;
}

}  // namespace

Error::Error(const std::string& problem, const std::string& remedy) : Error(ErrorPlace{}, problem, remedy) {}

Error::Error(const ErrorPlace& place, const std::string& problem, const std::string& remedy)
    : std::runtime_error(describe(place, problem, remedy)), place_(place), problem_(problem), remedy_(remedy) {}

}  // namespace pliant
