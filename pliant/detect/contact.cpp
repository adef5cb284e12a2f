#include "pliant/detect/contact.h"

namespace pliant {

ContactKind Contact::kind() const {
  switch (a.kind) {
    case FeatureKind::vertex:
      return ContactKind::vertex_face;
    case FeatureKind::edge:
      return b.kind == FeatureKind::edge ? ContactKind::edge_edge : ContactKind::edge_face;
    case FeatureKind::face:
      return ContactKind::triangle_triangle;
    case FeatureKind::region:
      break;
  }
  return ContactKind::region_region;
}

const char* to_string(ContactKind kind) {
  switch (kind) {
    case ContactKind::triangle_triangle:
      return "triangle-triangle";
    case ContactKind::vertex_face:
      return "vertex-face";
    case ContactKind::edge_edge:
      return "edge-edge";
    case ContactKind::edge_face:
      return "edge-face";
    case ContactKind::region_region:
      break;
  }
  return "region-region";
}

}  // namespace pliant
