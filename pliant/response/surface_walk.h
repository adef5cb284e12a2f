// The way out of a closed surface, found by walking along it. Internal to response/.
#pragma once

#include "pliant/response/pierced_particles.h"

namespace pliant {

// From a face of a closed, outward surface that p is behind, to neighbours that are nearer, as long as there are any:
// the nearest point that descent along the surface leads to. Edges of a coarse body pierce others far from where its
// particles are behind them; what they pierce is where to begin, not where to go.
PiercedSurface walk_out(const Step& step, const FlatStep& flat, const Vec3& p, const PiercedSurface& from);

}  // namespace pliant
