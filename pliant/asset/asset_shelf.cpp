#include "pliant/asset/asset_shelf.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "pliant/io/decimal.h"
#include "pliant/mesh/mesh_hash.h"

namespace pliant {
namespace {

struct Shelf {
  struct Place {
    std::string name;
    Asset asset;
  };
  std::mutex mutex;
  std::vector<Place> places;  // the last asked for at the end
  std::string missed;

  auto find(const std::string& name) {
    return std::find_if(places.begin(), places.end(), [&](const Place& place) { return place.name == name; });
  }
};

Shelf& shelf() {
  static Shelf the_shelf;
  return the_shelf;
}

}  // namespace

std::string shelf_name(const TriangleMesh& mesh, std::size_t coarse_faces) {
  return hexadecimal(mesh_hash(mesh)) + "-" + std::to_string(coarse_faces);
}

void put_prepared(const std::string& name, Asset asset) {
  const std::lock_guard lock(shelf().mutex);
  auto& places = shelf().places;
  if (const auto old = shelf().find(name); old != places.end()) places.erase(old);
  else if (places.size() >= kMostOnShelf) places.erase(places.begin());
  places.push_back({name, std::move(asset)});
}

std::optional<Asset> find_prepared(const std::string& name) {
  const std::lock_guard lock(shelf().mutex);
  const auto found = shelf().find(name);
  if (found == shelf().places.end()) {
    if (shelf().missed.empty()) shelf().missed = name;
    return std::nullopt;
  }
  std::rotate(found, found + 1, shelf().places.end());
  return shelf().places.back().asset;
}

std::string take_missed_prepared() {
  const std::lock_guard lock(shelf().mutex);
  return std::exchange(shelf().missed, {});
}

std::map<std::string, Asset> all_prepared() {
  const std::lock_guard lock(shelf().mutex);
  std::map<std::string, Asset> all;
  for (const auto& place : shelf().places) all.emplace(place.name, place.asset);
  return all;
}

}  // namespace pliant
