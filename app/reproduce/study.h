// A paper's claims beside what is measured: what `pliant reproduce` is made of. One study per method.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace pliant::app {

enum class Judgement {
  holds,
  does_not_hold,
  not_comparable,  // measured, but what was published depends on what is not known or not ours: machine, meshes
  not_covered,     // not built; the reason is given
};
const char* to_string(Judgement judgement);

struct Claim {
  std::string id;  // "kinetic/tablecloth-speedup": stays the same from version to version
  std::string claim;
  std::string published;
  std::string measured;
  std::string conditions;
  Judgement judgement = Judgement::not_comparable;
  std::string why;
};

// A curve of a figure; published ones are drawn dashed.
struct Series {
  std::string name;
  std::vector<std::array<double, 2>> points;
  bool is_published = false;
};

struct Figure {
  std::string id;  // "kinetic-figure-11": the name of its file
  std::string title;
  std::string x, y;  // what the axes are, with units
  bool log_x = false, log_y = false;
  std::vector<Series> series;
};

struct Study {
  std::string method;
  std::string paper;
  std::vector<Claim> claims;
  std::vector<Figure> figures;
};

struct StudySettings {
  bool quick = false;  // small scenes and few frames: shows that everything runs, not what is true of the paper's sizes
  std::map<std::string, std::string> meshes;  // files of "bunny" and "dragon"; shapes stand in for them
  // Told what is being measured; may throw, to end the study.
  std::function<void(const std::string& what)> note;
};

Study study_kinetic(const StudySettings& settings);
Study study_sphere_tree(const StudySettings& settings);
Study study_boxes(const StudySettings& settings);
Study study_particles(const StudySettings& settings);

struct StudyInfo {
  const char* method;
  Study (*make)(const StudySettings&);
};
std::span<const StudyInfo> studies();

// The slope of a straight line through logarithms: y grows like x to this power. Points must be positive.
double fitted_exponent(const std::vector<std::array<double, 2>>& points);

}  // namespace pliant::app
