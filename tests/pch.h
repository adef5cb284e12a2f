// Precompiled for the test programs.
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>
