// Small bodies with known answers, and a sink that keeps everything.
#pragma once

#include <gtest/gtest.h>

#include "pliant/check/check.h"

namespace pliant::testing {

inline MeshPtr mesh_of(std::vector<Vec3> positions, const std::vector<std::array<std::uint32_t, 3>>& faces,
                       MeshOrigin origin = {}) {
  std::vector<Triangle> triangles;
  for (const auto& f : faces) triangles.push_back({VertexId(f[0]), VertexId(f[1]), VertexId(f[2])});
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles), std::move(origin));
}

// A square of two triangles in the plane z = 0.
inline MeshPtr plate() { return mesh_of({{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}}, {{0, 1, 2}, {0, 2, 3}}); }

inline std::vector<Vec3> dart_at(double height) {
  return {{-0.25, 0.1, 1 + height}, {0.25, 0.1, 1 + height}, {0, 0.3, 1.5 + height}};
}

// A triangle with its edge down, 1 above the plate, moved up by heights[k] in frame k.
inline CheckBody dart(const std::vector<double>& heights) {
  const MeshPtr mesh = mesh_of(dart_at(0), {{0, 1, 2}});
  std::vector<Frame> frames;
  for (const double h : heights) frames.push_back(Frame::own(dart_at(h)));
  return {"dart", mesh, heights.size() == 1 ? Motion::at_rest(frames[0]) : Motion::keyframes(std::move(frames))};
}

inline std::vector<CheckBody> plate_and_dart(const std::vector<double>& heights) {
  return {still_body("plate", plate()), dart(heights)};
}

// A plate and two darts in one body, and each dart's heights.
inline std::vector<CheckBody> plate_and_two_darts(const std::vector<double>& left, const std::vector<double>& right) {
  const auto at = [](double h, double g) {
    std::vector<Vec3> x{{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
    for (Vec3 p : dart_at(h)) x.push_back(p + Vec3(-1, 0.5, 0));
    for (Vec3 p : dart_at(g)) x.push_back(p + Vec3(1, -1, 0));
    return x;
  };
  const MeshPtr mesh = mesh_of(at(0, 0), {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  std::vector<Frame> frames;
  for (std::size_t k = 0; k < left.size(); ++k) frames.push_back(Frame::own(at(left[k], right[k])));
  return {{"all", mesh, Motion::keyframes(std::move(frames))}};
}

struct Kept : CheckSink {
  std::vector<CheckedContact> contacts;
  std::vector<std::pair<std::size_t, std::size_t>> frames;  // with the number of contacts that meet there
  std::vector<std::string> notes;

  Flow contact(const CheckedContact& contact, const Detector&) override {
    contacts.push_back(contact);
    return Flow::go_on;
  }
  void at_frame(std::size_t frame, std::span<const Contact> meeting, const Detector&) override {
    frames.emplace_back(frame, meeting.size());
  }
  void note(const std::string& text) override { notes.push_back(text); }
};

}  // namespace pliant::testing
