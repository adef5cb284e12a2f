// One linear step of all bodies, as contacts are answered on it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/core/vec3.h"
#include "pliant/detect/contact.h"
#include "pliant/detect/report.h"
#include "pliant/mesh/triangle_mesh.h"
#include "pliant/motion/dense_surface.h"
#include "pliant/motion/motion.h"
#include "pliant/response/surface.h"

namespace pliant {

class BodyModel;

// Where a body goes in the step. Response changes x_t1 and v_t1 of vertices with finite mass; the rest is given.
struct StepBody {
  BodyId id;
  MeshPtr mesh;
  std::span<const double> masses;  // kg; infinite: pinned, keyframed or fixed
  Surface surface;
  Frame x_t0;
  std::vector<Vec3> x_t1;
  std::vector<Vec3> v_t1;               // m/s, at the end of the step
  const BodyModel* as_one = nullptr;    // the model of a body that moves as one
  const DenseSurface* dense = nullptr;  // what responses without a proof look at instead of the mesh; null: the mesh
  bool has_outside = false;             // the surface is closed
};

struct Step {
  std::vector<StepBody> bodies;  // by BodyId
  double seconds = 0;
};

// Finds what meets on the step from x_t0 to x_t1, with times in [0, 1]. Whoever answers contacts asks again and again
// after changing x_t1. Which pairs of bodies are looked at is the finder's own business.
class StepFinder {
 public:
  virtual ~StepFinder() = default;
  // Complete and empty: the step is proved free.
  virtual Report find_meeting(const Step& step, const Budget& budget) = 0;
};

}  // namespace pliant
