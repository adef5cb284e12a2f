// Writes a starting corpus for every fuzzer: a small file in each variant of each format.
#include <cstdio>
#include <filesystem>
#include <string>

#include "pliant/asset/asset_file.h"
#include "pliant/core/error.h"
#include "pliant/io/cells.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/point_cache.h"
#include "pliant/io/tet_file.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"
#include "pliant/scene/scene_library.h"
#include "pliant/world/world_state.h"

namespace pliant {
namespace {

class Corpus {
 public:
  explicit Corpus(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void add(const std::string& parser, const std::string& bytes) {
    std::filesystem::create_directories(folder_ / parser);
    write_file((folder_ / parser / ("seed" + std::to_string(count_++))).string(), bytes);
  }

 private:
  std::filesystem::path folder_;
  int count_ = 0;
};

constexpr const char* kObj =
    "# seed\nmtllib a.mtl\no box\nv 0 0 0\nv 1 0 0 1\nv 1 1 0 1 0.5 0\nv 0 1 0\nv .25 .25 1e-3\nvt 0 1\nvn 0 0 1\ng "
    "left\nusemtl m\n"
    "f 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1/1/1 2/1/1 \\\n 3/1/1\ng right\nf -1 -2 -3\nf 1 2 3 4\nf 1 2 5 3 "
    "4\nl 1 2\np 1\n";
constexpr const char* kOff =
    "COFF\n# c\n5 2 0\n0 0 0 1 1 1 1\n1 0 0\n1 1 0\n0 1 0\n.2 .2 0\n5 0 1 4 2 3 255 0 0\n3 0 1 2\n";
constexpr const char* kPly =
    "ply\nformat ascii 1.0\ncomment c\nelement vertex 4\nproperty float x\nproperty double y\nproperty short "
    "z\nproperty uchar red\n"
    "element face 2\nproperty uchar flag\nproperty list uchar int vertex_indices\nelement tristrips 1\n"
    "property list int int vertex_indices\nelement edge 1\nproperty int vertex1\nend_header\n0 0 0 1\n1 0 0 2\n1 1 0 "
    "3\n0 1 0 4\n"
    "7 3 0 1 2\n8 4 0 1 2 3\n6 0 1 2 -1 3 0\n5\n";

// A skinned, morphed and animated triangle.
constexpr const char* kGltf =
    R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":136,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAA)"
    R"(AAAAAAAAAAAAAAAAgD8AAAAAAAABAAIAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAgD8A)"
    R"(AAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAA=="}],"bufferViews":[{"buffer":0,"byteLeng)"
    R"(th":36},{"buffer":0,"byteOffset":36,"byteLength":6},{"buffer":0,"byteOffset":44,"byteLength":8},{"bu)"
    R"(ffer":0,"byteOffset":52,"byteLength":24},{"buffer":0,"byteOffset":76,"byteLength":12},{"buffer":0,"b)"
    R"(yteOffset":88,"byteLength":48}],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","cou)"
    R"(nt":3},{"bufferView":1,"componentType":5123,"type":"SCALAR","count":3},{"bufferView":2,"componentTyp)"
    R"(e":5126,"type":"SCALAR","count":2},{"bufferView":3,"componentType":5126,"type":"VEC3","count":2},{"b)"
    R"(ufferView":4,"componentType":5121,"type":"VEC4","count":3},{"bufferView":5,"componentType":5126,"typ)"
    R"(e":"VEC4","count":3}],"meshes":[{"weights":[0.5],"primitives":[{"attributes":{"POSITION":0,"JOINTS_0)"
    R"(":4,"WEIGHTS_0":5},"indices":1,"targets":[{"POSITION":0}]}]}],"nodes":[{"mesh":0,"skin":0,"children")"
    R"(:[1]},{"rotation":[0,0,0,1]}],"skins":[{"joints":[1]}],"scenes":[{"nodes":[0]}],"animations":[{"samp)"
    R"(lers":[{"input":2,"output":3}],"channels":[{"sampler":0,"target":{"node":1,"path":"translation"}}]}])"
    R"(})";

void add_meshes(Corpus& corpus) {
  corpus.add("gltf", kGltf);
  corpus.add("obj", kObj);
  corpus.add("off", kOff);
  corpus.add("ply", kPly);
  const MeshPtr mesh = parse_obj(kObj, "seed").mesh;
  corpus.add("obj", format_mesh(*mesh, {.format = MeshFormat::obj}));
  corpus.add("off", format_mesh(*mesh, {.format = MeshFormat::off}));
  for (const Encoding encoding : {Encoding::binary, Encoding::text}) {
    corpus.add("stl", format_mesh(*mesh, {.format = MeshFormat::stl, .encoding = encoding}));
    for (const Precision precision : {Precision::float32, Precision::float64})
      corpus.add("ply", format_mesh(*mesh, {.format = MeshFormat::ply, .encoding = encoding, .precision = precision}));
  }
}

void add_caches(Corpus& corpus) {
  const std::string floats(2 * 3 * 3 * 4, '\1');  // two frames of three vertices
  corpus.add("pc2", format_pc2_header(3, 2) + floats);
  corpus.add("mdd", format_mdd_header(3, 2, 24) + floats);
  corpus.add("npy", format_npy_header(3, 2, Precision::float32) + floats);
  corpus.add("npy", format_npy_header(3, 1, Precision::float64) + floats);
}

constexpr const char* kMedit =
    "MeshVersionFormatted 2\nDimension 3\nVertices 5\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n0 0 -1 7\nTriangles 1\n1 2 3 "
    "0\n"
    "Quadrilaterals 1\n1 2 3 4 0\nEdges 1\n1 2 0\nTetrahedra 2\n1 2 3 4 0\n1 3 2 5 0\nEnd\n";

constexpr const char* kVtk5 =
    "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nFIELD f 1\nt 1 2 double\n0 1\nPOINTS 4 float\n0 "
    "0 0 1 0 0 0 1 0 0 0 1\n"
    "METADATA\nINFORMATION 0\n\nCELLS 3 7\nOFFSETS vtktypeint64\n0 4 7\nCONNECTIVITY vtktypeint64\n0 1 2 3 0 1 "
    "2\nCELL_TYPES 2\n10\n5\n";
constexpr const char* kVtkSurface =
    "# vtk DataFile Version 2.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 int\n0 0 0 1 0 0 0 1 0 0 0 1\nLINES 1 3\n2 0 "
    "1\nPOLYGONS 2 9\n"
    "3 0 1 2\n4 0 1 2 3\nTRIANGLE_STRIPS 1 5\n4 0 1 2 3\nPOINT_DATA 4\n";

constexpr const char* kVtuCompressed =
    "<?xml version=\"1.0\"?><VTKFile type=\"PolyData\" compressor=\"vtkZLibDataCompressor\"><PolyData><Piece "
    "NumberOfPoints=\"4\"><Points>"
    "<DataArray type=\"Float32\" "
    "format=\"binary\">AgAAACAAAAAQAAAAEAAAAA0AAAA=eJxjYEAGDfYMaHwADo4Bf3icY2BABg32AAFPAMA=</DataArray>"
    "</Points><Polys><DataArray type=\"Int32\" Name=\"connectivity\" format=\"appended\" offset=\"0\"/><DataArray "
    "type=\"Int32\" "
    "Name=\"offsets\" format=\"ascii\">4</DataArray></Polys></Piece></PolyData><AppendedData encoding=\"base64\">"
    "_AQAAACAAAAAQAAAAEwAAAA==eJxjYGBgYARiJiBmBmIAADgABw==</AppendedData></VTKFile>";

constexpr const char* kPvd =
    "<?xml version=\"1.0\"?><VTKFile type=\"Collection\"><Collection><DataSet timestep=\"1e0\" part=\"0\" "
    "file=\"a&amp;b.vtp\"/><DataSet timestep='0' file='c/d.vtu'></DataSet></Collection></VTKFile>";

void add_tets(Corpus& corpus) {
  corpus.add("pvd", kPvd);
  corpus.add("medit", kMedit);
  corpus.add("vtu", kVtuCompressed);
  corpus.add("vtk", kVtk5);
  corpus.add("vtk", kVtkSurface);
  const TetMeshPtr mesh = parse_tets(kMedit, "seed").mesh;
  corpus.add("medit", format_tets(*mesh, {.format = MeshFormat::medit}));
  const TetgenFiles files = format_tetgen(*mesh);
  corpus.add("tetgen", files.node + '\0' + files.ele);
  for (const Encoding encoding : {Encoding::binary, Encoding::text}) {
    corpus.add("vtu", format_tets(*mesh, {.format = MeshFormat::vtu, .encoding = encoding}));
    corpus.add("vtk", format_tets(*mesh, {.format = MeshFormat::vtk, .encoding = encoding}));
    for (const GmshVersion version : {GmshVersion::v2_2, GmshVersion::v4_1})
      corpus.add("gmsh",
                 format_tets(*mesh, {.format = MeshFormat::gmsh, .encoding = encoding, .gmsh_version = version}));
  }
}

void add_assets(Corpus& corpus) {
  Asset asset;
  asset.dense = asset.coarse = make_box();
  asset.tets = make_tet_box();
  corpus.add("asset", format_asset(asset));
  link_dense(asset);
  asset.report = "{}";
  asset.sections = {{"method", "data", false}};
  corpus.add("asset", format_asset(asset));
}

void add_scenes(Corpus& corpus) {
  for (const LibraryScene& scene : library_scenes()) corpus.add("scene", std::string(scene.text));
  WorldState state{.frame = 3, .fraction = 0.5, .calm_seconds = {0, 1}, .overlapping = {{0, 1}}, .touching = {{0, 1}}};
  state.bodies.resize(2);
  state.bodies[1].positions = state.bodies[1].velocities = {Vec3(1, 2, 3)};
  corpus.add("state", format_state(state));
}

}  // namespace
}  // namespace pliant

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    std::fputs("usage: pliant-fuzz-seeds FOLDER\n", stderr);
    return 2;
  }
  try {
    pliant::Corpus corpus(arguments[1]);
    pliant::add_meshes(corpus);
    pliant::add_caches(corpus);
    pliant::add_tets(corpus);
    pliant::add_assets(corpus);
    pliant::add_scenes(corpus);
  } catch (const pliant::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
