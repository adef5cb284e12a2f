// pliant-netgen SURFACE TETS: fills a closed surface with tetrahedra by Netgen. A program of its own, because Netgen
// throws or aborts on surfaces that it does not like, prints what it does and loads some ninety libraries. Started by
// pliant/asset/netgen_process.cpp, which also says what is in the files (pliant/asset/tet_stream.h).
#include <Eigen/Geometry>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "pliant/asset/tet_stream.h"
#include "pliant/io/file.h"

namespace nglib {
#include <netgen/nglib.h>
}

namespace {

using pliant::Vec3;
using pliant::tet_stream::Cells;

// Netgen has tolerances in absolute lengths: everything is brought to this size, and back.
constexpr double kSize = 10;

struct Scale {
  Vec3 middle = Vec3::Zero();
  double factor = 1;

  explicit Scale(const std::vector<Vec3>& points) {
    Eigen::AlignedBox3d box;
    for (const Vec3& p : points) box.extend(p);
    middle = box.center();
    factor = kSize / box.sizes().maxCoeff();
  }
};

nglib::Ng_Mesh* make_surface(const Cells<3>& surface, const Scale& scale) {
  nglib::Ng_Mesh* mesh = nglib::Ng_NewMesh();
  for (const Vec3& p : surface.points) {
    Vec3 scaled = (p - scale.middle) * scale.factor;
    nglib::Ng_AddPoint(mesh, scaled.data());
  }
  for (const auto& t : surface.cells) {
    int corners[3];
    for (std::size_t i = 0; i < 3; ++i) corners[i] = static_cast<int>(t[i]) + 1;
    nglib::Ng_AddSurfaceElement(mesh, nglib::NG_TRIG, corners);
  }
  return mesh;
}

Cells<4> tets_of(nglib::Ng_Mesh* mesh, const Scale& scale) {
  Cells<4> tets;
  for (int i = 1; i <= nglib::Ng_GetNP(mesh); ++i) {
    Vec3 p;
    nglib::Ng_GetPoint(mesh, i, p.data());
    tets.points.emplace_back(p / scale.factor + scale.middle);
  }
  for (int i = 1; i <= nglib::Ng_GetNE(mesh); ++i) {
    int corners[NG_VOLUME_ELEMENT_MAXPOINTS] = {};
    if (nglib::Ng_GetVolumeElement(mesh, i, corners) != nglib::NG_TET) continue;
    std::array<std::uint32_t, 4> tet;
    for (std::size_t k = 0; k < 4; ++k) tet[k] = static_cast<std::uint32_t>(corners[k] - 1);
    tets.cells.push_back(tet);
  }
  return tets;
}

// Does not come back if all went well; otherwise the exit status.
int run(const char* in, const char* out) {
  const auto surface = pliant::tet_stream::parse<3>(pliant::read_file(in).view(), in);
  const Scale scale(surface.points);
  nglib::Ng_Init();
  nglib::Ng_Mesh* mesh = make_surface(surface, scale);
  nglib::Ng_Meshing_Parameters parameters;
  parameters.maxh = kSize;
  parameters.fineness = 0.5;
  parameters.optvolmeshenable = 1;
  parameters.optsteps_3d = 3;
  if (nglib::Ng_GenerateVolumeMesh(mesh, &parameters) != nglib::NG_OK) return 1;
  const Cells<4> tets = tets_of(mesh, scale);
  if (tets.cells.empty()) return 1;
  pliant::write_file(out, pliant::tet_stream::format(tets));
  // Netgen leaves memory behind, which the address sanitizer would take for our fault; there is nothing else to end.
  std::_Exit(0);
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 3) {
    std::fputs("usage: pliant-netgen SURFACE TETS (started by `pliant prepare`)\n", stderr);
    return 2;
  }
  try {
    return run(arguments[1], arguments[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pliant-netgen: %s\n", error.what());
  } catch (...) {  // Netgen throws its own kinds
    std::fputs("pliant-netgen: Netgen gave up\n", stderr);
  }
  return 1;
}
