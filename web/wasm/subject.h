// Something with bodies that are somewhere: a world, a motion, meshes. Detectors look at it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pliant/detect/detector.h"
#include "pliant/detect/filters.h"
#include "pliant/io/json_value.h"
#include "web/wasm/reply.h"

namespace pliant::web {

// A detector, and how far it has followed its subject.
struct Look {
  std::unique_ptr<Detector> detector;
  bool moving = false;        // it is asked about steps, not about instants
  bool placed = false;        // its bodies were put somewhere before
  std::uint64_t version = 0;  // of the subject, then
  Interval interval;          // what it was asked about last
};

class Subject {
 public:
  virtual ~Subject() = default;
  Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  virtual std::size_t body_count() const = 0;
  virtual const MeshPtr& mesh(std::size_t body) const = 0;
  virtual std::vector<Vec3> positions(std::size_t body, double time) const = 0;

  // Adds all bodies to a new detector, with the pairs that are not to be looked at.
  virtual void add_bodies(Look& look) const = 0;
  // Puts the bodies of a detector where they are (of a motion: at `time`). What it is to be asked about.
  virtual Interval place_bodies(Look& look, double time) const = 0;
};

// The members of api.ts's Subject and its bodies.
struct BodyEntry {
  std::string name;
  std::string kind;
  std::string material;  // the kind of presets that it takes; empty: none
  bool gives = false;
  MeshPtr dense;
};
void write_subject(Reply& reply, int id, const std::string& name, const Subject& subject,
                   const std::vector<BodyEntry>& bodies, const std::vector<std::string>& notes);
std::vector<std::uint32_t> corners_of(const TriangleMesh& mesh);
// Throws Error for one that there is not.
std::size_t body_of(const Subject& subject, const JsonValue& request);
Vec3 vector_of(const JsonValue& value);
// Of a file that the page has put into memory: {"name": .., "at": address, "size": ..}.
std::string_view bytes_of(const JsonValue& file);

}  // namespace pliant::web
