#include "pliant/io/contact_files.h"

#include <algorithm>

#include "pliant/io/byte_reader.h"
#include "pliant/io/decimal.h"
#include "pliant/io/region_files.h"
#include "pliant/io/vtk_xml_writer.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

const char* name_of(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::vertex:
      return "vertex";
    case FeatureKind::edge:
      return "edge";
    case FeatureKind::face:
      return "triangle";
    default:
      return "region";
  }
}

void append_feature(std::string& text, const Feature& feature, const Detector& detector) {
  const TriangleMesh& mesh = *detector.body(feature.body).mesh;
  append_integer(text, feature.body.value);
  text += ',';
  text += name_of(feature.kind);
  text += ',';
  if (feature.kind == FeatureKind::edge) {
    const Edge& edge = mesh.topology().edge(EdgeId(feature.id));
    append_integer(text, mesh.vertex_in_file(edge[0]));
    text += '-';
    append_integer(text, mesh.vertex_in_file(edge[1]));
  } else {
    append_integer(text, feature.kind == FeatureKind::face     ? mesh.triangle_in_file(FaceId(feature.id))
                         : feature.kind == FeatureKind::vertex ? mesh.vertex_in_file(VertexId(feature.id))
                                                               : feature.id);
  }
  text += ',';
}

void append_numbers(std::string& text, const Vec3& v) {
  for (int axis = 0; axis < 3; ++axis) {
    append_decimal(text, v[axis]);
    text += ',';
  }
}

// All bodies at a time, one after the other.
struct Surface {
  std::vector<Vec3> positions;
  std::vector<std::int64_t> corners;  // three a face
  std::vector<std::int32_t> contacts, body, triangle;
  std::vector<std::int32_t> region, particle;  // by face, by vertex; empty if no body is divided
};

// Where the faces and vertices of a body stand in the surface.
void join_division(const Division& division, std::size_t first_face, std::size_t first_vertex, Surface& surface) {
  for (std::size_t f = 0; f < division.region_of_face.size(); ++f)
    surface.region[first_face + f] = static_cast<std::int32_t>(division.region_of_face[f]);
  for (const VertexId v : division.particles) surface.particle[first_vertex + v.index()] = 1;
}

void join_divisions(const Detector& detector, const Divisions& divisions, Surface& surface) {
  const auto is_divided = [](const Division& d) { return !d.region_of_face.empty(); };
  if (std::none_of(divisions.begin(), divisions.end(), is_divided)) return;
  surface.region.assign(surface.contacts.size(), -1);
  surface.particle.assign(surface.positions.size(), 0);
  std::size_t face = 0, vertex = 0, number = 0;
  for (const BodyId id : detector.body_ids()) {
    join_division(divisions[number++], face, vertex, surface);
    face += detector.body(id).mesh->face_count();
    vertex += detector.body(id).mesh->vertex_count();
  }
}

Surface join_bodies(const Detector& detector, const ContactCounts& counts, double time, const Divisions& divisions) {
  Surface surface;
  for (const BodyId id : detector.body_ids()) {
    const Body& body = detector.body(id);
    const auto base = static_cast<std::int64_t>(surface.positions.size());
    const Frame frame = body.motion.positions_at(time);
    surface.positions.insert(surface.positions.end(), frame.positions().begin(), frame.positions().end());
    for (std::size_t f = 0; f < body.mesh->face_count(); ++f) {
      for (const VertexId v : body.mesh->triangles()[f]) surface.corners.push_back(base + v.value);
      surface.contacts.push_back(static_cast<std::int32_t>(counts.of(id)[f]));
      surface.body.push_back(static_cast<std::int32_t>(id.value));
      surface.triangle.push_back(static_cast<std::int32_t>(body.mesh->triangle_in_file(FaceId(f))));
    }
  }
  join_divisions(detector, divisions, surface);
  return surface;
}

std::vector<std::int32_t> join_counts(const Detector& detector, const ContactCounts& counts) {
  std::vector<std::int32_t> joined;
  for (const BodyId id : detector.body_ids()) joined.insert(joined.end(), counts.of(id).begin(), counts.of(id).end());
  return joined;
}

std::string piece_attributes(std::size_t points, std::size_t vertices, std::size_t polygons) {
  return "NumberOfPoints=\"" + std::to_string(points) + "\" NumberOfVerts=\"" + std::to_string(vertices) +
         "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"" + std::to_string(polygons) + "\"";
}

std::vector<std::int64_t> multiples(std::size_t count, std::int64_t factor) {
  std::vector<std::int64_t> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<std::int64_t>(i + 1) * factor;
  return result;
}

void append_colour(std::string& bytes, bool in_contact, std::int32_t region) {
  if (in_contact) bytes += "\xdc\x28\x28";
  else if (region < 0) bytes += "\xc8\xc8\xc8";
  else
    for (const std::uint8_t c : region_colour(static_cast<std::uint32_t>(region))) bytes += static_cast<char>(c);
}

}  // namespace

std::string contact_csv_header() {
  return "time,kind,relation,initial,body_a,feature_a,index_a,body_b,feature_b,index_b,x,y,z,nx,ny,nz,depth\n";
}

void append_csv(std::string& text, const Contact& contact, const Detector& detector) {
  append_decimal(text, contact.time);
  text += ',';
  text += to_string(contact.kind());
  text += ',';
  text += to_string(contact.relation);
  text += contact.initial ? ",1," : ",0,";
  append_feature(text, contact.a, detector);
  append_feature(text, contact.b, detector);
  if (contact.kind() == ContactKind::region_region) {
    text += ",,,,,,";
  } else {
    append_numbers(text, contact.point);
    append_numbers(text, contact.normal);
    append_decimal(text, contact.depth);
  }
  text += '\n';
}

ContactCounts::ContactCounts(const Detector& detector) : detector_(detector) {
  for (const BodyId id : detector.body_ids()) {
    counts_.resize(std::max(counts_.size(), id.index() + 1));
    counts_[id.index()].resize(detector.body(id).mesh->face_count());
  }
}

void ContactCounts::add(const Contact& contact, const Detector& detector) {
  add(contact.a, detector);
  add(contact.b, detector);
}

void ContactCounts::clear() {
  for (std::vector<std::uint32_t>& counts : counts_) std::fill(counts.begin(), counts.end(), 0);
}

void ContactCounts::add(const Feature& feature, const Detector& detector) {
  std::vector<std::uint32_t>& counts = counts_[feature.body.index()];
  const TriangleMesh& mesh = *detector.body(feature.body).mesh;
  const auto count_all = [&](std::span<const FaceId> faces) {
    for (const FaceId face : faces) ++counts[face.index()];
  };
  switch (feature.kind) {
    case FeatureKind::face:
      ++counts[feature.id];
      break;
    case FeatureKind::vertex:
      count_all(mesh.topology().faces_of_vertex(VertexId(feature.id)));
      break;
    case FeatureKind::edge:
      count_all(mesh.topology().faces_of_edge(EdgeId(feature.id)));
      break;
    case FeatureKind::region:
      count_all(detector.region(feature.body, feature.id).faces);
      break;
  }
}

Divisions divisions_of(const Detector& detector) {
  Divisions divisions;
  for (const BodyId id : detector.body_ids()) divisions.push_back(detector.division(id));
  return divisions;
}

std::string format_contact_ply(const Detector& detector, const ContactCounts& counts, double time,
                               const Divisions& divisions) {
  const Surface surface = join_bodies(detector, counts, time, divisions);
  std::vector<bool> in_contact(surface.positions.size());
  std::vector<std::int32_t> region(surface.positions.size(), -1);
  for (std::size_t i = 0; i < surface.corners.size(); ++i) {
    const auto v = static_cast<std::size_t>(surface.corners[i]);
    if (surface.contacts[i / 3] > 0) in_contact[v] = true;
    if (!surface.region.empty()) region[v] = surface.region[i / 3];
  }
  const std::string colour = "property uchar red\nproperty uchar green\nproperty uchar blue\n";
  std::string bytes =
      "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(surface.positions.size()) +
      "\nproperty double x\nproperty double y\nproperty double z\n" + colour + "element face " +
      std::to_string(surface.contacts.size()) + "\nproperty list uchar int vertex_indices\n" + colour + "end_header\n";
  for (std::size_t v = 0; v < surface.positions.size(); ++v) {
    for (int axis = 0; axis < 3; ++axis) append_little(bytes, surface.positions[v][axis]);
    if (!surface.particle.empty() && surface.particle[v] != 0) bytes += std::string(3, '\0');
    else append_colour(bytes, in_contact[v], region[v]);
  }
  for (std::size_t f = 0; f < surface.contacts.size(); ++f) {
    bytes += '\3';
    for (std::size_t i = 0; i < 3; ++i) append_little(bytes, static_cast<std::int32_t>(surface.corners[3 * f + i]));
    append_colour(bytes, surface.contacts[f] > 0, surface.region.empty() ? -1 : surface.region[f]);
  }
  return bytes;
}

std::string format_contact_vtp(const Detector& detector, const ContactCounts& counts, double time,
                               const ContactCounts* begins, const Divisions& divisions) {
  const Surface surface = join_bodies(detector, counts, time, divisions);
  VtkXmlWriter out("PolyData", Encoding::binary);
  out.open("Piece", piece_attributes(surface.positions.size(), 0, surface.contacts.size()));
  out.positions(surface.positions);
  out.open("Polys");
  out.array<std::int64_t>("connectivity", 1, surface.corners);
  out.array<std::int64_t>("offsets", 1, multiples(surface.contacts.size(), 3));
  out.close();
  out.open("CellData", "Scalars=\"contacts\"");
  out.array<std::int32_t>("contacts", 1, surface.contacts);
  if (begins) out.array<std::int32_t>("begins", 1, join_counts(detector, *begins));
  out.array<std::int32_t>("body", 1, surface.body);
  out.array<std::int32_t>("triangle", 1, surface.triangle);
  if (surface.region.empty()) return out.finish();
  out.array<std::int32_t>("region", 1, surface.region);
  out.close();
  out.open("PointData", "Scalars=\"particle\"");
  out.array<std::int32_t>("particle", 1, surface.particle);
  return out.finish();
}

std::string format_contact_points_vtp(std::span<const Contact> contacts) {
  std::vector<Vec3> points;
  std::vector<double> normals, times, depths;
  std::vector<std::int32_t> kinds, bodies_a, bodies_b;
  std::vector<std::int64_t> indices;
  for (const Contact& contact : contacts) {
    indices.push_back(static_cast<std::int64_t>(points.size()));
    points.push_back(contact.point);
    normals.insert(normals.end(), contact.normal.data(), contact.normal.data() + 3);
    times.push_back(contact.time);
    depths.push_back(contact.depth);
    kinds.push_back(static_cast<std::int32_t>(contact.kind()));
    bodies_a.push_back(static_cast<std::int32_t>(contact.a.body.value));
    bodies_b.push_back(static_cast<std::int32_t>(contact.b.body.value));
  }
  VtkXmlWriter out("PolyData", Encoding::binary);
  out.open("Piece", piece_attributes(points.size(), points.size(), 0));
  out.positions(points);
  out.open("Verts");
  out.array<std::int64_t>("connectivity", 1, indices);
  out.array<std::int64_t>("offsets", 1, multiples(points.size(), 1));
  out.close();
  out.open("PointData", "Normals=\"normal\"");
  out.array<double>("normal", 3, normals);
  out.array<double>("time", 1, times);
  out.array<double>("depth", 1, depths);
  out.array<std::int32_t>("kind", 1, kinds);
  out.array<std::int32_t>("body_a", 1, bodies_a);
  out.array<std::int32_t>("body_b", 1, bodies_b);
  return out.finish();
}

}  // namespace pliant
