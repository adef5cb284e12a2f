// A coarse surface for a dense one: few faces, and fit to be filled with tetrahedra.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "pliant/core/parallel.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Whether a surface can bound a body: no defect in any of these.
struct SurfaceCheck {
  bool closed = false;
  bool manifold = false;
  bool apart = false;  // no two vertices at one place, no self-intersection or touching (decided exactly)
  // Every part is positive and outside all others, or negative and a cavity of one.
  bool outward = false;

  bool sound() const { return closed && manifold && apart && outward; }
};
SurfaceCheck check_surface(const MeshPtr& mesh, Threads threads = {});

// How the coarse surface came about.
enum class CoarseSurfaceKind {
  as_given,    // the dense surface is coarse enough
  simplified,  // edges of the dense surface were collapsed; vertices are some of its vertices
  wrapped,     // a surface around it (asset/wrap.h), simplified
};
const char* to_string(CoarseSurfaceKind kind);

struct CoarseSettings {
  std::size_t faces = 1000;  // wanted; more or less as the search for a sound surface goes
  // What has no inside, an open sheet for instance, is made a solid around it. Otherwise it is refused.
  bool wrap_sheets = false;
  Threads threads;
  std::function<void(double)> progress;  // told the fraction that is done, 0 to 1
};

struct CoarseSurface {
  MeshPtr mesh;
  CoarseSurfaceKind kind = CoarseSurfaceKind::as_given;
  int tries = 0;  // surfaces that were checked
};

// Quadric simplification (M. Garland and P. Heckbert, 1997, by meshoptimizer) of the dense surface, tried with several
// numbers of faces until the result is sound; if the dense surface has no inside or none is, of a surface wrapped
// around it, finer or coarser until one is. The result is always sound: a wrap that is not simplified is. Wraps have
// about the number of faces that is wanted.
//
// Throws Error for a mesh whose box has no size, and for one without an inside unless it may be wrapped. What
// settings.progress throws ends the work.
CoarseSurface make_coarse_surface(const MeshPtr& dense, const CoarseSettings& settings = {});

}  // namespace pliant
