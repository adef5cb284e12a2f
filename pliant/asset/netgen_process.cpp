// Netgen at arm's length: started, fed and watched by us, and stopped when it takes too long.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "pliant/asset/measure.h"
#include "pliant/asset/tet_stream.h"
#include "pliant/asset/tetrahedralise.h"
#include "pliant/core/budget.h"
#include "pliant/core/error.h"
#include "pliant/io/file.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every system's headers

namespace pliant {
namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "pliant-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw Error(ErrorPlace{.file = pattern}, "a temporary folder cannot be made: " + std::string(strerror(errno)));
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// Everything that it prints goes nowhere.
std::optional<pid_t> start(const std::string& program, const std::string& in, const std::string& out) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string arguments[] = {program, in, out};
  char* argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(), nullptr};
  pid_t process = -1;
  const int problem = posix_spawn(&process, program.c_str(), &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return problem == 0 ? std::optional(process) : std::nullopt;
}

// Why the process did not end well; empty if it did.
std::string wait_for(pid_t process, const TetSettings& settings) {
  const std::chrono::milliseconds timeout = settings.timeout;
  const Budget budget = Budget::within(timeout);
  int status = 0;
  const auto end = [&] {
    ::kill(process, SIGKILL);
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
  };
  for (auto pause = std::chrono::milliseconds(1);; pause = std::min(2 * pause, std::chrono::milliseconds(50))) {
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process) break;
    if (ended < 0 && errno != EINTR) return "its end was missed";
    if (budget.past_deadline()) {
      end();
      return "it took longer than " + std::to_string(timeout.count() / 1000) + " s";
    }
    std::this_thread::sleep_for(pause);
    if (settings.progress) {
      try {
        settings.progress(0);  // how far it is, it does not tell; but the user may have enough of it
      } catch (...) {
        end();
        throw;
      }
    }
  }
  if (WIFSIGNALED(status)) return "it was ended by signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == 127) return "it cannot be started";
  return WEXITSTATUS(status) == 0 ? "" : "it refused the surface (status " + std::to_string(WEXITSTATUS(status)) + ")";
}

tet_stream::Cells<3> surface_cells(const TriangleMesh& mesh) {
  tet_stream::Cells<3> cells{{mesh.positions().begin(), mesh.positions().end()}, {}};
  for (const Triangle& t : mesh.triangles()) cells.cells.push_back({t[0].value, t[1].value, t[2].value});
  return cells;
}

std::vector<Triangle> sorted_faces(const TriangleMesh& mesh, std::span<const VertexId> names) {
  std::vector<Triangle> faces;
  for (Triangle t : mesh.triangles()) {
    if (!names.empty())
      for (VertexId& v : t) v = names[v.index()];
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    faces.push_back(t);
  }
  std::sort(faces.begin(), faces.end());
  return faces;
}

// Trusts nothing: what comes back must fill the surface, all of it and nothing else.
NetgenAnswer check(const TriangleMesh& coarse, tet_stream::Cells<4> cells) {
  if (cells.points.size() < coarse.vertex_count()) return {nullptr, "it lost vertices"};
  std::copy(coarse.positions().begin(), coarse.positions().end(), cells.points.begin());  // bit for bit
  std::vector<Tet> tets;
  for (const auto& c : cells.cells) tets.push_back({VertexId(c[0]), VertexId(c[1]), VertexId(c[2]), VertexId(c[3])});
  const auto mesh = std::make_shared<const TetMesh>(std::move(cells.points), std::move(tets), coarse.origin().name);
  if (mesh->flat_count() > 0) return {nullptr, "it made flat tetrahedra"};
  if (mesh->flipped_count() != 0 && mesh->flipped_count() != mesh->tet_count())
    return {nullptr, "it turned some tetrahedra inside out"};
  std::vector<bool> used(mesh->vertex_count(), false);
  for (const Tet& t : mesh->tets())
    for (const VertexId v : t) used[v.index()] = true;
  if (std::find(used.begin(), used.end(), false) != used.end()) return {nullptr, "it left vertices without tetrahedra"};
  if (sorted_faces(*mesh->surface(), mesh->surface_vertices()) != sorted_faces(coarse, {}))
    return {nullptr, "it changed the surface"};
  const double wanted = measure(coarse).volume();
  if (std::abs(mesh->volume() - wanted) > 1e-9 * wanted) return {nullptr, "its tetrahedra overlap"};
  return {mesh, {}};
}

bool is_program(const fs::path& path) { return ::access(path.c_str(), X_OK) == 0 && !fs::is_directory(path); }

}  // namespace

std::optional<std::string> find_netgen(const TetSettings& settings) {
  const char* named = std::getenv("PLIANT_NETGEN");
  for (const std::string& path : {settings.helper, std::string(named != nullptr ? named : "")})
    if (!path.empty()) return is_program(path) ? std::optional(path) : std::nullopt;
  std::error_code problem;
  const fs::path folder = fs::read_symlink("/proc/self/exe", problem).parent_path();
  if (problem) return std::nullopt;
  for (const fs::path& path : {folder / "pliant-netgen", folder / "../libexec/pliant/pliant-netgen"})
    if (is_program(path)) return path.string();
  return std::nullopt;
}

NetgenAnswer run_netgen(const TriangleMesh& coarse, const TetSettings& settings) {
  const std::optional<std::string> program = find_netgen(settings);
  if (!program) return {nullptr, "the program pliant-netgen is not there"};
  try {
    const TemporaryFolder folder;
    const std::string in = folder / "surface", out = folder / "tets";
    write_file(in, tet_stream::format(surface_cells(coarse)));
    const std::optional<pid_t> process = start(*program, in, out);
    if (!process) return {nullptr, "it cannot be started"};
    if (const std::string problem = wait_for(*process, settings); !problem.empty()) return {nullptr, problem};
    return check(coarse, tet_stream::parse<4>(read_file(out).view(), "the answer"));
  } catch (const Error& error) {
    return {nullptr, error.what()};
  }
}

}  // namespace pliant
