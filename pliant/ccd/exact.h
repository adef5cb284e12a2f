// The last stage: first contact of a pair in exact integer arithmetic. No tolerance, no failure; some ten microseconds.
#pragma once

#include <optional>

#include "pliant/ccd/ccd.h"

namespace pliant::ccd {

// The first contact in the closed interval (part of [0, 1]) lies in the result, which is at most `time_tolerance` or a
// few ulps of 1 wide; no contact: nullopt. {t0, t0} if and only if the features touch at t0, the interval's start.
// Coordinates must be finite.
std::optional<Interval> exact_first_contact(CcdKind kind, const CcdQuery& query, Interval interval,
                                            double time_tolerance);

}  // namespace pliant::ccd
