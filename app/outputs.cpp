#include "app/outputs.h"

#include <filesystem>

#include "pliant/core/error.h"
#include "pliant/io/mesh_format.h"
#include "pliant/io/sequence.h"
#include "pliant/world/run_folder.h"

namespace pliant::app {
namespace {

namespace fs = std::filesystem;

std::string with_extension(const std::string& path, const char* extension) {
  return fs::path(path).replace_extension(extension).string();
}

// Other files in its folder are the user's.
std::vector<std::string> files_of_recording(const std::string& folder) {
  std::vector<std::string> files = files_of(read_run(folder));
  for (std::string& file : files) file = file_in(folder, file);
  return files;
}

std::vector<std::string> files_read_for(const std::string& path) {
  try {
    if (is_run_folder(path)) return files_of_recording(path);
    if (names_sequence(path)) return list_sequence(path);
    if (is_tetgen(MeshFormat::automatic, path)) return {with_extension(path, ".node"), with_extension(path, ".ele")};
    if (extension_of(path) == ".pvd") {
      std::vector<std::string> files = list_pvd(path);
      files.push_back(path);
      return files;
    }
  } catch (const Error&) {
    // What is wrong with the input is said when it is read.
  }
  return {path};
}

// Files and number patterns.
std::vector<std::string> files_written_for(const std::string& path) {
  const std::string extension = extension_of(path);
  if (is_tetgen(MeshFormat::automatic, path)) return {with_extension(path, ".node"), with_extension(path, ".ele")};
  if (extension == ".gltf") return {path, with_extension(path, ".bin")};
  if (extension == ".pvd") return {path, with_extension(path, ".%04d.vtp"), with_extension(path, ".%04d.vtu")};
  return {path};
}

bool overwrites(const std::string& output, const std::string& input) {
  std::error_code error;  // of a file that is not there
  return fs::equivalent(output, input, error) || is_frame_of(output, input);
}

void require_apart(const std::string& output, const std::string& input) {
  for (const std::string& read : files_read_for(input))
    for (const std::string& written : files_written_for(output))
      if (overwrites(written, read))
        throw Error(ErrorPlace{.file = output}, "would overwrite an input: " + read, "choose another name");
}

bool is_file(const std::string& path) { return !path.empty() && path != "-"; }

bool same_place(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error) && !error;
}

}  // namespace

void require_outputs_apart(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!is_file(outputs[i])) continue;
    for (const std::string& input : inputs)
      if (is_file(input)) require_apart(outputs[i], input);
    for (std::size_t j = 0; j < i; ++j)
      if (is_file(outputs[j]) && same_place(outputs[i], outputs[j]))
        throw Error(ErrorPlace{.file = outputs[i]}, "is to be written twice", "choose another name for one of them");
  }
}

}  // namespace pliant::app
