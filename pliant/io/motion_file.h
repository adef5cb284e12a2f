// Motions in and out: point caches (PC2, MDD), NumPy arrays (.npy), sequences of mesh files, ParaView's .pvd, glTF.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "pliant/io/mesh_file.h"
#include "pliant/motion/motion.h"

namespace pliant {

namespace detail {
class FrameSink;
}  // namespace detail
class TetMesh;

enum class MotionFormat { automatic, pc2, mdd, npy, sequence, gltf, pvd };

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

// Opens a cache, an array, a glTF animation, a .pvd, or a sequence (walk.%04d.obj, 'walk.*.obj', a folder:
// io/sequence.h). Frames are read one at a time when they are asked for, so memory is bounded by a few frames, whatever
// the size of the file; glTF files alone are held in memory.
//
// Throws Error, naming the file, for what is missing, damaged, truncated, empty, does not match the mesh, or leaves no
// frame to choose; the source's frame() for what is wrong with that frame.
std::shared_ptr<FrameSource> open_motion(const std::string& path, const MotionReadOptions& options = {});

// The same for a cache, an array or a glTF file in memory.
std::shared_ptr<FrameSource> open_motion_bytes(std::string bytes, const std::string& name,
                                               const MotionReadOptions& options = {});

// The mesh that a motion file holds besides its positions: the first of a sequence or .pvd, the scene of a glTF file.
// Nothing for point caches and arrays, which hold points only.
std::optional<MeshFile> read_motion_mesh(const std::string& path, MotionFormat format = MotionFormat::automatic);

// A one-dimensional .npy array of times, one a frame. Throws Error for times that are not finite or go backwards.
std::vector<double> read_times(const std::string& path);

struct MotionWriteOptions {
  MotionFormat format = MotionFormat::automatic;  // by the file name
  Precision precision = Precision::float64;       // of .npy, and of frames that hold either; PC2, MDD, glTF hold floats
  MeshPtr mesh;                                   // the faces, for formats that hold them: sequences, glTF, .pvd
  std::shared_ptr<const TetMesh> tets;            // a .pvd holds these instead of the faces, if there are any
  Encoding encoding = Encoding::binary;           // of the files of sequences and .pvd
  std::uint64_t frame_count = 0;  // MDD and glTF must know it at the start; others only check it, if it is not 0
  double frames_per_second = 24;  // of the times in MDD, glTF and .pvd
};

// Frame after frame into a file; only one is in memory. A cache or glTF file appears, complete, with finish(); without
// it nothing is left behind. A sequence (walk.%04d.obj) is numbered from 0, each file complete when it appears; so are
// the files beside a .pvd (walk.pvd: walk.0000.vtp, ...), which itself comes last.
//
// glTF: frame 0 is the mesh, every other one a morph target that holds what differs from it, so a coordinate is off by
// no more than the rounding of that difference to float. Between frames viewers blend linearly, as Motion does. The
// weights take 4 bytes times the square of the number of frames.
class MotionWriter {
 public:
  MotionWriter(const std::string& path, std::size_t vertex_count, const MotionWriteOptions& options);
  ~MotionWriter();

  // Throws Error for another number of vertices, or a coordinate that the file cannot hold.
  void add(std::span<const Vec3> positions);
  void finish();
  // Kinds of data of the mesh that the file does not hold; known when all is written.
  std::vector<std::string> dropped() const;

 private:
  std::string path_;
  std::size_t vertex_count_;
  std::uint64_t frame_count_;
  std::uint64_t written_ = 0;
  std::unique_ptr<detail::FrameSink> sink_;
};

// All frames of a source.
void write_motion(const std::string& path, FrameSource& source, const MotionWriteOptions& options = {});

}  // namespace pliant
