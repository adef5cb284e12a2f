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
  return {memory, memory->own};
}

Frame Frame::of_mesh(const MeshPtr& mesh) {
  if (!mesh) throw Error("there is no mesh to take positions from", "give a mesh that was made or read");
  const auto memory = std::make_shared<Memory>();
  memory->owner = mesh;
  memory->finite = true;  // the mesh has checked its own positions
  return {memory, mesh->positions()};
}

Frame Frame::share(std::shared_ptr<const void> owner, std::span<const Vec3> positions) {
  const auto memory = std::make_shared<Memory>();
  memory->owner = std::move(owner);
  memory->shared = true;
  return {memory, positions};
}

bool Frame::is_shared() const { return memory_ && memory_->shared; }

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
