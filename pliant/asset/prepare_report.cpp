#include "pliant/asset/prepare.h"
#include "pliant/io/json_value.h"

namespace pliant {
namespace {

void write_defects(JsonWriter& json, std::string_view name, const DefectReport& defects) {
  json.key(name).begin_object();
  json.field("boundary_edges", defects.boundary_edges.count);
  json.field("nonmanifold_edges", defects.nonmanifold_edges.count);
  json.field("nonmanifold_vertices", defects.nonmanifold_vertices.count);
  json.field("flipped_edges", defects.flipped_edges.count);
  json.field("duplicate_vertices", defects.duplicate_vertices.count);
  json.field("unreferenced_vertices", defects.unreferenced_vertices.count);
  json.field("repeated_index_faces", defects.repeated_index_faces.count);
  json.field("zero_area_faces", defects.zero_area_faces.count);
  json.field("duplicate_faces", defects.duplicate_faces.count);
  json.field("components", defects.components);
  json.field("faces", defects.faces);
  json.field("closed", defects.closed());
  json.end_object().new_line();
}

void write_repair(JsonWriter& json, const RepairReport& repair) {
  json.key("repair").begin_object();
  json.field("unreferenced_vertices", repair.unreferenced_vertices);
  json.field("welded_vertices", repair.welded_vertices);
  json.field("repeated_index_faces", repair.repeated_index_faces);
  json.field("duplicate_faces", repair.duplicate_faces);
  json.field("dangling_faces", repair.dangling_faces);
  json.field("overlapping_faces", repair.overlapping_faces);
  json.field("turned_faces", repair.turned_faces);
  json.field("cut_edges", repair.cut_edges);
  json.field("split_vertices", repair.split_vertices);
  json.field("dropped_parts", repair.dropped_parts);
  json.field("filled_holes", repair.filled_holes);
  json.field("faces_added", repair.faces_added);
  json.field("vertices_added", repair.vertices_added);
  json.field("open_sheets", repair.open_sheets);
  json.field("zero_area_faces", repair.zero_area_faces);
  json.end_object().new_line();
}

void write_optional(JsonWriter& json, std::string_view name, const std::optional<double>& value) {
  json.key(name);
  if (value) json.value(*value);
  else json.null();
}

void write_tets(JsonWriter& json, const Asset& asset, const PrepareReport& report) {
  const TetQuality& tets = report.quality.tets;
  json.key("tets").begin_object();
  json.field("vertices", asset.tets->vertex_count()).field("tets", asset.tets->tet_count());
  json.field("way", to_string(report.tet_way));
  if (!report.netgen_refused.empty()) json.field("netgen", report.netgen_refused);
  if (report.tet_way == TetWay::stuffing)
    json.field("cell", report.cell).field("fills", report.fills_dense ? "dense" : "coarse");
  json.field("least_radius_ratio", tets.least_radius_ratio).field("mean_radius_ratio", tets.mean_radius_ratio);
  json.field("least_dihedral_degrees", tets.least_dihedral_degrees);
  json.field("largest_dihedral_degrees", tets.largest_dihedral_degrees);
  json.field("outside_vertices", report.quality.outside_vertices);
  json.end_object().new_line();
}

void write_seconds(JsonWriter& json, const PrepareReport::Seconds& seconds) {
  json.key("seconds").begin_object();
  json.field("repair", seconds.repair).field("coarse", seconds.coarse).field("tets", seconds.tets);
  json.field("links", seconds.links).field("quality", seconds.quality);
  json.end_object().new_line();
}

}  // namespace

void write_report(JsonWriter& json, const Asset& asset, const PrepareReport& report, WithSeconds seconds) {
  const AssetQuality& quality = report.quality;
  json.begin_object();
  json.field("schema", "pliant.prepare/1").field("name", asset.dense->origin().name).new_line();
  json.key("dense").begin_object();
  json.field("vertices", asset.dense->vertex_count()).field("triangles", asset.dense->face_count());
  json.end_object().new_line();
  write_defects(json, "defects_before", report.before);
  write_defects(json, "defects_after", report.after);
  if (report.repaired) write_repair(json, report.repair);
  json.key("coarse").begin_object();
  json.field("vertices", asset.coarse->vertex_count()).field("triangles", asset.coarse->face_count());
  json.field("way", to_string(report.coarse_kind)).field("tries", report.coarse_tries);
  json.end_object().new_line();
  write_tets(json, asset, report);
  json.key("volume").begin_object();
  write_optional(json, "dense", quality.dense_volume);
  json.field("coarse", quality.coarse_volume).field("tets", quality.tet_volume);
  write_optional(json, "error", quality.volume_error());
  json.end_object().new_line();
  json.key("distance").begin_object();
  json.field("largest", quality.largest_distance).field("mean", quality.mean_distance);
  json.field("diagonal", quality.diagonal);
  json.end_object().new_line();
  json.key("warnings").begin_array();
  for (const std::string& warning : report.warnings) json.value(warning);
  json.end_array().new_line();
  if (seconds == WithSeconds::yes) write_seconds(json, report.seconds);
  json.end_object();
}

std::vector<std::string> stored_warnings(const Asset& asset) {
  std::vector<std::string> warnings;
  if (asset.report.empty()) return warnings;
  try {
    const JsonValue report = JsonValue::parse(asset.report);
    if (const JsonValue* stored = report.find("warnings"))
      for (const JsonValue& warning : *stored) warnings.push_back(warning.text());
  } catch (const JsonError&) {
    warnings.clear();
  }
  return warnings;
}

}  // namespace pliant
