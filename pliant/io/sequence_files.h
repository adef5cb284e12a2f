// Which files a sequence consists of, frame by frame. Internal to io/: the door is io/sequence.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pliant {

struct SequenceFile {
  std::string path;
  bool exists = true;  // false: a number is missing between others, and this is the file that should have it
};

// The frames of a path that names_sequence() is true for, in order. Files whose names differ in one number only are
// frames by that number, whatever way they are named (a number pattern, a glob, a folder): the smallest step between
// two of them is the step of all, and what is missing between them has its place in the list.
//
// Throws Error if there is no file, if numbers do not go up in equal steps, if two files have the same number, and for
// a missing number among files that are several series.
std::vector<SequenceFile> find_sequence(const std::string& path);

// The frames first, first + step, ... up to and including `last`.
struct FrameChoice {
  std::size_t first = 0;
  std::size_t last = SIZE_MAX;
  std::size_t step = 1;
};

// Throws Error, naming the first of the chosen frames whose file is missing, and what else to choose.
void require_files(const std::vector<SequenceFile>& files, const std::string& path, const FrameChoice& choice);

// Whether the name of a file, without folders, stands for others: * or ?.
bool is_glob(const std::string& name);

}  // namespace pliant
