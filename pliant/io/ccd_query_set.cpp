#include "pliant/io/ccd_query_set.h"

#include <algorithm>
#include <filesystem>

#include "pliant/core/error.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

bool is_query_file(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".ccdq" || extension == ".ccdp" || extension == ".csv";
}

struct StepPositions {
  Frame x_t0;
  Frame x_t1;
};

// The K of step_K_vf.ccdp; nothing for another name.
std::optional<std::size_t> step_number(const fs::path& file) {
  const std::string name = file.filename().string();
  if (name.rfind("step_", 0) != 0) return std::nullopt;
  const std::size_t end = name.find_first_not_of("0123456789", 5);
  if (end == 5 || end > 5 + 9) return std::nullopt;
  return static_cast<std::size_t>(std::stoul(name.substr(5, end - 5)));
}

StepPositions positions_beside(const fs::path& file) {
  const fs::path folder = file.parent_path();
  if (const auto step = step_number(file)) {
    MotionReadOptions options;
    options.mesh = read_mesh((folder / "base.ply").string());
    const auto frames = open_motion((folder / "anim.pc2").string(), options);
    if (*step + 1 >= frames->frame_count())
      throw Error(ErrorPlace{.file = (folder / "anim.pc2").string(), .element = "frame " + std::to_string(*step + 1)},
                  "is missing, but " + file.filename().string() + " is about it");
    return {frames->frame(*step), frames->frame(*step + 1)};
  }
  const MeshPtr t0 = read_mesh((folder / "t0.ply").string());
  const MeshPtr t1 = read_mesh((folder / "t1.ply").string());
  if (t0->vertex_count() != t1->vertex_count())
    throw Error(ErrorPlace{.file = (folder / "t1.ply").string()}, "has " + std::to_string(t1->vertex_count()) +
                                                                      " vertices where t0.ply has " +
                                                                      std::to_string(t0->vertex_count()));
  return {Frame::of_mesh(t0), Frame::of_mesh(t1)};
}

CcdQueryFile queries_of_pairs(const fs::path& file) {
  const StepPositions step = positions_beside(file);
  const CcdPairFile pairs = read_ccdp(file, step.x_t0.positions().size());
  CcdQueryFile result;
  result.kind = pairs.kind;
  result.truth = pairs.truth;
  for (const auto& corners : pairs.pairs) {
    CcdQuery query;
    for (std::size_t i = 0; i < 4; ++i) {
      query.x_t0[i] = step.x_t0.positions()[corners[i]];
      query.x_t1[i] = step.x_t1.positions()[corners[i]];
    }
    result.queries.push_back(query);
  }
  return result;
}

CcdKind kind_told_by(const fs::path& file) {
  std::string text = file.string();
  for (char& c : text)
    if (c == '_' || c == '.' || c == '/') c = ' ';
  text = " " + text + " ";
  const auto says = [&](const char* word) { return text.find(std::string(" ") + word + " ") != std::string::npos; };
  if (says("vertex-face") || says("vf")) return CcdKind::vertex_face;
  if (says("edge-edge") || says("ee")) return CcdKind::edge_edge;
  throw Error(ErrorPlace{.file = file.string()}, "does not tell whether it is about vertex-face or edge-edge pairs",
              "put it into a folder named vertex-face or edge-edge, or say so with --kind");
}

CcdQueryFile read_any(const fs::path& file, std::optional<CcdKind> kind) {
  const std::string extension = file.extension().string();
  if (extension == ".ccdq") return read_ccdq(file);
  if (extension == ".ccdp") return queries_of_pairs(file);
  return read_ccd_csv(file, kind ? *kind : kind_told_by(file));
}

std::vector<fs::path> query_files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code problem;
  for (fs::recursive_directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem))
    if (it->is_regular_file() && is_query_file(it->path())) files.push_back(it->path());
  if (problem) throw Error(ErrorPlace{.file = folder.string()}, "cannot be searched: " + problem.message());
  if (files.empty())
    throw Error(ErrorPlace{.file = folder.string()}, "holds no .ccdq, .ccdp or .csv file",
                "give another folder or a file");
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<CcdQuerySet> read_ccd_query_sets(const std::string& path, std::optional<CcdKind> kind) {
  std::error_code problem;
  if (!fs::is_directory(path, problem)) {
    if (!is_query_file(path))
      throw Error(ErrorPlace{.file = path}, "is no file of queries", "known are .ccdq, .ccdp and .csv");
    return {{fs::path(path).filename().string(), read_any(path, kind)}};
  }
  std::vector<CcdQuerySet> sets;
  for (const fs::path& file : query_files_below(path))
    sets.push_back({file.lexically_relative(path).string(), read_any(file, kind)});
  return sets;
}

}  // namespace pliant
