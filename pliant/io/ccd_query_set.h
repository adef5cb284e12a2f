// Any file, or a folder, of continuous collision queries with known answers (ccd_queries.h) as one kind of thing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/io/ccd_queries.h"

namespace pliant {

struct CcdQuerySet {
  std::string name;  // of the file, with its folder where several folders were given
  CcdQueryFile content;
};

// `path` is a .ccdq, .ccdp or .csv file, or a folder, which is searched for them (also in folders within).
//
// The positions of a .ccdp file's pairs stand beside it: t0.ply and t1.ply, or, for step_K_*.ccdp, base.ply and frames
// K and K + 1 of anim.pc2. What kind of pairs a .csv file has is told by its path (a part of it is vertex-face, vf,
// edge-edge or ee), unless `kind` is given.
//
// Sorted by name. Throws Error for what cannot be read, a folder without any such file, and a .csv file whose kind is
// not known.
std::vector<CcdQuerySet> read_ccd_query_sets(const std::string& path, std::optional<CcdKind> kind = {});

}  // namespace pliant
