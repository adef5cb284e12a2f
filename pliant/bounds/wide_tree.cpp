#include "pliant/bounds/wide_tree.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

#include "pliant/bounds/leaf_fit.h"
#include "pliant/bounds/wide_kernel.h"
#include "pliant/core/cpu.h"

namespace pliant {

wide::Kernels wide::kernels() {
#if defined(PLIANT_AVX2)
  if (use_avx2())
    return {avx2::overlaps, avx2::overlaps_and_sizes, avx2::overlaps_of_lanes, avx2::unite, avx2::fit_faces};
#endif
  return {portable::overlaps, portable::overlaps_and_sizes, portable::overlaps_of_lanes, portable::unite,
          portable::fit_faces};
}

Aabb WideBoxes::united() const {
  Aabb all;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) all.add(box(lane));
  return all;
}

std::vector<FaceId> WideTree::faces_below(WideRef ref) const {
  std::vector<FaceId> faces_found;
  std::vector<WideChild> open{child(ref)};
  while (!open.empty()) {
    const WideChild next = open.back();
    open.pop_back();
    if (next.nothing()) continue;
    if (next.is_leaf()) {
      for (const std::uint32_t face : faces(next.index())) faces_found.emplace_back(face);
    } else {
      const auto& below = nodes[next.index()].child;
      open.insert(open.end(), below.begin(), below.end());
    }
  }
  std::sort(faces_found.begin(), faces_found.end());
  return faces_found;
}

std::size_t WideTree::bytes() const {
  return nodes.size() * (sizeof(WideNode) + 1 + sizeof(WideRef)) +
         leaves.size() * (sizeof(Leaf) + sizeof(leaf_fit::Leaf)) +
         (order.size() + vertices.size()) * sizeof(std::uint32_t) + corners.size() * sizeof(Triangle);
}

namespace {

constexpr std::uint32_t kFacesPerStep = 96;
constexpr int kWideBins = 16;
// Lanes are rarely full: nodes that could hold eight times as much hold about seven times as much.
constexpr std::uint32_t kLanesFilled = 7;
// Below this level runs are halved by number: no tree is deeper than this and the logarithm of its faces.
constexpr std::uint8_t kDeepest = 24;

struct FloatBox {
  simd::Float4 lo{Aabb::kInf, Aabb::kInf, Aabb::kInf, Aabb::kInf};
  simd::Float4 hi{-Aabb::kInf, -Aabb::kInf, -Aabb::kInf, -Aabb::kInf};

  void add(simd::Float4 l, simd::Float4 h) {
    lo = simd::min(lo, l);
    hi = simd::max(hi, h);
  }
  void add(const FloatBox& other) { add(other.lo, other.hi); }
  double half_area() const {
    if (!(lo[0] <= hi[0])) return 0;
    const double x = double{hi[0]} - double{lo[0]}, y = double{hi[1]} - double{lo[1]},
                 z = double{hi[2]} - double{lo[2]};
    return x * y + y * z + z * x;
  }
};

// A face on its way into the tree.
struct alignas(16) WideItem {
  simd::Float4 lo;
  simd::Float4 hi;
  simd::Float4 centre() const { return lo + hi; }  // twice
};

struct WideBin {
  FloatBox box;
  FloatBox centres;
  std::uint32_t count = 0;
};

// Faces in slots [first, last).
struct WideRun {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  FloatBox box;
  FloatBox centres;
  std::uint32_t count() const { return last - first; }
};

// A node to be made of a run, for a lane of a node that is there.
struct WideTask {
  WideRun run;
  WideRef parent;
  std::uint8_t level;
};

}  // namespace

struct WideTreeBuilder::State {
  enum class Phase : std::uint8_t { start, items, next_node, pick, bin, part, finish, done };

  const TriangleMesh& mesh;
  std::uint32_t leaf_size;
  Phase phase = Phase::start;
  WideTree tree;
  std::vector<WideItem> items;
  WideRun all;
  std::vector<WideTask> tasks;

  // The node at work.
  WideTask task{};
  std::array<WideRun, WideBoxes::kLanes> runs;
  std::uint32_t run_count = 0;
  std::uint32_t capacity = 0;  // faces below a lane, as many as there should be at most
  // The run that is cut.
  std::uint32_t cut_run = 0;
  std::array<WideBin, kWideBins> bins;
  int axis = 0;
  float low = 0, scale = 0;
  int border = 0;
  std::uint32_t front = 0, back = 0;
  // The lane that is made a leaf or a task.
  std::uint32_t lane = 0;

  State(const TriangleMesh& m, std::uint32_t size) : mesh(m), leaf_size(std::clamp(size, 1U, WideBoxes::kLanes)) {}

  void make_room();
  void start();
  void add_items();
  void take_task();
  void pick_run();
  void bin_items();
  void choose_border();
  void part_items();
  void cut_in_two(const WideRun& left, const WideRun& right);
  void halve();
  void finish_lane();
  void add_leaf(const WideRun& run);
  void add_node(WideRef parent, std::uint8_t level);

  std::uint32_t face_count() const { return static_cast<std::uint32_t>(mesh.face_count()); }
  int bin_of(simd::Float4 centre) const {
    return std::min(kWideBins - 1, static_cast<int>((centre[axis] - low) * scale));
  }
};

WideTreeBuilder::WideTreeBuilder(const TriangleMesh& mesh, std::uint32_t leaf_size)
    : state_(std::make_unique<State>(mesh, leaf_size)) {
  state_->make_room();
}
WideTreeBuilder::~WideTreeBuilder() = default;

WideTree WideTreeBuilder::take() { return std::move(state_->tree); }

bool WideTreeBuilder::step() {
  using Phase = State::Phase;
  State& s = *state_;
  switch (s.phase) {
    case Phase::start:
      s.start();
      break;
    case Phase::items:
      s.add_items();
      break;
    case Phase::next_node:
      s.take_task();
      break;
    case Phase::pick:
      s.pick_run();
      break;
    case Phase::bin:
      s.bin_items();
      break;
    case Phase::part:
      s.part_items();
      break;
    case Phase::finish:
      s.finish_lane();
      break;
    case Phase::done:
      return false;
  }
  return s.phase != Phase::done;
}

// Room for the most that there can be, of which as much as there will likely be is touched: a system that gives memory
// page by page, when it is first written to, would take the time for that from the steps.
void WideTreeBuilder::State::make_room() {
  const auto touch = [](auto& row, std::size_t most, std::size_t likely) {
    row.reserve(most);
    row.resize(std::min(most, likely));
    row.clear();
  };
  const std::size_t faces = face_count();
  touch(items, faces, faces);
  touch(tree.order, faces, faces);
  touch(tree.corners, faces, faces);
  touch(tree.vertices, 3 * faces + leaf_fit::kAhead, faces);
  const std::size_t most_leaves = faces + 1, likely_leaves = faces / 4 + 8;
  touch(tree.leaves, most_leaves + 1, likely_leaves);
  touch(tree.fits, most_leaves, likely_leaves);
  const std::size_t most_nodes = faces / 2 + 8, likely_nodes = faces / 24 + 8;
  touch(tree.nodes, most_nodes, likely_nodes);
  touch(tree.level, most_nodes, likely_nodes);
  touch(tree.parent, most_nodes, likely_nodes);
}

void WideTreeBuilder::State::start() {
  add_node(WideRef{}, 0);
  phase = face_count() == 0 ? Phase::done : Phase::items;
}

void WideTreeBuilder::State::add_node(WideRef parent, std::uint8_t level) {
  WideNode made;
  for (std::uint32_t i = 0; i < WideBoxes::kLanes; ++i) made.boxes.set(i, Aabb{});
  tree.nodes.push_back(made);
  tree.level.push_back(level);
  tree.parent.push_back(parent);
}

void WideTreeBuilder::State::add_items() {
  constexpr double kMost = std::numeric_limits<float>::max() / 8;
  const auto narrow = [=](double x) { return static_cast<float>(std::clamp(x, -kMost, kMost)); };
  const std::uint32_t first = static_cast<std::uint32_t>(items.size());
  const std::uint32_t last = std::min(first + kFacesPerStep, face_count());
  for (std::uint32_t f = first; f < last; ++f) {
    FloatBox box;
    for (const VertexId v : mesh.triangle(FaceId(f))) {
      const Vec3& p = mesh.position(v);
      const simd::Float4 q{narrow(p.x()), narrow(p.y()), narrow(p.z()), 0};
      box.add(q, q);
    }
    items.push_back({box.lo, box.hi});
    tree.order.push_back(f);
    tree.corners.emplace_back();
    all.box.add(box);
    all.centres.add(items.back().centre(), items.back().centre());
  }
  if (last < face_count()) return;
  all.last = last;
  tasks.push_back({all, WideRef{}, 1});
  phase = Phase::next_node;
}

void WideTreeBuilder::State::take_task() {
  if (tasks.empty()) {
    items = {};
    tree.leaves.push_back({face_count(), 0, static_cast<std::uint32_t>(tree.vertices.size())});
    tree.vertices.insert(tree.vertices.end(), leaf_fit::kAhead, 0);
    phase = Phase::done;
    return;
  }
  task = tasks.back();
  tasks.pop_back();
  runs[0] = task.run;
  run_count = 1;
  capacity = leaf_size;
  while (WideBoxes::kLanes * capacity < task.run.count()) capacity *= kLanesFilled;
  phase = Phase::pick;
}

// The run with the largest surface that is larger than it should be; of equal ones the largest, then the first. One run
// alone is cut in any case, so that a node has two children unless there is only one face.
void WideTreeBuilder::State::pick_run() {
  const std::uint32_t none = WideBoxes::kLanes;
  std::uint32_t best = none;
  const auto before = [&](const WideRun& x, const WideRun& y) {
    const double area_x = x.box.half_area(), area_y = y.box.half_area();
    return area_x != area_y ? area_x > area_y : x.count() > y.count();
  };
  for (std::uint32_t i = 0; i < run_count; ++i)
    if (runs[i].count() > capacity && (best == none || before(runs[i], runs[best]))) best = i;
  if (run_count == WideBoxes::kLanes || best == none) {
    tree.nodes[task.parent.node()].child[task.parent.lane()] = {static_cast<std::uint32_t>(tree.nodes.size())};
    add_node(task.parent, task.level);
    lane = 0;
    phase = Phase::finish;
    return;
  }
  cut_run = best;
  const WideRun& run = runs[cut_run];
  const simd::Float4 extent = run.centres.hi - run.centres.lo;
  axis = extent[1] > extent[0] ? 1 : 0;
  if (extent[2] > extent[axis]) axis = 2;
  low = run.centres.lo[axis];
  scale = static_cast<float>(kWideBins) / extent[axis];
  if (!std::isfinite(scale) || task.level >= kDeepest) return halve();
  bins.fill({});
  front = run.first;
  phase = Phase::bin;
}

void WideTreeBuilder::State::bin_items() {
  const WideRun& run = runs[cut_run];
  const std::uint32_t last = std::min(front + kFacesPerStep, run.last);
  for (; front < last; ++front) {
    const WideItem& item = items[front];
    WideBin& bin = bins[static_cast<std::size_t>(bin_of(item.centre()))];
    bin.box.add(item.lo, item.hi);
    bin.centres.add(item.centre(), item.centre());
    ++bin.count;
  }
  if (front == run.last) choose_border();
}

void WideTreeBuilder::State::choose_border() {
  std::array<double, kWideBins> right_cost{};
  FloatBox box;
  std::uint32_t count = 0;
  for (std::size_t i = kWideBins; i-- > 1;) {
    box.add(bins[i].box);
    count += bins[i].count;
    right_cost[i] = box.half_area() * count;
  }
  border = 0;
  double least = std::numeric_limits<double>::infinity();
  box = {};
  count = 0;
  const std::uint32_t total = runs[cut_run].count();
  for (std::size_t i = 1; i < kWideBins; ++i) {
    box.add(bins[i - 1].box);
    count += bins[i - 1].count;
    if (count == 0 || count == total) continue;
    const double cost = box.half_area() * count + right_cost[i];
    if (cost < least) {
      least = cost;
      border = static_cast<int>(i);
    }
  }
  if (border == 0) return halve();
  front = runs[cut_run].first;
  back = runs[cut_run].last;
  phase = Phase::part;
}

// [first, front) goes left and [back, last) right; what is between is to be looked at.
void WideTreeBuilder::State::part_items() {
  for (std::uint32_t looked = 0; front < back; ++looked) {
    if (looked == kFacesPerStep) return;
    if (bin_of(items[front].centre()) < border) {
      ++front;
    } else {
      --back;
      std::swap(items[front], items[back]);
      std::swap(tree.order[front], tree.order[back]);
    }
  }
  const WideRun& run = runs[cut_run];
  WideRun left{run.first, front, {}, {}}, right{front, run.last, {}, {}};
  for (int i = 0; i < kWideBins; ++i) {
    const WideBin& bin = bins[static_cast<std::size_t>(i)];
    WideRun& side = i < border ? left : right;
    side.box.add(bin.box);
    side.centres.add(bin.centres);
  }
  cut_in_two(left, right);
}

// In the order in which they stand. Their boxes are not known apart from each other, which costs only time.
void WideTreeBuilder::State::halve() {
  const WideRun& run = runs[cut_run];
  WideRun left = run, right = run;
  left.last = right.first = run.first + run.count() / 2;
  cut_in_two(left, right);
}

void WideTreeBuilder::State::cut_in_two(const WideRun& left, const WideRun& right) {
  runs[cut_run] = left;
  runs[run_count++] = right;
  phase = Phase::pick;
}

void WideTreeBuilder::State::add_leaf(const WideRun& run) {
  tree.leaves.push_back({run.first, run.count(), static_cast<std::uint32_t>(tree.vertices.size())});
  std::array<std::uint32_t, 3 * WideBoxes::kLanes + leaf_fit::kGroup> corners;
  std::size_t count = 0;
  for (std::uint32_t i = run.first; i < run.last; ++i) {
    tree.corners[i] = mesh.triangle(FaceId(tree.order[i]));
    for (const VertexId v : tree.corners[i]) corners[count++] = 3 * v.value;
  }
  std::sort(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(count));
  count = static_cast<std::size_t>(std::unique(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(count)) -
                                   corners.begin());
  while (count % leaf_fit::kGroup != 0) {
    corners[count] = corners[count - 1];
    ++count;
  }
  tree.vertices.insert(tree.vertices.end(), corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(count));
  tree.fits.push_back({static_cast<std::uint32_t>(tree.fits.size()), static_cast<std::uint32_t>(tree.vertices.size())});
}

void WideTreeBuilder::State::finish_lane() {
  const WideRun& run = runs[lane];
  const auto node = static_cast<std::uint32_t>(tree.nodes.size()) - 1;
  if (run.count() > leaf_size) {
    tasks.push_back({run, WideRef::of(node, lane), static_cast<std::uint8_t>(task.level + 1)});
  } else {
    const auto leaf = static_cast<std::uint32_t>(tree.leaves.size());
    add_leaf(run);
    tree.nodes[node].child[lane] = WideChild::leaf(leaf);
  }
  if (++lane == run_count) phase = Phase::next_node;
}

}  // namespace pliant
