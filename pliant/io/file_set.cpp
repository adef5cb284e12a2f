#include "pliant/io/file_set.h"

#include <filesystem>

#include "pliant/core/error.h"
#include "pliant/io/file.h"
#include "pliant/io/gltf_reader.h"
#include "pliant/io/mesh_format.h"
#include "pliant/io/sequence.h"

namespace pliant {
namespace {

std::string with_extension(const std::string& path, const char* extension) {
  return std::filesystem::path(path).replace_extension(extension).string();
}

std::vector<std::string> tetgen_pair(const std::string& path) {
  return {with_extension(path, ".node"), with_extension(path, ".ele")};
}

bool is_gltf(const std::string& path) {
  return format_by_extension(path) == MeshFormat::gltf || InputFile(path).opening(4) == "glTF";
}

std::vector<std::string> with_gltf_files(const std::string& path) {
  std::vector<std::string> files = {path};
  for (const std::string& uri : gltf_uris(read_file(path).view(), path)) {
    try {
      files.push_back(path_beside(path, uri));
    } catch (const Error&) {
      // It lies outside of the folder, and is not read.
    }
  }
  return files;
}

// Of one mesh: a frame, or all there is.
std::vector<std::string> files_of_mesh(const std::string& path) {
  try {
    if (is_tetgen(MeshFormat::automatic, path)) return tetgen_pair(path);
    if (is_gltf(path)) return with_gltf_files(path);
  } catch (const Error&) {
    // What is wrong with the file is told when it is read.
  }
  return {path};
}

// Frames come in their thousands and are all of one kind: only those of two kinds of files are looked at.
std::vector<std::string> frame_files(const std::vector<std::string>& frames) {
  std::vector<std::string> files;
  for (const std::string& frame : frames) {
    const std::optional<MeshFormat> format = format_by_extension(frame);
    if (format != MeshFormat::tetgen && format != MeshFormat::gltf) {
      files.push_back(frame);
      continue;
    }
    for (std::string& file : files_of_mesh(frame)) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

std::vector<std::string> files_read_for(const std::string& path) {
  std::vector<std::string> frames;
  try {
    if (names_sequence(path)) {
      for (const SequenceFile& file : find_sequence(path))
        if (file.exists) frames.push_back(file.path);
      return frame_files(frames);
    }
    if (extension_of(path) == ".pvd") frames = list_pvd(path);
  } catch (const Error&) {
    return {path};
  }
  std::vector<std::string> files = frame_files(frames);
  for (std::string& file : files_of_mesh(path)) files.push_back(std::move(file));
  return files;
}

std::vector<std::string> files_written_for(const std::string& path) {
  const std::string extension = extension_of(path);
  if (is_tetgen(MeshFormat::automatic, path)) return tetgen_pair(path);
  if (extension == ".gltf") return {path, with_extension(path, ".bin")};
  if (extension == ".pvd") return {path, with_extension(path, ".%04d.vtp"), with_extension(path, ".%04d.vtu")};
  return {path};
}

}  // namespace pliant
