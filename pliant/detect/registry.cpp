#include "pliant/detect/registry.h"

#include <array>
#include <string>

#include "pliant/core/error.h"
#include "pliant/core/suggest.h"
#include "pliant/detect/anytime/anytime.h"
#include "pliant/detect/brute_force/brute_force.h"
#include "pliant/detect/bvh/bvh.h"
#include "pliant/detect/kinetic/kinetic.h"
#include "pliant/detect/kinetic/kinetic_events.h"
#include "pliant/detect/particles/particles.h"
#include "pliant/detect/setting_table.h"
#include "pliant/detect/spatial_hash/spatial_hash.h"
#include "pliant/detect/sphere_tree/sphere_tree_detector.h"
#include "pliant/detect/subdivided_boxes/subdivided_boxes.h"
#include "pliant/detect/swept_bvh/swept_bvh.h"
#include "pliant/detect/swept_classical/swept_classical.h"

namespace pliant {
namespace {

struct Method {
  const MethodInfo* info;
  std::unique_ptr<Detector> (*make)(const DetectorSettings&);
};

template <class T>
std::unique_ptr<Detector> make(const DetectorSettings& settings) {
  if constexpr (requires { typename T::Settings; }) {
    return std::make_unique<T>(settings, read_settings<typename T::Settings>(T::kInfo, settings.method));
  } else {
    check_settings(T::kInfo, settings.method);
    return std::make_unique<T>(settings);
  }
}

template <class T>
Method method() {
  return {&T::kInfo, make<T>};
}

const auto& all_methods() {
  static const std::array all{
      method<BvhDetector>(),           method<AnytimeDetector>(),
      method<SpatialHashDetector>(),   method<SphereTreeDetector>(),
      method<SubdividedBoxDetector>(), method<ParticleDetector>(),
      method<KineticDetector>(),       method<KineticEventsDetector>(),
      method<SweptBvhDetector>(),      method<SweptClassicalDetector>(),
      method<BruteForceDetector>(),
  };
  return all;
}

}  // namespace

std::span<const MethodInfo* const> methods() {
  static const auto infos = [] {
    std::vector<const MethodInfo*> list;
    for (const Method& m : all_methods()) list.push_back(m.info);
    return list;
  }();
  return infos;
}

namespace {

const Method& find_method(std::string_view name) {
  for (const Method& m : all_methods())
    if (m.info->name == name) return m;
  std::vector<std::string_view> names;
  for (const MethodInfo* info : methods()) names.push_back(info->name);
  throw Error("there is no method '" + std::string(name) + "'", suggestion(name, names));
}

}  // namespace

const MethodInfo& method_info(std::string_view name) { return *find_method(name).info; }

std::unique_ptr<Detector> make_detector(std::string_view name, const DetectorSettings& settings) {
  const Method& found = find_method(name);
  if (settings.mode == Mode::paper && !found.info->has_paper_mode)
    throw Error("method '" + std::string(name) + "' has no paper mode",
                name == "kinetic" ? "kinetic-events is the method as published" : "use it in safe mode");
  return found.make(settings);
}

}  // namespace pliant
