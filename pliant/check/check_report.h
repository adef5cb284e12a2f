// What a check found: the verdict, and everything that it rests on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pliant/check/feature_names.h"

namespace pliant {

enum class Verdict : std::uint8_t {
  clean,      // nothing collides, and that is proved
  collides,   // there is a contact that counts
  not_known,  // none was found, but there may be one: interrupted, undecided, or the method can miss
};
const char* to_string(Verdict verdict);    // "clean", "collides", "not known"
const char* to_string(StopReason reason);  // "none", "deadline", ...

// One contact of a check, with what it is to those before it.
struct CheckedContact {
  Contact contact;          // its time as frames are shown (FrameClock)
  double frame = 0;         // the same time in frames as they were read, counted from 0
  bool from_start = false;  // belongs to what met at the start (check/first_overlaps.h)
  bool excused = false;     // and that is allowed: it does not count
  bool continued = false;   // the same features met right before, in the frame interval before
};

// The same with its features named. Of one that was read from a file, `contact` has no weights, and its features' ids
// are the indices of the names.
struct NamedContact {
  CheckedContact checked;
  FeatureName a;
  FeatureName b;
};

// Which of two bodies lies wholly inside the other, without touching it.
enum class Inside : std::uint8_t { neither, a_in_b, b_in_a };

// Frames as they are shown, both included.
using FrameRange = std::array<double, 2>;

// What was found between two bodies, or within one.
struct PairTally {
  std::uint32_t a = 0, b = 0;                  // a <= b
  std::uint64_t contacts = 0;                  // all that are certain; of these:
  std::uint64_t continued = 0;                 //   go on with one of the frame interval before
  std::uint64_t from_start = 0;                //   belong to what met at the start
  std::uint64_t excused = 0;                   //   do not count
  std::uint64_t possible = 0;                  // not decided; not among `contacts`
  std::array<std::uint64_t, 6> by_relation{};  // by Relation; the possible ones too
  std::optional<double> first_time;            // of the first that counts
  std::uint64_t frames_affected = 0;           // frames at which they meet, or from which on until the next they do
  std::vector<FrameRange> ranges;              // the same frames, as runs
  bool initial = false;                        // they meet at the start
  bool near_at_start = false;                  // they do not, but are nearer than the separation then
  double longest_curve = 0;                    // length of the longest line along which they cross at a frame
  double longest_curve_time = 0;               // the frame
  Inside inside = Inside::neither;             // at the start
  // If it was asked for, of two closed bodies that cross: how deep, at the frame of the longest curve (or the instant).
  std::optional<double> penetration;
};

// Contacts (certain ones) from a frame until the next.
struct FrameTally {
  double frame = 0;  // as it is shown
  std::uint64_t contacts = 0;
  friend bool operator==(const FrameTally&, const FrameTally&) = default;
};

struct CheckedBody {
  std::string name;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  std::vector<std::pair<std::string, std::size_t>> defects;  // name and count of every kind that it has
};

struct CheckReport {
  Verdict verdict = Verdict::not_known;

  // What was asked, known from the beginning.
  std::string method;
  Mode mode = Mode::safe;
  bool moves = false;       // an animation, not still meshes
  bool continuous = false;  // the time between frames too
  bool allow_initial = false;
  bool earliest = false;
  double min_separation = 0;
  std::size_t frames = 1;
  std::optional<double> search_seconds;  // of each detection alone
  double scene_size = 0;                 // diagonal of the box around all bodies at the start
  std::vector<CheckedBody> bodies;

  // How far the answer goes (detect/report.h).
  Guarantee guarantee = Guarantee::none;
  bool complete = false;
  StopReason stopped_by = StopReason::none;
  double bound = 0;
  std::vector<std::pair<std::string, std::uint64_t>> counters;
  std::vector<std::string> notes;  // what to know before one trusts it: what was left out, settings that look wrong

  // What was found. Numbers as in PairTally, over all pairs.
  std::uint64_t contacts = 0;
  std::uint64_t continued = 0;
  std::uint64_t from_start = 0;
  std::uint64_t excused = 0;
  std::uint64_t possible = 0;
  std::uint64_t listed = 0;               // contacts, possible ones too, that the sink was given
  std::optional<NamedContact> first;      // of all that are certain
  std::optional<NamedContact> first_new;  // of those that do not belong to what met at the start
  std::vector<NamedContact> first_few;    // new ones first if those of the start are excused, else in time order
  std::vector<PairTally> pairs;           // ascending; those with a contact, or one inside the other
  std::vector<FrameTally> per_frame;      // ascending; those with a contact

  std::uint64_t counting() const { return contacts - excused; }  // what makes it collide
  std::optional<double> first_time() const;                      // of the first contact that counts
};

// From the other members.
Verdict judge(const CheckReport& report);

}  // namespace pliant
