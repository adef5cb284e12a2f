// Where the nodes of a glTF scene are, at rest or at a time of an animation. Internal to io/.
#pragma once

#include <vector>

#include "pliant/io/gltf.h"

namespace pliant {

struct GltfPose {
  std::vector<Eigen::Matrix4d> globals;      // of each node
  std::vector<std::vector<double>> weights;  // of each node's morph targets; empty: those of its mesh
};

// Sums in one order on every processor: matrices of four columns are made of whole packets (see core/vec3.h).
Eigen::Matrix4d product(const Eigen::Matrix4d& a, const Eigen::Matrix4d& b);
Vec3 transformed_point(const Eigen::Matrix4d& matrix, const Vec3& p);

GltfPose rest_pose(const Gltf& gltf);

// The keys of one animation, decoded.
class GltfTracks {
 public:
  // Throws Error if times do not ascend or anything is not finite.
  GltfTracks(const Gltf& gltf, std::size_t animation);

  double start() const { return start_; }  // seconds: of the first key, and of the last
  double end() const { return end_; }
  GltfPose pose_at(const Gltf& gltf, double time) const;

  static constexpr double kFloatRounding = 0x1p-24;  // greatest relative error of a time that was rounded to float

 private:
  struct Track {
    GltfChannel channel;
    std::vector<double> times, values;
    std::size_t width = 0;  // numbers per value
  };
  static double snap(const Track& track, double time);
  static std::vector<double> sample(const Track& track, double asked_time);

  std::vector<Track> tracks_;
  double start_ = 0, end_ = 0;
};

}  // namespace pliant
