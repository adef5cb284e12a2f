// A second opinion on continuous collision: slow, rational, and written along other lines than pliant/ccd. Roots are
// isolated and signs at them found by Sturm sequences and Tarski queries on rational polynomials of any degree, and
// the tests at a root use dot products with the normal instead of coordinate planes.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>

#include "pliant/ccd/ccd.h"

namespace pliant::oracle {

using Rational = boost::multiprecision::cpp_rational;

// The first contact time lies in [lo, hi], at most 2^-80 apart.
struct FirstContact {
  Rational lo, hi;
};

std::optional<FirstContact> first_contact(CcdKind kind, const CcdQuery& query, Interval interval = {0, 1});

}  // namespace pliant::oracle
