// The target of `pliant check --contacts`: contacts for tables and viewers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "pliant/check/check.h"

namespace pliant::app {

// Files appear complete or not at all.
class ContactsFile : public CheckSink {
 public:
  // `all_frames`: the check went through all of them, and has not stopped at a contact.
  virtual void finish(bool all_frames) = 0;
};

struct ContactsFileSettings {
  const Detector& detector;  // holds the bodies, outlives the file
  FrameClock clock;          // of the times in a .pvd
  std::size_t frames = 1;
  std::uint64_t limit = 0;  // of lines or points; faces are coloured for all contacts
};

// Throws Error, listing them, for a file whose name does not end in one of the formats.
void require_contacts_format(const std::string& path);

// .csv: one line per contact, in constant memory.
// .ply, .vtp: all bodies at the time of the first contact that counts (or of any, or the start), with the faces that
//   take part in any; and for .vtp the contacts as points in NAME.points.vtp. Spheres of regions that were left open
//   at that time in NAME.spheres.ply or .vtp, if there are any.
// .pvd: NAME.0000.vtp, ... one per frame, with the faces that meet others at that frame (`contacts`) and those that
// take
//   part in a contact from it until the next (`begins`); these also as points in NAME.points.pvd.
std::unique_ptr<ContactsFile> open_contacts_file(const std::string& path, const ContactsFileSettings& settings);

}  // namespace pliant::app
