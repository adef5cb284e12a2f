// Writes glTF 2.0: meshes, and their motions as morph targets whose weights are animated. Internal to io/: the doors
// are MotionWriter and write_gltf_movie().
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pliant/io/file.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct GltfPart {
  std::string name;
  MeshPtr mesh;
  std::uint64_t frames = 1;  // 1: it stands still; otherwise as many as all other parts that move
};

struct GltfWriterSettings {
  double frames_per_second = 24;
  // Colours, both sides of every face, and z turned up (glTF's y is). Without it coordinates are what they are.
  bool for_eyes = false;
};

// .glb, or .gltf with its numbers in a .bin beside it. Frames come part after part; only one is in memory. The file
// appears, complete, with finish(); without it nothing is left behind.
//
// The binary data are, in this order: of each part the indices, frame 0 and what differs from it in all other frames;
// then times and weights, which parts share. The JSON stands before them in a .glb, but says what is known only after
// them (bounds); room is kept for the longest it can become, and what is left of it filled with blanks.
class GltfWriter {
 public:
  // Throws Error for more than a file can hold.
  GltfWriter(const std::string& path, std::vector<GltfPart> parts, const GltfWriterSettings& settings);

  // The next frame of the part whose frames are not complete yet. Throws Error, naming frame and vertex, for a
  // coordinate that is no float.
  void add(std::span<const Vec3> positions);
  void finish();

 private:
  // Least and greatest coordinates of a frame as written, which glTF asks for.
  struct Bounds {
    Vec3 min, max;
  };
  struct Accessor {
    std::uint64_t view;
    int component;
    std::uint64_t count;
    const char* type;
  };
  class Json;

  std::uint64_t data_bytes() const;
  std::uint64_t total_frames() const;
  void open_binary();
  void begin_part();
  double coordinate(double value, std::size_t vertex, int axis);
  void put_animation();
  template <class T>
  void put(T value);
  void flush();
  std::string data_path() const;
  std::string format_json(std::span<const Bounds> bounds) const;

  std::string path_;
  std::vector<GltfPart> parts_;
  GltfWriterSettings settings_;
  std::uint64_t frames_ = 1;  // of parts that move
  bool is_binary_ = true;
  std::size_t json_room_ = 0;
  std::unique_ptr<OutputFile> data_;  // the .glb itself, or the .bin beside the .gltf
  std::string bytes_;                 // not yet written
  std::size_t part_ = 0;              // whose frames are written,
  std::uint64_t frame_ = 0;           // and which is next
  std::vector<float> base_;           // frame 0 of it as written
  std::vector<Bounds> bounds_;        // of all frames written so far
};

}  // namespace pliant
