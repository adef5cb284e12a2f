#include "pliant/io/sequence.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>

#include "pliant/core/error.h"
#include "pliant/io/file.h"
#include "pliant/io/number_pattern.h"
#include "pliant/io/pvd.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

bool is_glob(const std::string& name) { return name.find_first_of("*?") != std::string::npos; }

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
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
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
  fs::directory_iterator entries(folder, error);
  if (error) throw Error(ErrorPlace{.file = folder.string()}, "the folder can not be read: " + error.message());
  for (const fs::directory_entry& entry : entries) {
    if (entry.is_regular_file(error)) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end(), in_natural_order);
  return names;
}

// The smallest step between neighbours: where a number is missing, that is not among them.
std::uint64_t step_of(const std::vector<std::uint64_t>& numbers) {
  std::uint64_t step = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 1; i < numbers.size(); ++i) step = std::min(step, numbers[i] - numbers[i - 1]);
  return step;
}

std::vector<std::string> numbered(const std::vector<std::string>& names, const NumberPattern& pattern,
                                  const std::string& path) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& name : names) {
    if (const std::optional<std::uint64_t> number = pattern.number_in(name)) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  const std::uint64_t step = step_of(numbers);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint64_t expected = numbers[0] + i * step;
    if (numbers[i] != expected)
      throw Error(ErrorPlace{.file = path}, "the sequence has a gap: " + pattern.name(expected) + " is missing",
                  "numbers must go up in equal steps");
    result.push_back(pattern.name(numbers[i]));
  }
  return result;
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

// The faces as the file gives them, as sets: per polygon its vertices, ascending. Order and winding are left out,
// because those of the boundary of tetrahedra change when one is turned inside out.
std::vector<std::vector<VertexId>> polygons_of(const TriangleMesh& mesh) {
  std::vector<std::vector<VertexId>> polygons;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    if (f == 0 || mesh.polygon_in_file(FaceId(f)) != mesh.polygon_in_file(FaceId(f - 1))) polygons.emplace_back();
    polygons.back().insert(polygons.back().end(), mesh.triangles()[f].begin(), mesh.triangles()[f].end());
  }
  for (std::vector<VertexId>& polygon : polygons) {
    std::sort(polygon.begin(), polygon.end());
    polygon.erase(std::unique(polygon.begin(), polygon.end()), polygon.end());
  }
  std::sort(polygons.begin(), polygons.end());
  return polygons;
}

bool same_faces(const TriangleMesh& a, const TriangleMesh& b) {
  if (std::equal(a.triangles().begin(), a.triangles().end(), b.triangles().begin(), b.triangles().end())) return true;
  return a.origin().polygon_of_face == b.origin().polygon_of_face && polygons_of(a) == polygons_of(b);
}

// Of "walk2.0100.obj" 100.
std::optional<std::uint64_t> last_number_in(const std::string& name) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t last = fs::path(name).stem().string().find_last_of(kDigits);
  if (last == std::string::npos) return std::nullopt;
  const std::size_t before = name.find_last_not_of(kDigits, last);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  if (last - first >= 18) return std::nullopt;
  return std::stoull(name.substr(first, last - first + 1));
}

class SequenceSource : public FrameSource {
 public:
  SequenceSource(std::vector<std::string> files, MeshPtr reference)
      : files_(std::move(files)), reference_(std::move(reference)) {
    if (!reference_) reference_ = read_mesh(files_[0]);
  }
  std::size_t vertex_count() const override { return reference_->vertex_count(); }
  std::size_t frame_count() const override { return files_.size(); }
  Frame frame(std::size_t index) override {
    const MeshPtr mesh = read_mesh(files_[index]);
    const auto counts = [](const TriangleMesh& m) {
      return std::to_string(m.vertex_count()) + " vertices and " + std::to_string(m.face_count()) + " triangles";
    };
    const ErrorPlace place{.file = files_[index], .element = "frame " + std::to_string(index)};
    const std::string remedy =
        "every frame must have the vertices and faces of " +
        (reference_->origin().name.empty() ? std::string("the mesh") : reference_->origin().name);
    if (mesh->vertex_count() != reference_->vertex_count() || mesh->face_count() != reference_->face_count())
      throw Error(place, "the frame has " + counts(*mesh) + " instead of " + counts(*reference_), remedy);
    if (!same_faces(*mesh, *reference_)) throw Error(place, "the faces join other vertices than before", remedy);
    return Frame::of_mesh(mesh);
  }

 private:
  std::vector<std::string> files_;
  MeshPtr reference_;
};

}  // namespace

bool names_sequence(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return true;
  if (fs::is_regular_file(path, error)) return false;  // a file may well have such a name
  const std::string name = fs::path(path).filename().string();
  return find_pattern(name).has_value() || is_glob(name);
}

std::vector<std::string> list_sequence(const std::string& path) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  const fs::path folder = is_folder ? fs::path(path) : fs::path(path).parent_path();
  std::vector<std::string> names = file_names_in(folder.empty() ? fs::path(".") : folder);
  const std::string name = fs::path(path).filename().string();
  if (is_folder) names = mesh_files(std::move(names), path);
  else if (const std::optional<NumberPattern> pattern = find_pattern(name)) names = numbered(names, *pattern, path);
  else std::erase_if(names, [&](const std::string& candidate) { return !matches_glob(candidate, name); });
  if (names.empty())
    throw Error(ErrorPlace{.file = path}, "no file matches",
                "name the frames as walk.%04d.obj, 'walk.####.obj', 'walk.$F4.obj', 'walk.*.obj' or a folder");
  for (std::string& found : names) found = (folder / found).string();
  return names;
}

std::string frame_numbering(const std::string& path) {
  if (!names_sequence(path)) return {};
  const std::vector<std::string> files = list_sequence(path);
  bool as_counted = true;
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(files.size(), 2); ++k) {
    const std::string name = fs::path(files[k]).filename().string();
    as_counted = as_counted && last_number_in(name) == k;
    text += (k == 0 ? "frame " : ", frame ") + std::to_string(k) + " is " + name;
  }
  return as_counted ? std::string() : text;
}

std::string sequence_path(const std::string& pattern, std::uint64_t number) {
  const fs::path path(pattern);
  const std::optional<NumberPattern> found = find_pattern(path.filename().string());
  if (!found)
    throw Error(ErrorPlace{.file = pattern}, "has no place for the number of a frame", "write it as walk.%04d.obj");
  return (path.parent_path() / found->name(number)).string();
}

bool is_frame_of(const std::string& pattern, const std::string& file) {
  const fs::path path(pattern);
  const std::optional<NumberPattern> found = find_pattern(path.filename().string());
  if (!found || !found->number_in(fs::path(file).filename().string())) return false;
  const auto folder = [](const fs::path& p) { return p.parent_path().empty() ? fs::path(".") : p.parent_path(); };
  std::error_code error;
  return fs::equivalent(folder(path), folder(file), error);
}

std::vector<std::string> list_pvd(const std::string& path) {
  std::vector<std::string> files;
  for (const PvdEntry& entry : parse_pvd(read_file(path).view(), path))
    files.push_back((fs::path(path).parent_path() / entry.file).string());
  return files;
}

std::shared_ptr<FrameSource> open_pvd(const std::string& path, MeshPtr reference) {
  return std::make_shared<SequenceSource>(list_pvd(path), std::move(reference));
}

std::shared_ptr<FrameSource> open_sequence(const std::string& path, MeshPtr reference) {
  return std::make_shared<SequenceSource>(list_sequence(path), std::move(reference));
}

}  // namespace pliant
