#include "app/reproduce/study.h"

#include <cmath>

namespace pliant::app {

const char* to_string(Judgement judgement) {
  switch (judgement) {
    case Judgement::holds:
      return "holds";
    case Judgement::does_not_hold:
      return "does not hold";
    case Judgement::not_comparable:
      return "not comparable";
    case Judgement::not_covered:
      return "not covered";
  }
  return "";
}

std::span<const StudyInfo> studies() {
  static constexpr StudyInfo kStudies[]{{"kinetic", study_kinetic},
                                        {"sphere-tree", study_sphere_tree},
                                        {"subdivided-boxes", study_boxes},
                                        {"particles", study_particles}};
  return kStudies;
}

double fitted_exponent(const std::vector<std::array<double, 2>>& points) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [x, y] : points) {
    const double u = std::log(x), v = std::log(y);
    n += 1, sx += u, sy += v, sxx += u * u, sxy += u * v;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace pliant::app
