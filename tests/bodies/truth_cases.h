// Bodies whose rest or motion is known, in closed form or by Newton's method on the same mesh: what short tests and
// pliant-bench-truth measure.
#pragma once

#include "pliant/bodies/fem.h"
#include "pliant/bodies/materials.h"

namespace pliant {

// What was found, and what is known.
struct Truth {
  double got = 0, wanted = 0;
  double error() const { return got / wanted - 1; }
};

// A strip of cloth that sticks out, clamped at one end, and hangs still under its weight; `columns` cells along it.
struct StripSettings {
  ClothMaterial material{.density = 0.15, .bending = 0.2};
  double length = 0.5, width = 0.1;  // m
  int columns = 10, rows = 2;
  double substep = 1.0 / 480;  // s
  double seconds = 2;          // until it is taken to hang still
};
// How far its end hangs below the clamp, m: after so many seconds, where forces on the mesh balance, and as a curve
// that does not stretch (the heavy elastica). A grid whose diagonals all run one way has the bending energy bending / 2
// (a^2 + c^2 + 2 b (a + c) + 6 b^2) for the curvatures a, c along and across and the twist b; a narrow strip is free to
// twist by b = -a / 6, so that its stiffness is 5/6 of the sheet's.
struct StripDrop {
  double stepped = 0, balanced = 0, elastica = 0;
};
StripDrop clamped_strip(const StripSettings& settings);

// B theta'' = -w (L - s) cos(theta), clamped at s = 0, free at L: how far its end drops, m. `load` is w / B, 1/m^3.
double heavy_elastica(double length, double load);

// A hanging sheet of a metre swings like a chain: J0(2 omega sqrt(z / g)), omega = 1.2024 sqrt(g / L), z from the
// lower end. Periods, s.
Truth swinging_curtain(double substep, int rows = 32);

// A sheet of a metre that is pulled by `strain` between two edges and plucked: period 2 L / sqrt(tension / density), s.
struct PluckSettings {
  double strain = 0.01;
  int columns = 40;
  double substep = 1.0 / 480;  // s
};
Truth plucked_sheet(const PluckSettings& settings);

// A bar of rubber that hangs by a line across its upper end and swings by a tenth of a radian: the period of a compound
// pendulum, s.
Truth solid_pendulum(FemIntegrator integrator, int cells);

// A bar that hangs by its upper end gets longer by density gravity L^2 / (2 E), m. No Poisson effect.
Truth heavy_bar(FemIntegrator integrator, int cells);

// A Neo-Hookean block of 50 kPa, pulled by `load` Pa (of its area at rest) on both ends: stretches minus 1, along the
// load and across it, whose stresses are the load and zero.
struct BlockStrains {
  Truth along, across;
};
BlockStrains loaded_block(FemIntegrator integrator, double load, int cells);

}  // namespace pliant
