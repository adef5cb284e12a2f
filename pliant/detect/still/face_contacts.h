// Contacts of faces that were found to intersect.
#pragma once

#include <span>

#include "pliant/detect/still/still_detector.h"

namespace pliant {

// Four at a time where that can be done with the bits of StillPair::contact, one by one elsewhere. As many contacts as
// hits. Any thread.
void make_contacts(const StillQuery& query, std::span<const FaceHit> hits, std::span<Contact> contacts);

}  // namespace pliant
