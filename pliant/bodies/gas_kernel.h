// Springs and volume of a closed surface, four vertices at a time, and the steps of its motion. Plain pointers only:
// this header is compiled into AVX2 files (core/simd.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant::gas {

inline constexpr std::size_t kLanes = 4;
// Doubles of a node: position, inverse mass (0: infinite), velocity, one unused. A line of the cache.
inline constexpr std::size_t kNode = 8;
// Doubles of a vector: three and one unused.
inline constexpr std::size_t kVector = 4;

// Every vertex gathers from its neighbours: each spring is computed twice, with the same bits but for the sign, and
// nothing is scattered. Entry e of lane i stands at e * kLanes + i.
struct GasArrays {
  const std::uint32_t* first;      // by block, and one more: its entries
  const std::uint32_t* ring;       // by block: how many of them are the ring around the vertex; the others only springs
  const std::uint32_t* neighbour;  // a node
  const double* length;            // at rest, m
  const double* stiffness;         // N/m; negative: no spring
  std::size_t blocks;
  double damping;  // N s/m
};

struct GasSums {
  double volume = 0;       // m^3, about `origin`
  double compression = 0;  // sum |gradient|^2 / mass, m^4/kg
  // The largest of a vertex, by its inverse mass: twice the stiffness of its springs as a matrix; the lengths of its
  // edges.
  double springs = 0;  // 1/s^2
  double edges = 0;    // m/kg
};

// Forces of springs (N) and the gradient of the volume (m^2), one vector a node. The same bits with and without AVX2.
double evaluate(const GasArrays& gas, const double* nodes, const double* origin, double* spring, double* gradient);
// The same, and what bounds the step.
GasSums measure(const GasArrays& gas, const double* nodes, const double* origin, double* spring, double* gradient);

struct GasMove {
  std::size_t nodes;
  const double* spring;
  const double* gradient;
  const double* acceleration;  // m/s^2, of everything else; one vector a node
  double excess;               // Pa
  double kick;                 // s
  double drift;                // s
};
// v += kick (acceleration + (spring + excess gradient) / mass), then x += drift v.
void move(const GasMove& move, double* nodes);

#define PLIANT_GAS_KERNEL                                                                                             \
  double evaluate(const GasArrays& gas, const double* nodes, const double* origin, double* spring, double* gradient); \
  GasSums measure(const GasArrays& gas, const double* nodes, const double* origin, double* spring, double* gradient); \
  void move(const GasMove& move, double* nodes);
namespace portable {
PLIANT_GAS_KERNEL
}
namespace avx2 {
PLIANT_GAS_KERNEL
}
#undef PLIANT_GAS_KERNEL

}  // namespace pliant::gas
