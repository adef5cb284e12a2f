// Contact at a distance: when do the features first come within d > 0 of each other?
#pragma once

#include "pliant/ccd/ccd.h"

namespace pliant::ccd {

// The query with all coordinates times the power of two that brings the largest near 1; what becomes denormal loses
// less than 2^-1074. `factor` is that power of two.
struct RescaledQuery {
  CcdQuery query;
  double factor = 1;
};
RescaledQuery rescaled(const CcdQuery& query);

// As vertex_face_ccd and edge_edge_ccd do with options.min_separation > 0. Finite coordinates.
CcdResult min_separation_ccd(CcdKind kind, const CcdQuery& query, const CcdOptions& options, Interval interval);

}  // namespace pliant::ccd
