// Contacts for people's other programs: CSV for tables, coloured PLY and VTP (+ .pvd over time) for viewers.
// JSON is in io/contact_json.h, the .pvd in io/pvd.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pliant/detect/detector.h"
#include "pliant/io/pvd.h"

namespace pliant {

// One line per contact, to be streamed from a sink. Features by the indices of their files, counted from 0: kind and
// index (an edge as "i-j", a region by its number). Regions have no point, normal and depth: these stay empty.
std::string contact_csv_header();
void append_csv(std::string& text, const Contact& contact, const Detector& detector);

// In how many contacts each face takes part: as itself, by its corner or edge, or in a region. Fed from a sink; the
// detector must outlive it and keep its bodies.
class ContactCounts {
 public:
  explicit ContactCounts(const Detector& detector);
  void add(const Contact& contact) { add(contact, detector_); }
  // The same of another detector with the same bodies, that knows the contact's regions.
  void add(const Contact& contact, const Detector& detector);
  void clear();
  std::span<const std::uint32_t> of(BodyId body) const { return counts_[body.index()]; }  // by face

 private:
  void add(const Feature& feature, const Detector& detector);

  const Detector& detector_;
  std::vector<std::vector<std::uint32_t>> counts_;
};

// How the detector that found contacts divides each body (Detector::division), in the order of body_ids(); all empty
// for most methods.
using Divisions = std::vector<Division>;
Divisions divisions_of(const Detector& detector);

// All bodies at a time as one surface, vertices and faces in the order of bodies. PLY: faces in contact and their
// vertices red, others grey, or in the colour of their region, vertices with a particle black (binary, positions as
// doubles). VTP: cell data `contacts`, `body` and `triangle`, the latter two as in reports; other counts as `begins`,
// if they are given; with divisions also `region`, and point data `particle`: 1 where one stands.
std::string format_contact_ply(const Detector& detector, const ContactCounts& counts, double time,
                               const Divisions& divisions = {});
std::string format_contact_vtp(const Detector& detector, const ContactCounts& counts, double time,
                               const ContactCounts* begins = nullptr, const Divisions& divisions = {});

// Contacts as points with their normals, times, kinds (the numbers of ContactKind), bodies and depths.
std::string format_contact_points_vtp(std::span<const Contact> contacts);

}  // namespace pliant
