// What is simulated beside Bullet: bodies that hang under their own weight, whose equilibrium is known.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/bodies/materials.h"
#include "pliant/mesh/tet_mesh.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant::bench {

// A sheet or a solid, at rest at the start.
struct SoftCase {
  std::string name;
  MeshPtr sheet;                         // of `cloth`; or
  std::shared_ptr<const TetMesh> solid;  // of `elastic`
  ClothMaterial cloth;
  ElasticMaterial elastic;
  Vec3 along = Vec3::UnitX();  // of the sheet's threads
  std::vector<VertexId> pinned;
  std::vector<Edge> threads;  // edges of the sheet along its threads

  std::span<const Vec3> rest() const { return sheet ? sheet->positions() : solid->positions(); }
};

// 1 m of cotton, flat, held by its four corners; or hanging down from an edge.
SoftCase cloth_by_corners(int cells);
SoftCase cloth_by_edge(int cells);
// 10 x 10 x 50 cm, 200 kPa, hanging down from its upper end.
SoftCase hanging_bar();

// What is compared, of positions.
struct SoftShape {
  double stretch = 0;  // of threads, 99th percentile; a sheet's
  double sag = 0;      // m: how much lower the lowest point is than at rest
};
SoftShape shape_of(const SoftCase& soft, std::span<const Vec3> positions);

// The same of the static equilibrium, by Newton's method; of a sheet from `start` on.
SoftShape equilibrium_of(const SoftCase& soft, std::span<const Vec3> start);

// One of the programs at work on a case. A frame is 1/60 s.
class SoftSimulation {
 public:
  virtual ~SoftSimulation() = default;
  virtual void step_frame() = 0;
  virtual std::vector<Vec3> positions() const = 0;
};

std::unique_ptr<SoftSimulation> make_pliant(const SoftCase& soft);

// Bullet's two kinds of soft bodies: constraints on positions, and implicit forces (deformable).
struct BulletSettings {
  bool implicit = false;
  int steps = 1;       // per frame
  int iterations = 4;  // of constraints on positions
  double shear = 1;    // kLST of the links across the threads, 0 to 1, where links along them have 1
};
std::unique_ptr<SoftSimulation> make_bullet(const SoftCase& soft, const BulletSettings& settings);

}  // namespace pliant::bench
