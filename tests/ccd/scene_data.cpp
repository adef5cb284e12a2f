#include "tests/ccd/scene_data.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

#include "pliant/io/file.h"
#include "pliant/io/mesh_file.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

std::vector<std::array<std::uint32_t, 3>> faces_of(const TriangleMesh& mesh) {
  std::vector<std::array<std::uint32_t, 3>> faces;
  for (const Triangle& t : mesh.triangles()) faces.push_back({t[0].value, t[1].value, t[2].value});
  return faces;
}

std::vector<Vec3> read_pc2_frame(const fs::path& file, std::size_t points, std::size_t frame) {
  const FileBytes content = read_file(file.string());
  const std::string_view bytes = content.view();
  std::vector<Vec3> x(points);
  const char* p = bytes.data() + 32 + frame * points * 12;
  if (p + points * 12 > bytes.data() + bytes.size()) throw std::runtime_error("no such frame in " + file.string());
  for (Vec3& v : x) {
    std::array<float, 3> f;
    std::memcpy(f.data(), p, 12);
    v = Vec3(f[0], f[1], f[2]);
    p += 12;
  }
  return x;
}

void collect_edges(CcdStep& step) {
  for (const auto& f : step.faces) {
    for (int i = 0; i < 3; ++i) step.edges.push_back({std::min(f[i], f[(i + 1) % 3]), std::max(f[i], f[(i + 1) % 3])});
  }
  std::sort(step.edges.begin(), step.edges.end());
  step.edges.erase(std::unique(step.edges.begin(), step.edges.end()), step.edges.end());
}

void load_scenes(const fs::path& folder, std::vector<CcdStep>& steps) {
  if (!fs::is_directory(folder)) return;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path dir = entry.path();
    const MeshPtr t0 = read_mesh((dir / "t0.ply").string()), t1 = read_mesh((dir / "t1.ply").string());
    const auto copy = [](std::span<const Vec3> x) { return std::vector<Vec3>(x.begin(), x.end()); };
    steps.push_back({dir.filename().string(),
                     copy(t0->positions()),
                     copy(t1->positions()),
                     faces_of(*t0),
                     {},
                     dir / "vf.ccdp",
                     dir / "ee.ccdp"});
  }
}

// step_K_vf.ccdp beside base.ply and anim.pc2.
void load_sequences(const fs::path& folder, std::vector<CcdStep>& steps) {
  if (!fs::is_directory(folder)) return;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("step_", 0) != 0 || name.find("_vf.ccdp") == std::string::npos) continue;
    const fs::path dir = entry.path().parent_path();
    const std::size_t frame = std::stoul(name.substr(5));
    const MeshPtr base = read_mesh((dir / "base.ply").string());
    const auto frame_of = [&](std::size_t k) { return read_pc2_frame(dir / "anim.pc2", base->vertex_count(), k); };
    steps.push_back({dir.filename().string(),
                     frame_of(frame),
                     frame_of(frame + 1),
                     faces_of(*base),
                     {},
                     entry.path(),
                     dir / ("step_" + std::to_string(frame) + "_ee.ccdp")});
  }
}

// ---- sort and sweep ----

struct SweptBox {
  Vec3 lo, hi;
  std::uint32_t id;
};

template <class Feature>
std::vector<SweptBox> swept_boxes(const CcdStep& step, const std::vector<Feature>& features) {
  std::vector<SweptBox> boxes;
  for (std::uint32_t i = 0; i < features.size(); ++i) {
    SweptBox box{step.x_t0[features[i][0]], step.x_t0[features[i][0]], i};
    for (const std::uint32_t v : features[i]) {
      box.lo = box.lo.cwiseMin(step.x_t0[v]).cwiseMin(step.x_t1[v]);
      box.hi = box.hi.cwiseMax(step.x_t0[v]).cwiseMax(step.x_t1[v]);
    }
    boxes.push_back(box);
  }
  return boxes;
}

int longest_axis(const std::vector<SweptBox>& boxes) {
  Vec3 lo = boxes[0].lo, hi = boxes[0].hi;
  for (const SweptBox& b : boxes) {
    lo = lo.cwiseMin(b.lo);
    hi = hi.cwiseMax(b.hi);
  }
  int axis = 0;
  (hi - lo).maxCoeff(&axis);
  return axis;
}

// Calls report(a, b) for boxes of different lists, or once for each two of one list.
template <class Report>
void sweep(std::vector<SweptBox> a, std::vector<SweptBox> b, bool one_list, const Report& report) {
  const int axis = longest_axis(b), j = (axis + 1) % 3, k = (axis + 2) % 3;
  const auto by_start = [axis](const SweptBox& p, const SweptBox& q) { return p.lo[axis] < q.lo[axis]; };
  std::sort(a.begin(), a.end(), by_start);
  std::sort(b.begin(), b.end(), by_start);
  const auto run = [&](const std::vector<SweptBox>& starts, const std::vector<SweptBox>& others, bool strict,
                       bool swap) {
    std::size_t first = 0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const SweptBox& p = starts[i];
      while (first < others.size() &&
             (strict ? others[first].lo[axis] <= p.lo[axis] : others[first].lo[axis] < p.lo[axis])) {
        ++first;
      }
      for (std::size_t n = one_list ? i + 1 : first; n < others.size() && others[n].lo[axis] <= p.hi[axis]; ++n) {
        const SweptBox& q = others[n];
        if (p.lo[j] > q.hi[j] || q.lo[j] > p.hi[j] || p.lo[k] > q.hi[k] || q.lo[k] > p.hi[k]) continue;
        swap ? report(q.id, p.id) : report(p.id, q.id);
      }
    }
  };
  run(a, b, false, false);
  if (!one_list) run(b, a, true, true);
}

// The same for every way to write a pair.
CcdPair key(CcdKind kind, CcdPair p) {
  if (kind == CcdKind::vertex_face) {
    std::sort(p.begin() + 1, p.end());
    return p;
  }
  if (p[0] > p[1]) std::swap(p[0], p[1]);
  if (p[2] > p[3]) std::swap(p[2], p[3]);
  return std::pair(p[0], p[1]) < std::pair(p[2], p[3]) ? p : CcdPair{p[2], p[3], p[0], p[1]};
}

}  // namespace

StepVerdict judge(const CcdStep& step, CcdKind kind, const std::vector<CcdPair>& pairs, std::span<const CcdHit> hits) {
  const CcdPairFile file = read_ccdp(kind == CcdKind::vertex_face ? step.vf_truth : step.ee_truth, step.x_t0.size());
  std::map<CcdPair, double> times;
  for (std::size_t i = 0; i < file.pairs.size(); ++i) {
    if (file.truth[i].collides) times[key(kind, file.pairs[i])] = file.truth[i].time;
  }
  StepVerdict verdict;
  verdict.touching = times.size();
  for (const CcdHit& hit : hits) {
    const auto found = times.find(key(kind, pairs[hit.pair]));
    if (found == times.end()) {
      ++verdict.false_positives;
      continue;
    }
    const double time = found->second;
    verdict.late += hit.result.t_lo > time || hit.result.t_hi < time ? 1 : 0;
    verdict.t_error.push_back(time - hit.result.t_lo);
  }
  verdict.false_negatives = verdict.touching - verdict.t_error.size();
  return verdict;
}

std::vector<CcdStep> load_ccd_steps(const fs::path& data) {
  std::vector<CcdStep> steps;
  load_scenes(data / "ccd-scenes", steps);
  load_sequences(data / "sequences", steps);
  load_sequences(data / "research-only", steps);
  std::sort(steps.begin(), steps.end(), [](const CcdStep& a, const CcdStep& b) { return a.name < b.name; });
  for (CcdStep& step : steps) collect_edges(step);
  return steps;
}

std::vector<CcdPair> swept_box_pairs(const CcdStep& step, CcdKind kind) {
  std::vector<CcdPair> pairs;
  if (kind == CcdKind::vertex_face) {
    std::vector<std::array<std::uint32_t, 1>> vertices(step.x_t0.size());
    for (std::uint32_t i = 0; i < vertices.size(); ++i) vertices[i] = {i};
    sweep(swept_boxes(step, vertices), swept_boxes(step, step.faces), false, [&](std::uint32_t v, std::uint32_t f) {
      const auto& face = step.faces[f];
      if (v != face[0] && v != face[1] && v != face[2]) pairs.push_back({v, face[0], face[1], face[2]});
    });
  } else {
    const auto boxes = swept_boxes(step, step.edges);
    sweep(boxes, boxes, true, [&](std::uint32_t a, std::uint32_t b) {
      const auto &p = step.edges[std::min(a, b)], &q = step.edges[std::max(a, b)];
      if (p[0] != q[0] && p[0] != q[1] && p[1] != q[0] && p[1] != q[1]) pairs.push_back({p[0], p[1], q[0], q[1]});
    });
  }
  // Neighbours next to each other, as a tree traversal finds them.
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace pliant
