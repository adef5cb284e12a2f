#include "pliant/io/sequence_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>

#include "pliant/core/error.h"
#include "pliant/io/number_pattern.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

// Greedy with one step back: the last star takes as little as it can.
bool matches_glob(std::string_view name, std::string_view glob) {
  std::size_t n = 0, g = 0, star = std::string_view::npos, star_n = 0;
  while (n < name.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      star_n = n;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == name[n])) {
      ++n;
      ++g;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      n = ++star_n;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

// "walk9" before "walk10".
bool in_natural_order(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    while (i < a.size() && a[i] == '0') ++i;
    while (j < b.size() && b[j] == '0') ++j;
    std::size_t i_end = i, j_end = j;
    while (i_end < a.size() && is_digit(a[i_end])) ++i_end;
    while (j_end < b.size() && is_digit(b[j_end])) ++j_end;
    if (i_end - i != j_end - j) return i_end - i < j_end - j;
    const int order = a.compare(i, i_end - i, b, j, j_end - j);
    if (order != 0) return order < 0;
    i = i_end;
    j = j_end;
  }
  if ((i < a.size()) != (j < b.size())) return j < b.size();
  return a < b;  // differ in leading zeros only
}

std::vector<std::string> file_names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code unknown;  // of a link that leads nowhere
    if (entry->is_regular_file(unknown)) names.push_back(entry->path().filename().string());
  }
  if (error)
    throw Error(ErrorPlace{.file = folder.string()}, "the folder cannot be read: " + error.message(),
                "check the path and the permissions");
  std::sort(names.begin(), names.end(), in_natural_order);
  return names;
}

std::vector<std::string> mesh_files(std::vector<std::string> names, const std::string& path) {
  const auto extension = [](const std::string& name) { return fs::path(name).extension().string(); };
  constexpr std::array<std::string_view, 4> kMeshes = {".obj", ".ply", ".stl", ".off"};
  std::erase_if(names, [&](const std::string& name) {
    return std::find(kMeshes.begin(), kMeshes.end(), extension(name)) == kMeshes.end();
  });
  for (const std::string& name : names) {
    if (extension(name) != extension(names[0]))
      throw Error(ErrorPlace{.file = path},
                  "the folder holds both " + extension(names[0]) + " and " + extension(name) + " files",
                  "name the frames with a pattern such as frame.%04d.obj");
  }
  return names;
}

// "walk2.0100.obj": the texts "walk", "." and ".obj", and between them the numbers "2" and "0100".
struct NameFields {
  std::vector<std::string> texts, numbers;

  explicit NameFields(const std::string& name) : texts(1) {
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (!is_digit(name[i])) texts.back() += name[i];
      else if (i > 0 && is_digit(name[i - 1])) numbers.back() += name[i];
      else {
        numbers.emplace_back(1, name[i]);
        texts.emplace_back();
      }
    }
  }
};

// Files whose names differ in one number only.
struct Series {
  NumberPattern pattern;
  std::map<std::uint64_t, std::string> names;  // by number
};

[[noreturn]] void fail(const std::string& path, const std::string& problem, const std::string& remedy) {
  throw Error(ErrorPlace{.file = path}, problem, remedy);
}

void add_to(Series& series, const std::string& name, std::uint64_t number, const std::string& path) {
  const auto [other, is_new] = series.names.emplace(number, name);
  if (!is_new)
    fail(path, "the files " + other->second + " and " + name + " have the same number",
         "move one of them elsewhere, or name the frames by a pattern: walk.%04d.obj");
}

// The last number in which names of the same texts differ: that of the frame.
std::optional<std::size_t> frame_field(const std::vector<NameFields>& names) {
  for (std::size_t k = names[0].numbers.size(); k-- > 0;) {
    for (const NameFields& name : names)
      if (name.numbers[k] != names[0].numbers[k]) return k;
  }
  return std::nullopt;
}

NumberPattern pattern_of(const NameFields& name, std::size_t field) {
  NumberPattern pattern{.before = name.texts[0], .width = name.numbers[field].size(), .after = name.texts[field + 1]};
  for (std::size_t k = 0; k < field; ++k) pattern.before += name.numbers[k] + name.texts[k + 1];
  for (std::size_t k = field + 1; k < name.numbers.size(); ++k) pattern.after += name.numbers[k] + name.texts[k + 1];
  return pattern;
}

// Names without numbers, alone of their kind, or with numbers of more than 18 digits are left out.
std::vector<Series> series_among(const std::vector<std::string>& names, const std::string& path) {
  std::map<std::vector<std::string>, std::vector<std::string>> by_texts;
  for (const std::string& name : names) by_texts[NameFields(name).texts].push_back(name);
  std::vector<Series> all;
  for (const auto& [texts, alike] : by_texts) {
    const std::vector<NameFields> fields(alike.begin(), alike.end());
    const std::optional<std::size_t> field = frame_field(fields);
    if (!field) continue;
    std::map<std::pair<std::string, std::string>, Series> by_rest;
    for (std::size_t i = 0; i < alike.size(); ++i) {
      const NumberPattern pattern = pattern_of(fields[i], *field);
      if (pattern.width > 18) continue;
      Series& series = by_rest.emplace(std::pair(pattern.before, pattern.after), Series{pattern, {}}).first->second;
      series.pattern.width = std::min(series.pattern.width, pattern.width);
      add_to(series, alike[i], std::stoull(fields[i].numbers[*field]), path);
    }
    for (auto& [rest, series] : by_rest) all.push_back(std::move(series));
  }
  return all;
}

Series series_of(const NumberPattern& pattern, const std::vector<std::string>& names) {
  Series series{pattern, {}};
  for (const std::string& name : names)
    if (const std::optional<std::uint64_t> number = pattern.number_in(name)) series.names.emplace(*number, name);
  return series;
}

// The smallest step between neighbours: where a number is missing, that is not among them.
std::uint64_t step_of(const Series& series) {
  std::uint64_t step = UINT64_MAX;
  for (auto at = series.names.begin(); std::next(at) != series.names.end(); ++at)
    step = std::min(step, std::next(at)->first - at->first);
  return step;
}

// All frames from the first number to the last, missing ones among them. `path` names the sequence in errors.
std::vector<SequenceFile> frames_of(const Series& series, const std::string& path) {
  constexpr std::uint64_t kMostFrames = 10'000'000;  // missing ones included: their names take memory
  std::vector<SequenceFile> frames;
  const std::uint64_t step = series.names.size() < 2 ? 1 : step_of(series);
  std::uint64_t expected = series.names.empty() ? 0 : series.names.begin()->first;
  for (const auto& [number, name] : series.names) {
    const std::uint64_t missing = (number - expected) / step;
    if ((number - expected) % step != 0 || missing > kMostFrames - std::min<std::uint64_t>(kMostFrames, frames.size()))
      fail(path, "the sequence has a gap: " + series.pattern.name(expected) + " is missing",
           "numbers must go up in equal steps");
    for (std::uint64_t i = 0; i < missing; ++i, expected += step)
      frames.push_back({series.pattern.name(expected), false});
    frames.push_back({name, true});
    expected = number + step;
  }
  return frames;
}

// "walk.0058.obj is missing and 3 more": the first of them is frame k.
std::string gap_text(const std::vector<SequenceFile>& files, std::size_t k) {
  const auto begin = files.begin() + static_cast<std::ptrdiff_t>(k);
  const auto count = std::count_if(begin, files.end(), [](const SequenceFile& file) { return !file.exists; });
  return "the sequence has a gap: " + fs::path(begin->path).filename().string() + " is missing" +
         (count > 1 ? " and " + std::to_string(count - 1) + " more" : "");
}

std::vector<SequenceFile> frames_among(const std::vector<std::string>& names, const std::string& path) {
  const std::vector<Series> all = series_among(names, path);
  if (all.size() == 1 && all[0].names.size() == names.size()) return frames_of(all[0], path);
  for (const Series& series : all) {
    const std::vector<SequenceFile> frames = frames_of(series, path);
    for (std::size_t k = 0; k < frames.size(); ++k)
      if (!frames[k].exists) fail(path, gap_text(frames, k), "export it again, or name the frames by a pattern");
  }
  std::vector<SequenceFile> files;
  files.reserve(names.size());
  for (const std::string& name : names) files.push_back({name, true});
  return files;
}

}  // namespace

bool is_glob(const std::string& name) { return name.find_first_of("*?") != std::string::npos; }

std::vector<SequenceFile> find_sequence(const std::string& path) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  const fs::path folder = is_folder ? fs::path(path) : fs::path(path).parent_path();
  std::vector<std::string> names = file_names_in(folder.empty() ? fs::path(".") : folder);
  const std::string name = fs::path(path).filename().string();
  const std::optional<NumberPattern> pattern = is_folder ? std::nullopt : find_pattern(name);
  if (is_folder) names = mesh_files(std::move(names), path);
  else if (!pattern) std::erase_if(names, [&](const std::string& found) { return !matches_glob(found, name); });
  std::vector<SequenceFile> files = pattern ? frames_of(series_of(*pattern, names), path) : frames_among(names, path);
  if (files.empty())
    fail(path, "no file matches",
         "name the frames as walk.%04d.obj, 'walk.####.obj', 'walk.$F4.obj', 'walk.*.obj' or a folder");
  for (SequenceFile& file : files) file.path = (folder / file.path).string();
  return files;
}

void require_files(const std::vector<SequenceFile>& files, const std::string& path, const FrameChoice& choice) {
  for (std::size_t k = choice.first; k < files.size() && k <= choice.last; k += std::max<std::size_t>(choice.step, 1)) {
    if (files[k].exists) continue;
    std::size_t after = k;
    while (!files[after].exists) ++after;  // the last one is there
    fail(path, gap_text(files, k) + ", which should be frame " + std::to_string(k) + ", counted from 0",
         "export it again, or choose frames on one side of the gap: --end " + std::to_string(k - 1) + " or --start " +
             std::to_string(after));
  }
}

}  // namespace pliant
