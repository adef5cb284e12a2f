#include "pliant/bodies/cloth_layout.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using sheet::kLanes;

// A face as one of its corners sees it.
struct FanFace {
  std::uint32_t first = 0, second = 0;  // the other two corners
  double a1 = 0, a2 = 0, b1 = 0, b2 = 0;
  double area = 0;

  FanFace turned() const { return {second, first, a2, a1, b2, b1, area}; }
};

FanFace seen_from(const ClothFace& face, std::size_t corner) {
  const std::size_t j = (corner + 1) % 3, k = (corner + 2) % 3;
  return {face.v[j], face.v[k], face.u_weight[j], face.u_weight[k], face.v_weight[j], face.v_weight[k], face.area};
}

// One vertex of a ring, with the face up to the next one; no area: none.
struct RingEntry {
  std::uint32_t vertex = 0;
  FanFace face;
};

// Faces around a vertex, each once, such that as many as possible follow each other: fans of ordinary vertices come
// out whole, and whatever else there is as several runs.
class FanWalk {
 public:
  explicit FanWalk(std::vector<FanFace> faces) : faces_(std::move(faces)), used_(faces_.size(), false) {
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      ends_.emplace_back(faces_[f].first, f);
      ends_.emplace_back(faces_[f].second, f);
    }
    std::sort(ends_.begin(), ends_.end());
  }

  std::vector<RingEntry> ring() {
    // Runs begin where a fan ends, at a vertex with an odd number of faces; what is left then is closed.
    for (std::size_t i = 0; i < ends_.size();) {
      const std::size_t next = end_of(ends_[i].first);
      if ((next - i) % 2 == 1) walk_from(ends_[i].first);
      i = next;
    }
    for (const auto& [vertex, face] : ends_)
      if (!used_[face]) walk_from(vertex);
    return std::move(ring_);
  }

 private:
  std::size_t begin_of(std::uint32_t vertex) const {
    const auto at = std::lower_bound(ends_.begin(), ends_.end(), std::pair(vertex, 0u));
    return static_cast<std::size_t>(at - ends_.begin());
  }
  std::size_t end_of(std::uint32_t vertex) const { return begin_of(vertex + 1); }

  void walk_from(std::uint32_t vertex) {
    bool moved = true;
    for (bool is_first = true; moved; is_first = false) {
      moved = false;
      const std::size_t end = end_of(vertex);
      for (std::size_t i = begin_of(vertex); i < end && !moved; ++i) {
        const std::uint32_t f = ends_[i].second;
        if (used_[f]) continue;
        used_[f] = moved = true;
        ring_.push_back({vertex, faces_[f].first == vertex ? faces_[f] : faces_[f].turned()});
        vertex = ring_.back().face.second;
      }
      if (!moved && !is_first) ring_.push_back({vertex, {}});
    }
  }

  std::vector<FanFace> faces_;
  std::vector<bool> used_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends_;  // vertex and face, sorted
  std::vector<RingEntry> ring_;
};

struct BendEntry {
  std::uint32_t vertex = 0;
  double value = 0;
};

// A hinge as one of its corners sees it.
struct OwnHinge {
  std::uint32_t vertex[3] = {};
  double weight[3] = {};
  double stiffness = 0, rest = 0;
};

// All about one vertex.
struct VertexTerms {
  std::vector<RingEntry> ring;
  std::vector<double> ring_bend;
  std::vector<BendEntry> far;
  std::vector<OwnHinge> hinges;
  double bend = 0;
};

}  // namespace

class ClothLayoutBuilder {
 public:
  ClothLayoutBuilder(ClothLayout& out, const ClothElements& elements, std::span<const double> masses)
      : out_(out), elements_(elements), masses_(masses), terms_(masses.size()) {}

  void build(bool hinges_apart) {
    out_.shear_ = static_cast<float>(elements_.material().shear / elements_.material().stretch);
    add_rings();
    std::vector<std::vector<BendEntry>> rows = add_hinges(hinges_apart);
    for (std::size_t v = 0; v < terms_.size(); ++v) place_bending(terms_[v], v, rows[v]);
    colour();
    place_rows();
    for (std::size_t b = 0; b < out_.free_rows() / kLanes; ++b) fill_block(b);
  }

 private:
  void add_rings() {
    std::vector<std::vector<FanFace>> fans(terms_.size());
    for (const ClothFace& face : elements_.faces())
      for (std::size_t corner = 0; corner < 3; ++corner) fans[face.v[corner]].push_back(seen_from(face, corner));
    for (std::size_t v = 0; v < terms_.size(); ++v)
      if (!fans[v].empty()) terms_[v].ring = FanWalk(std::move(fans[v])).ring();
  }

  // Rows of the bending matrix, several entries for one vertex perhaps.
  std::vector<std::vector<BendEntry>> add_hinges(bool apart) {
    std::vector<std::vector<BendEntry>> rows(terms_.size());
    const double k = elements_.material().stretch;
    for (const ClothHinge& hinge : elements_.hinges()) {
      for (std::size_t i = 0; i < 4; ++i) {
        if (apart || hinge.rest > 0) {
          terms_[hinge.v[i]].hinges.push_back(own_hinge(hinge, i, k));
          continue;
        }
        for (std::size_t j = 0; j < 4; ++j)
          rows[hinge.v[i]].push_back({hinge.v[j], hinge.stiffness / k * hinge.weight[i] * hinge.weight[j]});
      }
    }
    return rows;
  }

  static OwnHinge own_hinge(const ClothHinge& hinge, std::size_t own, double k) {
    OwnHinge result{.stiffness = hinge.stiffness / k, .rest = hinge.rest};
    for (std::size_t j = 0, at = 0; j < 4; ++j) {
      if (j == own) continue;
      result.vertex[at] = hinge.v[j];
      result.weight[at++] = hinge.weight[j];
    }
    return result;
  }

  static void place_bending(VertexTerms& terms, std::size_t own, std::vector<BendEntry>& row) {
    std::stable_sort(row.begin(), row.end(),
                     [](const BendEntry& a, const BendEntry& b) { return a.vertex < b.vertex; });
    terms.ring_bend.assign(terms.ring.size(), 0);
    for (std::size_t i = 0; i < row.size();) {
      BendEntry entry{row[i].vertex, 0};
      for (; i < row.size() && row[i].vertex == entry.vertex; ++i) entry.value += row[i].value;
      if (entry.vertex == own) {
        terms.bend = entry.value;
        continue;
      }
      const auto at = std::find_if(terms.ring.begin(), terms.ring.end(),
                                   [&](const RingEntry& r) { return r.vertex == entry.vertex; });
      if (at == terms.ring.end()) terms.far.push_back(entry);
      else terms.ring_bend[static_cast<std::size_t>(at - terms.ring.begin())] = entry.value;
    }
  }

  template <class Visit>
  void for_neighbours(std::size_t v, Visit&& visit) const {
    for (const RingEntry& entry : terms_[v].ring) visit(entry.vertex);
    for (const BendEntry& entry : terms_[v].far) visit(entry.vertex);
    for (const OwnHinge& hinge : terms_[v].hinges)
      for (const std::uint32_t other : hinge.vertex) visit(other);
  }

  // Greedy, in the order of the mesh: the first colour that no neighbour has.
  void colour() {
    colour_.assign(terms_.size(), ClothLayout::kNoVertex);
    std::vector<std::size_t> taken_by;  // by colour: the last vertex that found it taken
    for (std::size_t v = 0; v < terms_.size(); ++v) {
      if (std::isinf(masses_[v])) continue;
      for_neighbours(v, [&](std::uint32_t other) {
        if (colour_[other] != ClothLayout::kNoVertex) taken_by[colour_[other]] = v + 1;
      });
      std::uint32_t c = 0;
      while (c < taken_by.size() && taken_by[c] == v + 1) ++c;
      if (c == taken_by.size()) taken_by.push_back(0);
      colour_[v] = c;
    }
    out_.colours_ = taken_by.size();
  }

  // By colour, and within it by the length of the ring, so that lanes of a block have equally much to do.
  void place_rows() {
    std::vector<std::vector<std::uint32_t>> by_colour(out_.colours_);
    std::vector<std::uint32_t> pins;
    for (std::uint32_t v = 0; v < terms_.size(); ++v)
      (std::isinf(masses_[v]) ? pins : by_colour[colour_[v]]).push_back(v);
    std::vector<std::uint32_t>& rows = out_.vertex_of_row_;
    for (std::vector<std::uint32_t>& vertices : by_colour) {
      std::stable_sort(vertices.begin(), vertices.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return terms_[a].ring.size() < terms_[b].ring.size(); });
      rows.insert(rows.end(), vertices.begin(), vertices.end());
      while (rows.size() % kLanes != 0) rows.push_back(ClothLayout::kNoVertex);
    }
    out_.blocks_.resize(rows.size() / kLanes);
    rows.insert(rows.end(), pins.begin(), pins.end());
    out_.row_of_vertex_.assign(terms_.size(), 0);
    for (std::uint32_t row = 0; row < rows.size(); ++row)
      if (rows[row] != ClothLayout::kNoVertex) out_.row_of_vertex_[rows[row]] = row;
  }

  void fill_block(std::size_t index) {
    sheet::Block& block = out_.blocks_[index];
    std::size_t ring = 0, far = 0, hinges = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t v = out_.vertex_of_row_[index * kLanes + lane];
      const bool is_there = v != ClothLayout::kNoVertex;
      block.mass[lane] = is_there ? static_cast<float>(masses_[v]) : 1;
      block.bend[lane] = is_there ? static_cast<float>(terms_[v].bend) : 0;
      if (!is_there) continue;
      ring = std::max(ring, terms_[v].ring.size());
      far = std::max(far, terms_[v].far.size());
      hinges = std::max(hinges, terms_[v].hinges.size());
    }
    const auto grow = [&](auto& slots, std::size_t count, std::uint32_t& begin, std::uint32_t& end) {
      begin = static_cast<std::uint32_t>(slots.size());
      slots.resize(slots.size() + count);
      end = static_cast<std::uint32_t>(slots.size());
    };
    grow(out_.ring_, ring, block.ring, block.ring_end);
    grow(out_.far_, far, block.far, block.far_end);
    grow(out_.hinges_, hinges, block.hinge, block.hinge_end);
    for (std::size_t lane = 0; lane < kLanes; ++lane) fill_lane(block, index * kLanes + lane, lane);
  }

  // Slots that a lane does not need point to its own row.
  void fill_lane(const sheet::Block& block, std::size_t row, std::size_t lane) {
    const auto own = static_cast<std::uint32_t>(row);
    const std::uint32_t v = out_.vertex_of_row_[row];
    const VertexTerms none, &terms = v == ClothLayout::kNoVertex ? none : terms_[v];
    const auto row_of = [&](std::uint32_t vertex) { return out_.row_of_vertex_[vertex]; };
    for (std::uint32_t s = block.ring; s < block.ring_end; ++s) {
      const std::size_t i = s - block.ring;
      sheet::RingSlot& slot = out_.ring_[s];
      slot.vertex[lane] = own;
      if (i >= terms.ring.size()) continue;
      const FanFace& face = terms.ring[i].face;
      slot.vertex[lane] = row_of(terms.ring[i].vertex);
      slot.bend[lane] = static_cast<float>(terms.ring_bend[i]);
      slot.a1[lane] = static_cast<float>(face.a1);
      slot.a2[lane] = static_cast<float>(face.a2);
      slot.b1[lane] = static_cast<float>(face.b1);
      slot.b2[lane] = static_cast<float>(face.b2);
      slot.area[lane] = static_cast<float>(face.area);
    }
    for (std::uint32_t s = block.far; s < block.far_end; ++s) {
      const bool is_there = s - block.far < terms.far.size();
      out_.far_[s].vertex[lane] = is_there ? row_of(terms.far[s - block.far].vertex) : own;
      out_.far_[s].bend[lane] = is_there ? static_cast<float>(terms.far[s - block.far].value) : 0;
    }
    for (std::uint32_t s = block.hinge; s < block.hinge_end; ++s) {
      sheet::HingeSlot& slot = out_.hinges_[s];
      for (auto& vertices : slot.vertex) vertices[lane] = own;
      if (s - block.hinge >= terms.hinges.size()) continue;
      const OwnHinge& hinge = terms.hinges[s - block.hinge];
      slot.stiffness[lane] = static_cast<float>(hinge.stiffness);
      slot.rest[lane] = static_cast<float>(hinge.rest);
      for (std::size_t j = 0; j < 3; ++j) {
        slot.vertex[j][lane] = row_of(hinge.vertex[j]);
        slot.weight[j][lane] = static_cast<float>(hinge.weight[j]);
      }
    }
  }

  ClothLayout& out_;
  const ClothElements& elements_;
  std::span<const double> masses_;
  std::vector<VertexTerms> terms_;
  std::vector<std::uint32_t> colour_;
};

ClothLayout::ClothLayout(const ClothElements& elements, std::span<const double> masses, bool hinges_apart) {
  ClothLayoutBuilder(*this, elements, masses).build(hinges_apart);
}

sheet::SheetArrays ClothLayout::arrays() const {
  return {blocks_.data(), blocks_.size(), ring_.data(),
          far_.data(),    hinges_.data(), static_cast<std::uint32_t>(free_rows()),
          shear_};
}

}  // namespace pliant
