// Edges of obstacles that sheets need not look out for.
#pragma once

#include "pliant/detect/filters.h"
#include "pliant/world/world_bodies.h"

namespace pliant {

// Leaves out edges of sheets (BodyModel::solves_self_contacts) beside edges of obstacles that are hardly bent at rest:
// corners that keep their distance from the faces on both sides keep an edge between them from coming nearer than half
// the separation. For a search for what comes near; the proof looks at everything. Null: there are none.
FilterPtr without_smooth_edges(const WorldBodies& bodies);

}  // namespace pliant
