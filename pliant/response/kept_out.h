// Closed obstacles, which no particle is left inside of. Internal to response/ and world/.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pliant/core/function_ref.h"
#include "pliant/detect/inside.h"
#include "pliant/response/flat_step.h"
#include "pliant/response/impact.h"

namespace pliant {

// Mean length of the edges of a mesh at rest.
double mean_edge_at_rest(const TriangleMesh& mesh);

// Pulls act all at once and share ways by masses, so that one can undo a part of another. An obstacle gives nothing:
// what is inside one after all others had their say goes out of it, whatever that does to the others.
//
// Keeps box trees of the obstacles between steps; those of obstacles that move are built anew where something is near.
class KeptOut {
 public:
  explicit KeptOut(std::span<const MeshPtr> meshes);

  // At x_t1, of pairs of a body and an obstacle that are wanted(body, obstacle): every particle of finite mass among
  // `slots` that lies inside, decided exactly, is put onto the surface, at the nearest point; if that is on another
  // side than the one it came from, at the point nearest to x_t0. One that was inside at x_t0 goes no farther than an
  // edge, so that bodies which are deep inside come out in their shape. None keeps velocity into the obstacle. The
  // neighbours of `slots` and of whatever was inside are looked at too, and so on: what is inside unseen hangs together
  // with what an answer has moved. Bodies that move as one are left alone.
  void move_out(const Step& step, FlatStep& flat, std::span<const std::uint32_t> slots,
                FunctionRef<bool(BodyId, BodyId)> wanted, std::vector<Impact>& impacts);

 private:
  struct Obstacle {
    BodyId id;
    std::vector<Vec3> positions;           // as it is now
    std::optional<ClosedSurface> surface;  // made when a particle is in the box
    Aabb box;
  };
  void find_obstacles(const FlatStep& flat);
  bool is_inside(Obstacle& obstacle, const Step& step, const Vec3& p) const;
  bool move_out_once(const Step& step, FlatStep& flat, std::uint32_t slot, FunctionRef<bool(BodyId, BodyId)> wanted,
                     std::vector<Impact>& impacts);

  std::vector<bool> is_closed_;  // by body
  std::vector<double> edge_;     // by body: mean at rest
  std::vector<Obstacle> obstacles_;
};

}  // namespace pliant
