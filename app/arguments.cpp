#include "app/arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "pliant/core/error.h"
#include "pliant/core/suggest.h"
#include "pliant/detect/registry.h"
#include "pliant/io/mesh_format.h"
#include "pliant/response/response.h"
#include "pliant/scene/scene_library.h"

namespace pliant::app {

std::chrono::nanoseconds parse_duration(const std::string& text) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  double number = 0;
  const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  for (const auto& [name, nanoseconds] : kUnits)
    if (problem == std::errc{} && unit == name && number >= 0) {
      constexpr double kMost = 9.2e18;  // ns, what 64 bits hold: 292 years
      if (number * nanoseconds > kMost) return std::chrono::nanoseconds::max();
      return std::chrono::nanoseconds(static_cast<std::int64_t>(std::llround(number * nanoseconds)));
    }
  throw Error("'" + text + "' is not a duration", "write a number and a unit: 500us, 2ms, 1.5s");
}

namespace {

Check limited(const char* words, bool (*is_good)(double)) {
  return [=](const std::string& text) {
    double number = 0;
    const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = problem == std::errc{} && rest == text.data() + text.size() && std::isfinite(number);
    return is_number && is_good(number) ? std::string() : "'" + text + "' is not " + words;
  };
}

}  // namespace

Check at_least_zero() {
  return limited("a number of 0 or more", [](double number) { return number >= 0; });
}

Check above_zero() {
  return limited("a number above 0", [](double number) { return number > 0; });
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo* method : methods()) names.emplace_back(method->name);
  return names;
}

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const LibraryScene& scene : library_scenes()) names.emplace_back(scene.name);
  return names;
}

std::vector<std::string> response_names() {
  const auto kinds = response_kinds();
  return {kinds.begin(), kinds.end()};
}

void add_threads(Command& command, int& threads) {
  command.add_option("--threads", threads, "Threads to use; 0: all")->check(at_least_zero())->capture_default_str();
}

void add_weld_tolerance(Command& command, double& tolerance) {
  command
      .add_option("--weld-tolerance", tolerance,
                  "Corners of STL files up to this length apart are one vertex (default 0: equal ones)")
      ->check(at_least_zero())
      ->type_name("LENGTH");
}

void require_stl_to_weld(double tolerance, const std::vector<std::string>& meshes) {
  if (tolerance == 0) return;
  for (const std::string& path : meshes)
    if (extension_of(path) == ".stl") return;
  throw Error("--weld-tolerance is about .stl files, whose corners are separate points", "leave it out");
}

void add_method_settings(Command& command, std::vector<std::string>& texts) {
  command.add_option("--set", texts, "Change a setting of the method (see `pliant methods NAME`); may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

MethodSettingsByName method_settings(const std::vector<std::string>& texts, const std::vector<std::string>& methods) {
  if (texts.empty()) return {};
  std::vector<const MethodInfo*> infos;
  infos.reserve(methods.size());
  for (const std::string& name : methods) infos.push_back(&method_info(name));
  try {
    return parse_settings(texts, infos);
  } catch (const Error& error) {
    throw Error("--set: " + error.problem(), error.remedy());
  }
}

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> fields(1);
  for (const char c : text) {
    if (c == separator) fields.emplace_back();
    else fields.back() += c;
  }
  return fields;
}

[[noreturn]] void refuse_ambiguous(const std::string& word, const std::vector<std::string>& names) {
  std::string numbers;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == word) numbers += (numbers.empty() ? "" : ", ") + std::to_string(i);
  throw Error("--pairs: several bodies are named '" + word + "'", "give the number of the one you mean: " + numbers);
}

BodyId parse_body(const std::string& word, const std::vector<std::string>& names) {
  std::size_t number = 0;
  const auto [rest, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (problem == std::errc{} && rest == word.data() + word.size() && number < names.size()) return BodyId(number);
  const auto found = std::find(names.begin(), names.end(), word);
  if (std::count(found, names.end(), word) > 1) refuse_ambiguous(word, names);
  if (found != names.end()) return BodyId(static_cast<std::size_t>(found - names.begin()));
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw Error("--pairs: there is no body '" + word + "'",
              "bodies are numbered 0 to " + std::to_string(names.size() - 1) + "; " + suggestion(word, known));
}

}  // namespace

PairSet parse_pairs(const std::string& text, const std::vector<std::string>& body_names) {
  PairSet pairs;
  for (const std::string& pair : split(text, ',')) {
    const auto words = split(pair, ':');
    if (words.size() != 2) throw Error("--pairs: '" + pair + "' is not a pair", "write a:b, separated by commas");
    pairs.add(parse_body(words[0], body_names), parse_body(words[1], body_names));
  }
  return pairs;
}

}  // namespace pliant::app
