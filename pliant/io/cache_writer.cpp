#include <cmath>

#include "pliant/io/byte_reader.h"
#include "pliant/io/file.h"
#include "pliant/io/frame_sink.h"
#include "pliant/io/point_cache.h"

namespace pliant {
namespace {

class CacheSink : public FrameSink {
 public:
  CacheSink(const std::string& path, std::size_t vertex_count, const MotionWriteOptions& options)
      : path_(path), vertex_count_(vertex_count), options_(options), file_(path) {
    file_.write(header());
  }

  void add(std::span<const Vec3> positions) override {
    bytes_.clear();
    for (std::size_t v = 0; v < positions.size(); ++v) {
      for (int axis = 0; axis < 3; ++axis) append_number(positions[v][axis], v);
    }
    file_.write(bytes_);
    ++written_;
  }

  void finish() override {
    file_.write_at(0, header());  // now with the number of frames
    file_.commit();
  }

  std::vector<std::string> dropped() const override {
    if (!options_.mesh && !options_.tets) return {};
    return {"faces (point caches and arrays hold positions only)"};
  }

 private:
  void append_number(double value, std::size_t vertex) {
    const FramePlace place{path_, written_, vertex};
    const std::endian order = options_.format == MotionFormat::mdd ? std::endian::big : std::endian::little;
    const bool as_double = options_.format == MotionFormat::npy && options_.precision == Precision::float64;
    if (!as_double) return append(bytes_, float_coordinate(value, place), order);
    if (!std::isfinite(value)) refuse_coordinate(place);
    append(bytes_, value, order);
  }

  std::string header() const {
    switch (options_.format) {
      case MotionFormat::pc2:
        return format_pc2_header(vertex_count_, written_);
      case MotionFormat::mdd:
        return format_mdd_header(vertex_count_, options_.frame_count, options_.frames_per_second);
      default:
        return format_npy_header(vertex_count_, written_, options_.precision);
    }
  }

  std::string path_;
  std::size_t vertex_count_;
  MotionWriteOptions options_;
  OutputFile file_;
  std::uint64_t written_ = 0;
  std::string bytes_;  // of one frame
};

}  // namespace

std::unique_ptr<FrameSink> make_cache_sink(const std::string& path, std::size_t vertex_count,
                                           const MotionWriteOptions& options) {
  return std::make_unique<CacheSink>(path, vertex_count, options);
}

}  // namespace pliant
