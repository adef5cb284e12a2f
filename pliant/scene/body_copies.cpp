#include "pliant/scene/body_copies.h"

#include <array>

#include "pliant/core/random.h"

namespace pliant {
namespace {

constexpr int kMostCopies = 10'000;

// One number is a row along the step, three are a block.
std::array<int, 3> read_count(TableReader& t) {
  const TomlValue* value = t.find("count");
  if (!value) t.fail("count", "is missing", "say how many bodies: count = 20, or count = [4, 4, 2]");
  if (!std::holds_alternative<TomlValue::Array>(value->content)) return {t.integer("count", 1, 1), 1, 1};
  const Vec3 given = t.vector("count", Vec3::Ones());
  std::array<int, 3> count{};
  for (int axis = 0; axis < 3; ++axis) {
    if (!(given[axis] >= 1 && given[axis] <= kMostCopies) || given[axis] != static_cast<int>(given[axis]))
      t.fail("count", "is not three whole numbers of 1 or more");
    count[static_cast<std::size_t>(axis)] = static_cast<int>(given[axis]);
  }
  return count;
}

std::vector<Vec3> read_repeat(const TomlValue& value, const TableReader& body, const Vec3& position) {
  TableReader t(value, body.file(), "the repeat of " + body.what());
  const std::array<int, 3> count = read_count(t);
  const bool is_row = count[1] == 1 && count[2] == 1;
  const Vec3 step = t.vector("step", Vec3::Zero(), kLength);
  const double jitter = t.not_negative("jitter", 0, kLength);
  if (step.isZero(0)) t.fail("step", "does not lead anywhere", "give the way from a body to the next");
  if (static_cast<double>(count[0]) * count[1] * count[2] > kMostCopies)
    t.fail("count", "makes too many bodies", "up to " + std::to_string(kMostCopies) + " are made");
  t.finish();
  Random random(1);
  std::vector<Vec3> places;
  for (int k = 0; k < count[2]; ++k) {
    for (int j = 0; j < count[1]; ++j) {
      for (int i = 0; i < count[0]; ++i) {
        const Vec3 way = is_row ? Vec3(i * step) : Vec3(i * step.x(), j * step.y(), k * step.z());
        const double x = random.within(-jitter, jitter), y = random.within(-jitter, jitter);
        places.push_back(position + way + Vec3(x, y, random.within(-jitter, jitter)));
      }
    }
  }
  return places;
}

}  // namespace

std::vector<Vec3> read_copies(TableReader& body, const Vec3& position) {
  const TomlValue* repeat = body.find("repeat");
  if (body.has("positions") && (body.has("position") || repeat))
    body.fail("positions", "does not go with " + std::string(repeat ? "repeat" : "position"), "leave one out");
  return repeat ? read_repeat(*repeat, body, position) : body.vectors("positions", kLength);
}

}  // namespace pliant
