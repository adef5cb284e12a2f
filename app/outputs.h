// What a subcommand is about to write must not be what it reads.
#pragma once

#include <string>
#include <vector>

namespace pliant::app {

// Files as the user named them: meshes, motions (every frame of a sequence counts), folders of recordings; "" and "-"
// are nobody's file. Links are followed, so that another name of the same file is found out.
//
// Throws Error if an output would overwrite one of the inputs, or another output.
void require_outputs_apart(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

}  // namespace pliant::app
