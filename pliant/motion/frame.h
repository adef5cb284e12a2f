// Positions of all vertices at one time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pliant/core/vec3.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Shared, read-only, contiguous (24 bytes per vertex). A value: copies are cheap and share the positions.
//
// Every frame has a stamp, which it gets when it is made and which no other frame of the process has; copies have the
// same. Detectors recognise a frame by its stamp and skip work that they did for it before; they never look at where
// the positions lie in memory. So whoever changes positions in place makes a new frame of them.
class Frame {
 public:
  Frame() = default;  // no vertices; stamp 0, as of nothing else

  static Frame own(std::vector<Vec3> positions);
  // The rest positions, not copied. Throws Error if there is no mesh.
  static Frame of_mesh(const MeshPtr& mesh);
  // Copies nothing and reads nothing. `owner` keeps the positions alive; null: the caller does, for as long as any copy
  // of the frame is in use. They may be changed in place while no detection runs, if every motion made of them is then
  // replaced by one of a new frame before the next detection.
  static Frame share(std::shared_ptr<const void> owner, std::span<const Vec3> positions);

  // Valid while a copy of the frame lives.
  std::span<const Vec3> positions() const { return positions_; }
  std::size_t vertex_count() const { return positions_.size(); }
  std::uint64_t stamp() const { return stamp_; }
  bool is_shared() const;  // made by share(): its positions may change

  // The first vertex with a coordinate that is not finite. Looked for once, however many copies there are.
  std::optional<std::size_t> first_not_finite() const;
  // The same for vertices first to last - 1, looked at again.
  std::optional<std::size_t> first_not_finite(std::size_t first, std::size_t last) const;
  // Whether somebody has looked at all, and there is none.
  bool known_finite() const;
  // Lower and upper ends of all coordinates, found when the frame was made; of a shared frame nobody has looked.
  const std::optional<std::array<Vec3, 2>>& bounds() const;

  // Whether both are known to have the same positions, bit for bit but for the sign of zero. Of shared positions only
  // the stamp is proof: what they were before nobody knows.
  bool same_as(const Frame& other) const;

 private:
  friend class PositionBuffer;
  struct Memory;
  Frame(std::shared_ptr<const Memory> memory, std::span<const Vec3> positions);

  std::shared_ptr<const Memory> memory_;
  std::span<const Vec3> positions_;
  std::uint64_t stamp_ = 0;
};

}  // namespace pliant
