#include "pliant/detect/anytime/vertex_fans.h"

#include <algorithm>

#include "pliant/detect/still/clear_fans.h"

namespace pliant {
namespace {

constexpr std::size_t kEntriesPerStep = 256;

}  // namespace

VertexFans::VertexFans(const TriangleMesh& mesh, bool weld) : mesh_(&mesh), weld_(weld), phase_(Phase::start) {
  if (!weld || mesh.weld_copies().empty()) return;
  for (const VertexId v : mesh.weld_copies()) {
    group_.push_back(v);
    group_.push_back(mesh.welded(v));
  }
  const auto before = [&](VertexId u, VertexId v) {
    return mesh.welded(u) != mesh.welded(v) ? mesh.welded(u) < mesh.welded(v) : u < v;
  };
  std::sort(group_.begin(), group_.end(), before);
  group_.erase(std::unique(group_.begin(), group_.end()), group_.end());
}

bool VertexFans::step() {
  const std::size_t vertices = mesh_->vertex_count(), faces = mesh_->face_count();
  const std::size_t end = next_ + kEntriesPerStep;
  const auto go_on = [&](std::size_t last, Phase after) {
    next_ = std::min(end, last);
    if (next_ < last) return;
    next_ = 0;
    phase_ = after;
  };
  switch (phase_) {
    case Phase::start:  // room is asked for, not touched
      first_.reserve(vertices + 2);
      known_.reserve(vertices);
      faces_.reserve(3 * faces);
      phase_ = Phase::clear_counts;
      break;
    case Phase::clear_counts:
      for (std::size_t i = next_; i < std::min(end, vertices + 2); ++i) {
        first_.push_back(0);
        if (i < vertices) known_.push_back(0);
      }
      go_on(vertices + 2, Phase::count);
      break;
    case Phase::count:  // those of v at v + 2
      for (std::size_t f = next_; f < std::min(end, faces); ++f)
        for (const VertexId v : mesh_->triangles()[f]) {
          ++first_[v.index() + 2];
          faces_.push_back(0);
        }
      go_on(faces, Phase::sum);
      break;
    case Phase::sum:  // where those of v begin, at v + 1
      for (std::size_t i = std::max<std::size_t>(1, next_); i < std::min(end, vertices + 2); ++i)
        first_[i] += first_[i - 1];
      go_on(vertices + 2, Phase::fill);
      break;
    case Phase::fill:  // moves each to where the next begins
      for (std::size_t f = next_; f < std::min(end, faces); ++f)
        for (const VertexId v : mesh_->triangles()[f]) faces_[first_[v.index() + 1]++] = static_cast<std::uint32_t>(f);
      go_on(faces, Phase::done);
      break;
    case Phase::done:
      break;
  }
  return phase_ != Phase::done;
}

VertexId VertexFans::identity(VertexId v, std::span<const Vec3> positions, FunctionRef<void(VertexId)> need) const {
  if (group_.empty()) return v;
  const VertexId smallest = mesh_->welded(v);
  const auto in_group = std::lower_bound(group_.begin(), group_.end(), smallest,
                                         [&](VertexId u, VertexId w) { return mesh_->welded(u) < w; });
  for (auto u = in_group; u != group_.end() && *u < v && mesh_->welded(*u) == smallest; ++u) {
    need(*u);
    if (positions[u->index()] == positions[v.index()]) return *u;
  }
  return v;
}

// Fills ring_ as mesh/rings.h has it; false if there is none.
bool VertexFans::find_ring(VertexId v) {
  spokes_.clear();
  ring_.clear();
  for (std::uint32_t i = first_[v.index()]; i < first_[v.index() + 1]; ++i) {
    const Triangle& t = mesh_->triangle(FaceId(faces_[i]));
    const std::size_t corner = t[0] == v ? 0 : t[1] == v ? 1 : 2;
    spokes_.push_back({t[(corner + 1) % 3], t[(corner + 2) % 3]});
    if (spokes_.back()[0] == v || spokes_.back()[1] == v) return false;
  }
  constexpr std::size_t kMostSpokes = 64;  // walking them takes the square of their number
  if (spokes_.size() < 3 || spokes_.size() > kMostSpokes) return false;
  VertexId at = spokes_[0][0];
  for (std::size_t i = 0; i < spokes_.size(); ++i) {
    const auto next = std::find_if(spokes_.begin(), spokes_.end(), [at](const auto& s) { return s[0] == at; });
    if (next == spokes_.end() || std::find(ring_.begin(), ring_.end(), at) != ring_.end()) return false;
    ring_.push_back(at);
    at = (*next)[1];
    (*next)[0] = VertexId{};  // used
  }
  return at == ring_[0];
}

bool VertexFans::clear(VertexId v, std::span<const Vec3> positions, FunctionRef<void(VertexId)> need) {
  std::uint32_t& known = known_[v.index()];
  if (known >> 1 == epoch_) return (known & 1) != 0;
  bool is_clear = false;
  const bool welded =
      weld_ && !group_.empty() && std::binary_search(group_.begin(), group_.end(), v, [&](VertexId u, VertexId w) {
        return mesh_->welded(u) != mesh_->welded(w) ? mesh_->welded(u) < mesh_->welded(w) : u < w;
      });
  if (!welded && find_ring(v)) {
    for (const VertexId u : ring_) need(u);
    need(v);
    is_clear = is_clear_fan(positions[v.index()], ring_, positions);
  }
  known = epoch_ << 1 | (is_clear ? 1 : 0);
  return is_clear;
}

std::size_t VertexFans::bytes() const {
  return (first_.size() + faces_.size() + known_.size() + group_.size()) * sizeof(std::uint32_t);
}

}  // namespace pliant
