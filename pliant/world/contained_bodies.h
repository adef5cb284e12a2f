// Bodies that lie inside others as a whole: no edge pierces anything, so that no still method sees them. Internal to
// world/.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pliant/core/function_ref.h"
#include "pliant/detect/inside.h"
#include "pliant/detect/report.h"
#include "pliant/response/flat_step.h"

namespace pliant {

class ContainedBodies {
 public:
  explicit ContainedBodies(std::span<const MeshPtr> meshes);

  // Adds, for every wanted pair without a contact of which one lies inside the other, a vertex-face contact for each of
  // its vertices: all the same way, towards where the surface is nearest to one of them, and as far, but no farther
  // than an edge. Only bodies whose boxes say that it can be are looked at.
  void add(const Step& step, const FlatStep& flat, FunctionRef<bool(BodyId, BodyId)> wanted, Report& found);

 private:
  std::vector<bool> closed_;  // by body
  std::vector<double> edge_;  // mean, by body
  // By body, of those that were asked about: obstacles often stay where they are.
  struct Kept {
    std::vector<Vec3> positions;
    std::optional<ClosedSurface> surface;
  };
  const std::optional<ClosedSurface>& surface_of(const StepBody& outer, std::span<const Vec3> x);
  std::vector<Kept> kept_;
};

}  // namespace pliant
