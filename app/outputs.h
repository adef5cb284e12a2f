// What a subcommand is about to write must not be what it reads.
#pragma once

#include <string>
#include <vector>

namespace pliant::app {

// Files as the user named them: meshes, motions, folders of recordings, with every file that is read or written for
// them (io/file_set.h): buffers, frames, second files. "" and "-" are nobody's file. Links are followed, so that
// another name of the same file is found out.
//
// Throws Error if an output would overwrite one of the inputs, or another output.
void require_outputs_apart(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

// A file of contacts with those of its points that are written beside it.
std::vector<std::string> with_points_beside(const std::string& contacts);

}  // namespace pliant::app
