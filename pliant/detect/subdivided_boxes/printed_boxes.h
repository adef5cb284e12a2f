// Subdivided boxes as printed, to measure what they miss. Internal to subdivided_boxes/.
#pragma once

#include "pliant/core/function_ref.h"
#include "pliant/detect/still/still_detector.h"
#include "pliant/detect/subdivided_boxes/box_settings.h"

namespace pliant {

// Every body's box, as it is now, is cut into 2^n equal parts (n = 3 unless levels are given). A part has the faces of
// the vertices in it. Its eight corners are hashed, and parts with a hash index in common are tested, all faces of one
// against all of the other, edge by edge in one direction. What that misses:
// - corners_only: two parts overlap, but where they do neither has a corner in a cell of the other (a part that spans
//   three cells or more along an axis);
// - vertices_only: a face crosses a part in which it has no vertex;
// - one_way: both ends of the common segment are on edges of the second triangle;
// - third_needs_hit (off unless asked for): only the third edge pierces.
// Each of these can be turned off. In exchange different cells count as one where their indices are equal, which finds
// nothing wrong but tests more. Faces whose boxes are apart are not tested one by one: no edge of one can meet the
// other (counter line_tests: what is tested; printed_tests: what would be). Of one body faces without a common vertex.
StillFindings search_printed(const StillQuery& query, const SubdivisionSettings& settings,
                             FunctionRef<bool(BodyPair)> wanted, BudgetState& state);

}  // namespace pliant
