#include "app/motion_options.h"

#include <cmath>
#include <string>

#include "app/arguments.h"
#include "pliant/core/error.h"

namespace pliant::app {

void add_motion_options(Command& command, MotionOptions& options) {
  const std::string group = "Frames of motions";
  command.add_option("--start", options.start, "First frame to take (default: the first there is; counted from 0)")
      ->check(at_least_zero())
      ->group(group);
  command.add_option("--end", options.end, "Last frame (default: the last there is)")
      ->check(at_least_zero())
      ->group(group);
  command.add_option("--step", options.step, "Take every Nth frame")
      ->check(above_zero())
      ->group(group)
      ->capture_default_str();
  command.add_option("--scale", options.scale, "Factor on all coordinates of the motion (0.01: centimetres to metres)")
      ->group(group)
      ->capture_default_str();
  command.add_option("--fps", options.fps, "Frames per second at which glTF animations are sampled")
      ->check(above_zero())
      ->group(group)
      ->capture_default_str();
}

const char* first_changed(const MotionOptions& options) {
  const MotionOptions standard;
  if (options.start) return "--start";
  if (options.end) return "--end";
  if (options.step != standard.step) return "--step";
  if (options.scale != standard.scale) return "--scale";
  return options.fps != standard.fps ? "--fps" : nullptr;
}

MotionReadOptions read_options(const MotionOptions& options, MeshPtr mesh) {
  const std::size_t start = options.start.value_or(options.first_frame);
  if (start < options.first_frame)
    throw Error(
        "--start " + std::to_string(start) + " lies before the first frame, " + std::to_string(options.first_frame),
        "frames are counted from --first-frame");
  if (options.end && *options.end < start)
    throw Error("--end " + std::to_string(*options.end) + " lies before --start " + std::to_string(start),
                "frames are counted from " + std::to_string(options.first_frame) + ", both ends included");
  constexpr std::size_t kMostFirstFrame = 1'000'000'000;  // times are doubles, and show frames with their fractions
  if (options.first_frame > kMostFirstFrame)
    throw Error("--first-frame is too large", "give a number up to 1000000000");
  if (!std::isfinite(options.scale) || options.scale == 0)
    throw Error("--scale is not a usable factor", "give a number other than 0");
  MotionReadOptions read;
  read.mesh = std::move(mesh);
  read.first = start - options.first_frame;
  if (options.end) read.last = *options.end - options.first_frame;
  read.step = options.step;
  read.scale = options.scale;
  read.frames_per_second = options.fps;
  return read;
}

}  // namespace pliant::app
