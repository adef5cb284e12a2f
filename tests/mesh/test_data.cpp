#include "tests/mesh/test_data.h"

#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace pliant::testing {
namespace {

std::ifstream open(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path);
  return file;
}

template <class T>
T read(std::istream& file) {
  T value{};
  file.read(reinterpret_cast<char*>(&value), sizeof value);
  return value;
}

MeshPtr read_obj(const std::string& path) {
  std::ifstream file = open(path);
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      Vec3 p;
      words >> p[0] >> p[1] >> p[2];
      positions.push_back(p);
    } else if (kind == "f") {
      std::array<std::uint32_t, 3> i{};
      words >> i[0] >> i[1] >> i[2];
      triangles.push_back({VertexId(i[0] - 1), VertexId(i[1] - 1), VertexId(i[2] - 1)});
    }
  }
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles), MeshOrigin{.name = path});
}

MeshPtr read_ply(const std::string& path) {
  std::ifstream file = open(path);
  std::size_t vertices = 0, faces = 0;
  bool is_double = false;
  for (std::string line; std::getline(file, line) && line != "end_header";) {
    if (line.starts_with("element vertex ")) vertices = std::stoul(line.substr(15));
    if (line.starts_with("element face ")) faces = std::stoul(line.substr(13));
    if (line.starts_with("property double")) is_double = true;
  }
  std::vector<Vec3> positions(vertices);
  for (Vec3& p : positions)
    for (int axis = 0; axis < 3; ++axis) p[axis] = is_double ? read<double>(file) : read<float>(file);
  std::vector<Triangle> triangles(faces);
  for (Triangle& t : triangles) {
    if (read<unsigned char>(file) != 3) throw std::runtime_error(path + ": not a triangle");
    for (VertexId& v : t) v = VertexId(read<std::uint32_t>(file));
  }
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles), MeshOrigin{.name = path});
}

}  // namespace

MeshPtr read_test_mesh(const std::string& path) { return path.ends_with(".obj") ? read_obj(path) : read_ply(path); }

TetFile read_test_tets(const std::string& path) {
  std::ifstream file = open(path);
  TetFile result;
  for (std::string word; file >> word;) {
    std::size_t count = 0, reference = 0;
    if (word == "Vertices") {
      file >> count;
      result.positions.resize(count);
      for (Vec3& p : result.positions) file >> p[0] >> p[1] >> p[2] >> reference;
    } else if (word == "Tetrahedra") {
      file >> count;
      result.tets.resize(count);
      for (Tet& t : result.tets) {
        std::array<std::uint32_t, 4> i{};
        file >> i[0] >> i[1] >> i[2] >> i[3] >> reference;
        for (std::size_t k = 0; k < 4; ++k) t[k] = VertexId(i[k] - 1);
      }
    }
  }
  return result;
}

}  // namespace pliant::testing
