#include "app/outputs.h"

#include <algorithm>
#include <filesystem>

#include "pliant/core/error.h"
#include "pliant/io/file_set.h"
#include "pliant/io/mesh_format.h"
#include "pliant/io/sequence.h"
#include "pliant/world/run_folder.h"

namespace pliant::app {
namespace {

namespace fs = std::filesystem;

// Other files in its folder are the user's.
std::vector<std::string> files_of_recording(const std::string& folder) {
  std::vector<std::string> files = files_of(read_run(folder));
  for (std::string& file : files) file = file_in(folder, file);
  return files;
}

std::vector<std::string> files_of_input(const std::string& path) {
  try {
    if (is_run_folder(path)) return files_of_recording(path);
  } catch (const Error&) {
    // What is wrong with the input is said when it is read.
  }
  return files_read_for(path);
}

bool overwrites(const std::string& output, const std::string& input) {
  std::error_code error;  // of a file that is not there
  return fs::equivalent(output, input, error) || is_frame_of(output, input);
}

void require_apart(const std::string& output, const std::vector<std::string>& read) {
  for (const std::string& written : files_written_for(output))
    for (const std::string& input : read)
      if (overwrites(written, input))
        throw Error(ErrorPlace{.file = output}, "would overwrite an input: " + input, "choose another name");
}

bool is_file(const std::string& path) { return !path.empty() && path != "-"; }

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error) && !error;
}

}  // namespace

void require_outputs_apart(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  if (std::none_of(outputs.begin(), outputs.end(), is_file)) return;
  std::vector<std::string> read;
  for (const std::string& input : inputs) {
    if (!is_file(input)) continue;
    for (std::string& file : files_of_input(input)) read.push_back(std::move(file));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!is_file(outputs[i])) continue;
    require_apart(outputs[i], read);
    for (std::size_t j = 0; j < i; ++j)
      if (is_file(outputs[j]) && same_file(outputs[i], outputs[j]))
        throw Error(ErrorPlace{.file = outputs[i]}, "is to be written twice", "choose another name for one of them");
  }
}

std::vector<std::string> with_points_beside(const std::string& contacts) {
  const std::string extension = extension_of(contacts);
  const auto beside = [&](const std::string& end) { return fs::path(contacts).replace_extension(end).string(); };
  std::vector<std::string> files = {contacts};
  if (extension == ".vtp" || extension == ".pvd") files.push_back(beside(".points" + extension));
  if (extension == ".ply" || extension == ".vtp") files.push_back(beside(".spheres" + extension));
  if (extension == ".pvd") files.push_back(beside(".points.%04d.vtp"));
  return files;
}

}  // namespace pliant::app
