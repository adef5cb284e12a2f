#include "pliant/io/sequence.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "pliant/core/error.h"
#include "pliant/io/file.h"
#include "pliant/io/number_pattern.h"
#include "pliant/io/pvd.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

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

std::vector<std::string> paths_of(const std::vector<SequenceFile>& files) {
  std::vector<std::string> paths;
  paths.reserve(files.size());
  for (const SequenceFile& file : files) paths.push_back(file.path);
  return paths;
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
  const std::vector<SequenceFile> files = find_sequence(path);
  require_files(files, path, {});
  return paths_of(files);
}

std::string frame_numbering(const std::string& path) {
  if (!names_sequence(path)) return {};
  const std::vector<SequenceFile> files = find_sequence(path);
  bool as_counted = true;
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(files.size(), 2); ++k) {
    const std::string name = fs::path(files[k].path).filename().string();
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

std::shared_ptr<FrameSource> open_sequence(const std::string& path, MeshPtr reference, const FrameChoice& choice) {
  const std::vector<SequenceFile> files = find_sequence(path);
  require_files(files, path, choice);
  return std::make_shared<SequenceSource>(paths_of(files), std::move(reference));
}

}  // namespace pliant
