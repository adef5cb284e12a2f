// Motions in and out: point caches (PC2, MDD), NumPy arrays (.npy), sequences of mesh files; in also glTF animations.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "pliant/io/file.h"
#include "pliant/io/mesh_file.h"
#include "pliant/motion/motion.h"

namespace pliant {

enum class MotionFormat { automatic, pc2, mdd, npy, sequence, gltf };

struct MotionReadOptions {
  MotionFormat format = MotionFormat::automatic;  // by content where it tells, else by name
  MeshPtr
      mesh;  // what moves: its vertex count (and, for a sequence, its faces) must be that of the motion; may be null
  std::size_t first = 0;  // frames first, first + step, ... up to and including `last`
  std::size_t last = std::numeric_limits<std::size_t>::max();
  std::size_t step = 1;
  double scale = 1;               // factor on every coordinate
  std::size_t animation = 0;      // of a glTF file: which one
  double frames_per_second = 24;  // of a glTF file, whose animations are curves: they are baked at this rate
};

// Opens a cache, an array, a glTF animation, or a sequence (walk.%04d.obj, 'walk.*.obj', a folder). Frames are read one
// at a time when they are asked for, so memory is bounded by a few frames, whatever the size of the file.
//
// Throws Error, naming the file, for what is missing, damaged, truncated, empty, does not match the mesh, or leaves no
// frame to choose; the source's frame() for what is wrong with that frame.
std::shared_ptr<FrameSource> open_motion(const std::string& path, const MotionReadOptions& options = {});

// The same for a cache, an array or a glTF file in memory.
std::shared_ptr<FrameSource> open_motion_bytes(std::string bytes, const std::string& name,
                                               const MotionReadOptions& options = {});

// A one-dimensional .npy array of times, one a frame.
std::vector<double> read_times(const std::string& path);

struct MotionWriteOptions {
  MotionFormat format = MotionFormat::automatic;  // by the file name
  Precision precision = Precision::float64;       // of .npy; PC2 and MDD hold floats
  MeshPtr mesh;                                   // the faces of a sequence, which needs them
  std::uint64_t frame_count = 0;                  // MDD must know it at the start; others only check it, if it is not 0
  double frames_per_second = 24;                  // of MDD's times
};

// Frame after frame into a file. A cache appears, complete, with finish(); without it nothing is left behind. A
// sequence (walk.%04d.obj) is numbered from 0, each file complete when it appears.
class MotionWriter {
 public:
  MotionWriter(const std::string& path, std::size_t vertex_count, const MotionWriteOptions& options);
  ~MotionWriter();

  // Throws Error for another number of vertices, or a coordinate that the file can not hold.
  void add(std::span<const Vec3> positions);
  void finish();

 private:
  std::string header() const;
  void encode(std::span<const Vec3> positions);

  std::string path_;
  std::size_t vertex_count_;
  MotionWriteOptions options_;
  std::uint64_t written_ = 0;
  std::unique_ptr<OutputFile> file_;  // null for a sequence
  std::string bytes_;                 // of one frame
};

// All frames of a source.
void write_motion(const std::string& path, FrameSource& source, const MotionWriteOptions& options = {});

}  // namespace pliant
