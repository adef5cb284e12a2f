#include "pliant/io/gltf_pose.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/core/error.h"

namespace pliant {
namespace {

double fixed_dot(const Eigen::Vector4d& a, const Eigen::Vector4d& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

Eigen::Vector4d unit(const Eigen::Vector4d& rotation) {
  const double length = std::sqrt(fixed_dot(rotation, rotation));
  return length > 0 ? Eigen::Vector4d(rotation / length) : Eigen::Vector4d(0, 0, 0, 1);
}

Eigen::Matrix4d local_transform(const GltfNode& node) {
  if (node.matrix) return *node.matrix;
  const Eigen::Quaterniond rotation(unit(node.rotation));
  Eigen::Matrix4d result = Eigen::Matrix4d::Identity();
  result.topLeftCorner<3, 3>() = rotation.toRotationMatrix() * node.scale.asDiagonal();
  result.topRightCorner<3, 1>() = node.translation;
  return result;
}

GltfPose pose_of(const Gltf& gltf, const std::vector<GltfNode>& nodes) {
  GltfPose pose;
  pose.globals.resize(nodes.size());
  std::vector<const Eigen::Matrix4d*> parent(nodes.size(), nullptr);
  for (const std::size_t i : gltf.order) {
    const Eigen::Matrix4d local = local_transform(nodes[i]);
    pose.globals[i] = parent[i] ? product(*parent[i], local) : local;
    for (const std::size_t child : nodes[i].children) parent[child] = &pose.globals[i];
  }
  for (const GltfNode& node : nodes) pose.weights.push_back(node.weights);
  return pose;
}

// glTF 2.0, appendix C: interpolation. `value(i, k)` is number k of key i.
template <class Value>
std::vector<double> blend_linear(Value&& value, std::size_t key, double s, std::size_t width) {
  std::vector<double> result(width);
  for (std::size_t k = 0; k < width; ++k) result[k] = (1 - s) * value(key, k) + s * value(key + 1, k);
  return result;
}

template <class Value>
std::vector<double> blend_rotation(Value&& value, std::size_t key, double s) {
  const auto rotation = [&](std::size_t i) {
    return unit(Eigen::Vector4d(value(i, 0), value(i, 1), value(i, 2), value(i, 3)));
  };
  const Eigen::Vector4d a = rotation(key), b = rotation(key + 1);
  const double cosine = fixed_dot(a, b);
  const double angle = std::acos(std::min(std::abs(cosine), 1.0));
  const double sine = std::sin(angle);
  const bool nearly_equal = sine < 1e-8;
  const double weight_a = nearly_equal ? 1 - s : std::sin((1 - s) * angle) / sine;
  const double weight_b = (nearly_equal ? s : std::sin(s * angle) / sine) * (cosine < 0 ? -1 : 1);  // the shorter way
  const Eigen::Vector4d result = weight_a * a + weight_b * b;
  return {result[0], result[1], result[2], result[3]};
}

// A few bytes of JSON can name the same keys again and again. Real files stay far below this bound: channels share
// their times, but have values of their own.
void require_keys_of_its_own(const Gltf& gltf, std::size_t animation) {
  constexpr std::size_t kAlways = 4'000'000, kPerByte = 16;
  const std::size_t most = kAlways + kPerByte * gltf.total_bytes();
  std::size_t numbers = 0;
  for (const GltfChannel& channel : gltf.animations[animation].channels) {
    for (const std::size_t accessor : {channel.times, channel.values})
      numbers += gltf.accessors[accessor].count * gltf.accessors[accessor].components;
    if (numbers > most)
      throw Error(ErrorPlace{.file = gltf.name, .element = "animation " + std::to_string(animation)},
                  "its channels add up to far more keys than the file holds", "export the animation again");
  }
}

}  // namespace

Eigen::Matrix4d product(const Eigen::Matrix4d& a, const Eigen::Matrix4d& b) {
  Eigen::Matrix4d result;
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row)
      result(row, column) =
          a(row, 0) * b(0, column) + a(row, 1) * b(1, column) + a(row, 2) * b(2, column) + a(row, 3) * b(3, column);
  return result;
}

Vec3 transformed_point(const Eigen::Matrix4d& matrix, const Vec3& p) {
  Vec3 result;
  for (int row = 0; row < 3; ++row)
    result[row] = matrix(row, 0) * p.x() + matrix(row, 1) * p.y() + matrix(row, 2) * p.z() + matrix(row, 3);
  return result;
}

GltfPose rest_pose(const Gltf& gltf) { return pose_of(gltf, gltf.nodes); }

GltfTracks::GltfTracks(const Gltf& gltf, std::size_t animation) {
  require_keys_of_its_own(gltf, animation);
  for (const GltfChannel& channel : gltf.animations[animation].channels) {
    Track track{
        .channel = channel, .times = read_accessor(gltf, channel.times), .values = read_accessor(gltf, channel.values)};
    const std::size_t per_time = channel.interpolation == GltfInterpolation::cubic ? 3 : 1;
    track.width = track.values.size() / track.times.size() / per_time;
    const ErrorPlace place{.file = gltf.name, .element = "animation " + std::to_string(animation)};
    for (std::size_t i = 0; i < track.times.size(); ++i) {
      if (!std::isfinite(track.times[i]) || (i > 0 && track.times[i] <= track.times[i - 1]))
        throw Error(place, "the times of its keys do not go up", "export the animation again");
    }
    if (!std::all_of(track.values.begin(), track.values.end(), [](double v) { return std::isfinite(v); }))
      throw Error(place, "a key is not a finite number", "export the animation again");
    start_ = tracks_.empty() ? track.times.front() : std::min(start_, track.times.front());
    end_ = tracks_.empty() ? track.times.back() : std::max(end_, track.times.back());
    tracks_.push_back(std::move(track));
  }
}

// The key that is at a time, where there is one: keys are at floats, so a time that is no further from one than floats
// are rounded means that key, and gets its value untouched.
double GltfTracks::snap(const Track& track, double time) {
  const auto next = std::lower_bound(track.times.begin(), track.times.end(), time);
  const double rounding = kFloatRounding * std::abs(time);
  if (next != track.times.end() && *next - time <= rounding) return *next;
  if (next != track.times.begin() && time - *(next - 1) <= rounding) return *(next - 1);
  return time;
}

// Before the first and after the last key the value stays.
std::vector<double> GltfTracks::sample(const Track& track, double asked_time) {
  const double time = snap(track, asked_time);
  const bool cubic = track.channel.interpolation == GltfInterpolation::cubic;
  const auto value = [&](std::size_t key, std::size_t k) {
    return track.values[(cubic ? 3 * key + 1 : key) * track.width + k];
  };
  const auto next = std::upper_bound(track.times.begin(), track.times.end(), time);
  const std::size_t key = next == track.times.begin() ? 0 : static_cast<std::size_t>(next - track.times.begin()) - 1;
  const bool holds = next == track.times.begin() || next == track.times.end() ||
                     track.channel.interpolation == GltfInterpolation::step;
  if (holds) {
    std::vector<double> result(track.width);
    for (std::size_t k = 0; k < track.width; ++k) result[k] = value(key, k);
    return result;
  }
  const double span = track.times[key + 1] - track.times[key];
  const double s = (time - track.times[key]) / span;
  if (!cubic)
    return track.channel.path == GltfPath::rotation ? blend_rotation(value, key, s)
                                                    : blend_linear(value, key, s, track.width);
  std::vector<double> result(track.width);
  const double s2 = s * s, s3 = s2 * s;
  for (std::size_t k = 0; k < track.width; ++k) {
    const double out_tangent = track.values[(3 * key + 2) * track.width + k],
                 in_tangent = track.values[(3 * key + 3) * track.width + k];
    result[k] = (2 * s3 - 3 * s2 + 1) * value(key, k) + span * (s3 - 2 * s2 + s) * out_tangent +
                (3 * s2 - 2 * s3) * value(key + 1, k) + span * (s3 - s2) * in_tangent;
  }
  return result;
}

GltfPose GltfTracks::pose_at(const Gltf& gltf, double time) const {
  std::vector<GltfNode> nodes = gltf.nodes;
  for (const Track& track : tracks_) {
    GltfNode& node = nodes[track.channel.node];
    const std::vector<double> v = sample(track, time);
    if (track.channel.path == GltfPath::weights) {
      node.weights = v;
      continue;
    }
    node.matrix.reset();  // an animated node has none
    if (track.channel.path == GltfPath::translation) node.translation = {v[0], v[1], v[2]};
    else if (track.channel.path == GltfPath::scale) node.scale = {v[0], v[1], v[2]};
    else node.rotation = {v[0], v[1], v[2], v[3]};
  }
  return pose_of(gltf, nodes);
}

}  // namespace pliant
