// How much of an exact answer another one holds, by contacts or inside pairs of regions.
#pragma once

#include "pliant/detect/detector.h"

namespace pliant::web {

struct Recall {
  std::size_t found = 0;
  std::vector<const Contact*> missed;  // of the exact answer's contacts
  std::size_t extra = 0;               // contacts of the other that the exact one does not have
};

// `report` is the last one of `detector`, whose bodies are those of `exact`.
Recall recall_of(const Detector& detector, const Report& report, const Report& exact);

}  // namespace pliant::web
