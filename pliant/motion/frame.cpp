#include "pliant/motion/frame.h"

#include <algorithm>

#include "pliant/core/error.h"
#include "pliant/motion/frame_memory.h"

namespace pliant {
namespace detail {

bool all_finite(std::span<const Vec3> positions) {
  if (positions.empty()) return true;
  const double* from = positions.data()->data();
  std::uint64_t bad = 0;
  for (std::size_t i = 0; i < 3 * positions.size(); ++i) bad |= not_finite_bit(from[i]);
  return bad >> 63 == 0;
}

bool copy_and_check(std::span<const Vec3> positions, Vec3* to) {
  if (positions.empty()) return true;
  const double* __restrict from = positions.data()->data();
  double* __restrict copy = to->data();
  std::uint64_t bad = 0;
  for (std::size_t i = 0; i < 3 * positions.size(); ++i) {
    copy[i] = from[i];
    bad |= not_finite_bit(from[i]);
  }
  return bad >> 63 == 0;
}

// Four positions at a time: twelve numbers side by side, which compilers turn into SIMD.
std::optional<std::array<Vec3, 2>> bounds_of(std::span<const Vec3> positions) {
  if (positions.empty()) return std::nullopt;
  constexpr std::size_t kSide = 12;
  std::array<double, kSide> lo, hi;
  for (std::size_t k = 0; k < kSide; ++k) lo[k] = hi[k] = positions[0][static_cast<int>(k % 3)];
  const double* x = positions.data()->data();
  const double* const end = x + 3 * positions.size();
  for (; end - x >= static_cast<std::ptrdiff_t>(kSide); x += kSide) {
    for (std::size_t k = 0; k < kSide; ++k) {
      lo[k] = x[k] < lo[k] ? x[k] : lo[k];
      hi[k] = x[k] > hi[k] ? x[k] : hi[k];
    }
  }
  for (std::size_t k = 0; x < end; ++x, ++k) {
    lo[k] = std::min(lo[k], *x);
    hi[k] = std::max(hi[k], *x);
  }
  std::array<Vec3, 2> bounds;
  for (std::size_t i = 0; i < 3; ++i) {
    bounds[0][static_cast<int>(i)] = std::min({lo[i], lo[i + 3], lo[i + 6], lo[i + 9]});
    bounds[1][static_cast<int>(i)] = std::max({hi[i], hi[i + 3], hi[i + 6], hi[i + 9]});
  }
  return bounds;
}

std::size_t first_not_finite(std::span<const Vec3> positions) {
  std::size_t v = 0;
  while (v < positions.size() && positions[v].allFinite()) ++v;
  return v;
}

}  // namespace detail

namespace {

std::uint64_t next_stamp() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

Frame::Frame(std::shared_ptr<const Memory> memory, std::span<const Vec3> positions)
    : memory_(std::move(memory)), positions_(positions), stamp_(next_stamp()) {}

Frame Frame::own(std::vector<Vec3> positions) {
  const auto memory = std::make_shared<Memory>();
  memory->own = std::move(positions);
  memory->bounds = detail::bounds_of(memory->own);
  return {memory, memory->own};
}

Frame Frame::of_mesh(const MeshPtr& mesh) {
  if (!mesh) throw Error("there is no mesh to take positions from", "give a mesh that was made or read");
  const auto memory = std::make_shared<Memory>();
  memory->owner = mesh;
  memory->finite = true;  // the mesh has checked its own positions
  memory->bounds = detail::bounds_of(mesh->positions());
  return {memory, mesh->positions()};
}

Frame Frame::share(std::shared_ptr<const void> owner, std::span<const Vec3> positions) {
  const auto memory = std::make_shared<Memory>();
  memory->owner = std::move(owner);
  memory->shared = true;
  return {memory, positions};
}

bool Frame::is_shared() const { return memory_ && memory_->shared; }

std::optional<std::size_t> Frame::first_not_finite(std::size_t first, std::size_t last) const {
  const auto part = positions_.subspan(first, last - first);
  if (detail::all_finite(part)) return std::nullopt;
  return first + detail::first_not_finite(part);
}

bool Frame::known_finite() const { return !memory_ || memory_->finite.load(std::memory_order_relaxed); }

const std::optional<std::array<Vec3, 2>>& Frame::bounds() const {
  static const std::optional<std::array<Vec3, 2>> unknown;
  return memory_ ? memory_->bounds : unknown;
}

std::optional<std::size_t> Frame::first_not_finite() const {
  if (!memory_ || memory_->finite.load(std::memory_order_relaxed)) return std::nullopt;
  if (!detail::all_finite(positions_)) return detail::first_not_finite(positions_);
  memory_->finite.store(true, std::memory_order_relaxed);
  return std::nullopt;
}

bool Frame::same_as(const Frame& other) const {
  if (stamp_ == other.stamp_) return true;
  if (is_shared() || other.is_shared()) return false;
  return std::equal(positions_.begin(), positions_.end(), other.positions_.begin(), other.positions_.end());
}

}  // namespace pliant
