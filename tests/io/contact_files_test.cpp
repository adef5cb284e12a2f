#include "pliant/io/contact_files.h"

#include <sstream>

#include "pliant/detect/registry.h"
#include "pliant/io/mesh_file.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

// Two triangles of one body, of which the second crosses the one triangle of the other body.
struct Crossing {
  std::unique_ptr<Detector> detector = make_detector("brute-force", {});
  std::vector<Contact> contacts;

  Crossing() {
    detector->add_body(
        parse_obj("v 9 0 0\nv 9 1 0\nv 8 0 0\nv 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\nf 4 5 6\n", "a.obj").mesh);
    detector->add_body(parse_obj("v 0.5 0.5 -1\nv 0.5 0.5 1\nv 5 5 0\nf 1 2 3\n", "b.obj").mesh);
    contacts = detector->detect(Interval::instant(0)).contacts;
  }
  ContactCounts counts() const {
    ContactCounts result(*detector);
    for (const Contact& contact : contacts) result.add(contact);
    return result;
  }
};

TEST(ContactFiles, WritesOneLineOfCsvAContact) {
  const Crossing crossing;
  ASSERT_EQ(crossing.contacts.size(), 1u);
  std::string text;
  append_csv(text, crossing.contacts[0], *crossing.detector);
  EXPECT_EQ(text.substr(0, text.find(",triangle,0,") + 12),
            "0,triangle-triangle,crossing,1,0,triangle,1,1,triangle,0,");
  const std::string header = contact_csv_header();
  EXPECT_EQ(std::count(text.begin(), text.end(), ','), std::count(header.begin(), header.end(), ','));
  EXPECT_EQ(text.back(), '\n');
}

TEST(ContactFiles, CountsTheFacesOfVerticesAndEdges) {
  const Crossing crossing;
  ContactCounts counts = crossing.counts();
  EXPECT_EQ(std::vector<std::uint32_t>(counts.of(BodyId(0)).begin(), counts.of(BodyId(0)).end()),
            (std::vector<std::uint32_t>{0, 1}));
  counts.add({.a = {BodyId(0), FeatureKind::vertex, 0}, .b = {BodyId(1), FeatureKind::edge, 2}});
  EXPECT_EQ(counts.of(BodyId(0))[0], 1u);
  EXPECT_EQ(counts.of(BodyId(1))[0], 2u);
}

TEST(ContactFiles, CountsAnewAfterClearing) {
  const Crossing crossing;
  ContactCounts counts = crossing.counts();
  counts.clear();
  EXPECT_EQ(counts.of(BodyId(0))[1], 0u);
  counts.add(crossing.contacts[0], *crossing.detector);
  EXPECT_EQ(counts.of(BodyId(0))[1], 1u);
}

TEST(ContactFiles, ColoursFacesInContactOfAPlyThatReadsBack) {
  const Crossing crossing;
  const std::string bytes = format_contact_ply(*crossing.detector, crossing.counts(), 0);
  const MeshFile file = parse_ply(bytes, "t.ply");
  EXPECT_EQ(file.mesh->vertex_count(), 9u);
  EXPECT_EQ(file.mesh->face_count(), 3u);
  EXPECT_EQ(file.dropped, (std::vector<std::string>{"face colours", "vertex colours"}));
  EXPECT_EQ(bytes.substr(bytes.size() - 3), "\xdc\x28\x28");              // the last face
  EXPECT_EQ(bytes.substr(bytes.size() - 2 * 16 - 3, 3), "\xc8\xc8\xc8");  // the first
}

TEST(ContactFiles, WritesSurfacesAndPointsForParaView) {
  const Crossing crossing;
  const MeshFile surface = parse_mesh(format_contact_vtp(*crossing.detector, crossing.counts(), 0), "t.vtp");
  EXPECT_EQ(surface.mesh->face_count(), 3u);
  EXPECT_EQ(surface.mesh->triangle(FaceId(2)), (Triangle{VertexId(6), VertexId(7), VertexId(8)}));
  const std::string points = format_contact_points_vtp(crossing.contacts);
  EXPECT_TRUE(says(points, "NumberOfPoints=\"1\" NumberOfVerts=\"1\""));
  EXPECT_TRUE(says(points, "Name=\"normal\" NumberOfComponents=\"3\""));
}

TEST(ContactFiles, ListsFilesByTime) {
  const std::vector<PvdEntry> entries = {{0, "a0.vtp"}, {0.5, "a & b.vtp"}};
  const std::string text = format_pvd(entries);
  EXPECT_TRUE(says(text, "<DataSet timestep=\"0.5\" part=\"0\" file=\"a &amp; b.vtp\"/>"));
}

}  // namespace
}  // namespace pliant
