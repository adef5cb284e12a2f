// From a mesh as it comes to an asset: repaired, simplified, filled with tetrahedra, linked, measured.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/asset/asset.h"
#include "pliant/asset/quality.h"
#include "pliant/asset/repair.h"
#include "pliant/asset/simplify.h"
#include "pliant/asset/tetrahedralise.h"
#include "pliant/io/json_writer.h"
#include "pliant/mesh/defects.h"

namespace pliant {

struct PrepareSettings {
  bool repair = true;  // false: the mesh is used as it is, whatever is wrong with it
  RepairSettings repairs;
  std::size_t coarse_faces = 1000;  // of the coarse surface, and of the body's boundary where that is another
  bool wrap_sheets = false;         // make a solid around a mesh that has no inside, instead of refusing it
  TetSettings tets;                 // its faces, threads and progress are those given here
  Threads threads;
  // Told the name of the stage and the fraction of it that is done; what it throws ends the work.
  std::function<void(std::string_view stage, double fraction)> progress;
};

struct PrepareReport {
  DefectReport before;  // of the mesh as given
  DefectReport after;   // of the dense mesh, by indices
  bool repaired = false;
  RepairReport repair;
  CoarseSurfaceKind coarse_kind = CoarseSurfaceKind::as_given;
  int coarse_tries = 0;
  TetWay tet_way = TetWay::stuffing;
  std::string netgen_refused;         // why, if it was asked and did not help
  double cell = 0;                    // of a stuffing
  bool fills_dense = false;           // a stuffing of the dense surface, not of the coarse one
  std::vector<std::string> warnings;  // about the body, in words
  AssetQuality quality;
  struct Seconds {
    double repair = 0, coarse = 0, tets = 0, links = 0, quality = 0;
  } seconds;
};

struct PreparedAsset {
  Asset asset;  // its report is write_report() without seconds: the same mesh gives the same asset
  PrepareReport report;
};

// Throws Error for a mesh that nothing can be made of: without faces, extent or inside.
PreparedAsset prepare_asset(const TriangleMesh& mesh, const PrepareSettings& settings = {});

// The warnings in the report that an asset carries; none if it carries none that can be read.
std::vector<std::string> stored_warnings(const Asset& asset);

// One JSON object, schema pliant.prepare/1 (docs/assets.md).
enum class WithSeconds : bool { no, yes };
void write_report(JsonWriter& json, const Asset& asset, const PrepareReport& report, WithSeconds seconds);

}  // namespace pliant
