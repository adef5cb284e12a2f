// The target of `pliant check --contacts`: contacts for tables and viewers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/check_report.h"

namespace pliant::app {

// Takes contacts in the order of their times. Files appear complete or not at all.
class ContactsFile {
 public:
  virtual ~ContactsFile() = default;
  // `contact` with its time as people count it, `time` in units of the frames that were read; `detector` knows the
  // contact's regions.
  virtual void add(const Contact& contact, double time, const Detector& detector) = 0;
  // `all_frames`: the check went through all of them, and has not stopped at the last contact.
  virtual void finish(bool all_frames) = 0;
};

struct ContactsFileSettings {
  const CheckRun& run;       // outlives the file
  const Detector& detector;  // holds the bodies, outlives the file
  std::uint64_t limit;       // of lines or points; faces are coloured for all contacts
};

// Throws Error, listing them, for a file whose name does not end in one of the formats.
void require_contacts_format(const std::string& path);

// .csv: one line a contact, in constant memory.
// .ply, .vtp: all bodies at the time of the first contact (or the start), with the faces that take part in any; and
//   for .vtp the contacts as points in NAME.points.vtp.
// .pvd: NAME.0000.vtp, ... one a frame, with the contacts from it until the next; as points in NAME.points.pvd.
std::unique_ptr<ContactsFile> open_contacts_file(const std::string& path, const ContactsFileSettings& settings);

}  // namespace pliant::app
