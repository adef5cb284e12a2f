#include "pliant/io/contact_files.h"

#include <set>
#include <sstream>

#include "pliant/detect/registry.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/region_files.h"
#include "pliant/mesh/shapes.h"
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

// A method that divides bodies shows its regions and particles.
TEST(ContactFiles, ShowRegionsAndParticles) {
  const MeshPtr ball = make_icosphere({.frequency = 3});
  const auto detector = make_detector("particles", {.method = {{"regions", std::int64_t{5}}}});
  detector->add_body(ball);
  EXPECT_TRUE(divisions_of(*detector)[0].region_of_face.empty());  // not asked yet
  detector->detect(Interval::instant(0));
  const ContactCounts none(*detector);
  const Divisions divisions = divisions_of(*detector);
  EXPECT_EQ(divisions[0].particles.size(), 5u);
  const std::string vtp = format_contact_vtp(*detector, none, 0, nullptr, divisions);
  EXPECT_TRUE(says(vtp, "Name=\"region\""));
  EXPECT_TRUE(says(vtp, "Name=\"particle\""));
  EXPECT_EQ(parse_mesh(vtp, "t.vtp").mesh->face_count(), ball->face_count());
  EXPECT_FALSE(says(format_contact_vtp(*detector, none, 0), "region"));

  const std::string ply = format_contact_ply(*detector, none, 0, divisions);
  EXPECT_EQ(parse_ply(ply, "t.ply").mesh->face_count(), ball->face_count());
  const auto colour = region_colour(divisions[0].region_of_face.back());
  EXPECT_EQ(ply.substr(ply.size() - 3), std::string(colour.begin(), colour.end()));
  std::size_t black = 0;
  const std::size_t first = ply.find("end_header\n") + 11;
  for (std::size_t v = 0; v < ball->vertex_count(); ++v)
    black += ply.substr(first + 27 * v + 24, 3) == std::string(3, '\0');
  EXPECT_EQ(black, 5u);
}

TEST(RegionFiles, HoldTheRegionOfEveryFace) {
  const MeshPtr ball = make_icosphere({.frequency = 2});
  std::vector<std::uint32_t> regions;
  for (std::uint32_t f = 0; f < ball->face_count(); ++f) regions.push_back(f % 7);
  const std::string ply = format_regions(*ball, regions, MeshFormat::ply);
  EXPECT_TRUE(says(ply, "property int region"));
  EXPECT_EQ(parse_ply(ply, "t.ply").mesh->face_count(), ball->face_count());
  EXPECT_EQ(ply[ply.size() - 4], static_cast<char>(regions.back()));
  for (const MeshFormat format : {MeshFormat::vtp, MeshFormat::vtu}) {
    const std::string vtk = format_regions(*ball, regions, format);
    EXPECT_TRUE(says(vtk, "Name=\"region\""));
    EXPECT_EQ(parse_mesh(vtk, format == MeshFormat::vtp ? "t.vtp" : "t.vtu").mesh->face_count(), ball->face_count());
  }
  EXPECT_THROW(format_regions(*ball, regions, MeshFormat::obj), Error);
  std::set<std::array<std::uint8_t, 3>> colours;
  for (std::uint32_t r = 0; r < 64; ++r) colours.insert(region_colour(r));
  EXPECT_GT(colours.size(), 60u);
}

TEST(ContactFiles, ListsFilesByTime) {
  const std::vector<PvdEntry> entries = {{0, "a0.vtp"}, {0.5, "a & b.vtp"}};
  const std::string text = format_pvd(entries);
  EXPECT_TRUE(says(text, "<DataSet timestep=\"0.5\" part=\"0\" file=\"a &amp; b.vtp\"/>"));
}

}  // namespace
}  // namespace pliant
