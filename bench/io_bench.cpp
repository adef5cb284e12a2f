// How fast files are read, beside programs that do less: `wc` on the same text, plain reading of the same bytes.
// The files are in the page cache: this measures the readers, not the disk.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench_meshes.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"

namespace {

using namespace pliant;

constexpr std::size_t kTriangles = 1'000'000;
constexpr std::size_t kFrames = 20;

// Written once, removed at the end.
class Files {
 public:
  Files() {
    std::string name = (std::filesystem::temp_directory_path() / "pliant-bench-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    const MeshPtr mesh = bench::lumpy_ball(kTriangles);
    write_mesh(path("mesh.obj"), *mesh);
    write_mesh(path("double.ply"), *mesh);
    write_mesh(path("float.ply"), *mesh, {.precision = Precision::float32});
    MotionWriter writer(path("motion.pc2"), mesh->vertex_count(), {});
    for (std::size_t k = 0; k < kFrames; ++k) writer.add(mesh->positions());
    writer.finish();
  }
  ~Files() { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

const Files& files() {
  static const Files made;
  return made;
}

// Where large blocks of memory come from. `fresh`: from the system, page by page, as in a command that reads each file
// once. `recycled`: from what the program has freed, as in one that reads file after file.
enum class Memory { fresh, recycled };

void set_memory(Memory memory) {
  constexpr int kLarge = 1 << 30;
  ::mallopt(M_MMAP_THRESHOLD, memory == Memory::fresh ? 1 << 17 : kLarge);
  ::mallopt(M_TRIM_THRESHOLD, memory == Memory::fresh ? 1 << 17 : kLarge);
}

void count_bytes(benchmark::State& state, const std::string& path) {
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * size);
}

void mesh(benchmark::State& state, const char* name, Memory memory) {
  const std::string path = files().path(name);
  set_memory(memory);
  for (auto _ : state) benchmark::DoNotOptimize(read_mesh(path));
  count_bytes(state, path);
}

void motion(benchmark::State& state, const char* name, Memory memory) {
  const std::string path = files().path(name);
  set_memory(memory);
  for (auto _ : state) {
    const auto source = open_motion(path);
    for (std::size_t k = 0; k < source->frame_count(); ++k) benchmark::DoNotOptimize(source->frame(k));
  }
  count_bytes(state, path);
}

// Lines, words and bytes, by the program of that name, in the locale in which it is fastest.
void wc(benchmark::State& state, const char* name) {
  const std::string path = files().path(name);
  const std::string command = "LC_ALL=C wc '" + path + "' >/dev/null";
  for (auto _ : state) {
    if (std::system(command.c_str()) != 0) state.SkipWithError("wc failed");
  }
  count_bytes(state, path);
}

bool read_all(const std::string& path, char* to, std::size_t size, std::size_t chunk, bool keeps) {
  const int file = ::open(path.c_str(), O_RDONLY);
  std::size_t at = 0;
  while (at < size) {
    const ssize_t got = ::read(file, keeps ? to + at : to, chunk);
    if (got <= 0) break;
    at += static_cast<std::size_t>(got);
  }
  ::close(file);
  return at == size;
}

// read(2) into one stretch of memory, as everybody who keeps the bytes must.
void plain(benchmark::State& state, const char* name, Memory memory) {
  const std::string path = files().path(name);
  const std::size_t size = std::filesystem::file_size(path);
  set_memory(memory);
  for (auto _ : state) {
    const std::unique_ptr<char[]> bytes(new char[size]);
    if (!read_all(path, bytes.get(), size, size, true)) state.SkipWithError("cannot be read");
    benchmark::DoNotOptimize(bytes.get());
  }
  count_bytes(state, path);
}

// read(2) over and over into the same small buffer, as nobody can who needs the bytes: the fastest there is.
void plain_discarded(benchmark::State& state, const char* name) {
  const std::string path = files().path(name);
  const std::size_t size = std::filesystem::file_size(path);
  std::vector<char> buffer(std::size_t{1} << 17);
  for (auto _ : state) {
    if (!read_all(path, buffer.data(), size, buffer.size(), false)) state.SkipWithError("cannot be read");
    benchmark::DoNotOptimize(buffer.data());
  }
  count_bytes(state, path);
}

#define PLIANT_IO_BENCH(function, label, ...) \
  BENCHMARK_CAPTURE(function, label, __VA_ARGS__)->UseRealTime()->Unit(benchmark::kMillisecond)
PLIANT_IO_BENCH(mesh, obj_fresh, "mesh.obj", Memory::fresh);
PLIANT_IO_BENCH(wc, obj, "mesh.obj");
PLIANT_IO_BENCH(mesh, ply_of_floats_fresh, "float.ply", Memory::fresh);
PLIANT_IO_BENCH(plain, ply_of_floats_fresh, "float.ply", Memory::fresh);
PLIANT_IO_BENCH(mesh, ply_of_doubles_fresh, "double.ply", Memory::fresh);
PLIANT_IO_BENCH(plain, ply_of_doubles_fresh, "double.ply", Memory::fresh);
PLIANT_IO_BENCH(motion, pc2_fresh, "motion.pc2", Memory::fresh);
PLIANT_IO_BENCH(plain, pc2_fresh, "motion.pc2", Memory::fresh);
PLIANT_IO_BENCH(mesh, ply_of_floats_recycled, "float.ply", Memory::recycled);
PLIANT_IO_BENCH(plain, ply_of_floats_recycled, "float.ply", Memory::recycled);
PLIANT_IO_BENCH(plain_discarded, ply_of_floats, "float.ply");
PLIANT_IO_BENCH(mesh, ply_of_doubles_recycled, "double.ply", Memory::recycled);
PLIANT_IO_BENCH(plain, ply_of_doubles_recycled, "double.ply", Memory::recycled);
PLIANT_IO_BENCH(plain_discarded, ply_of_doubles, "double.ply");
PLIANT_IO_BENCH(motion, pc2_recycled, "motion.pc2", Memory::recycled);
PLIANT_IO_BENCH(plain, pc2_recycled, "motion.pc2", Memory::recycled);
PLIANT_IO_BENCH(plain_discarded, pc2, "motion.pc2");

}  // namespace
