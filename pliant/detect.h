// Collisions of deforming meshes: meshes and motions in, contacts and a guarantee out.
//
//   one question          intersections, self_intersections, first_impact, distance, penetration (detect/queries.h,
//   ...) again and again       make_detector -> Detector: bodies, motions, filters, budgets (detect/detector.h) how far
//   may I step    SafeStepper (detect/safe_step.h) a whole animation     check_animation (check/check.h)
//
// Misuse throws pliant::Error. Files are in pliant/io.h, bodies that move by themselves in pliant/simulate.h.
#pragma once

#include "pliant/check/check.h"
#include "pliant/core/budget.h"
#include "pliant/core/error.h"
#include "pliant/detect/detector.h"
#include "pliant/detect/feature_vertices.h"
#include "pliant/detect/filters.h"
#include "pliant/detect/mesh_distance.h"
#include "pliant/detect/penetration.h"
#include "pliant/detect/queries.h"
#include "pliant/detect/registry.h"
#include "pliant/detect/safe_step.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/mesh_from.h"
#include "pliant/mesh/partition.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/split.h"
#include "pliant/mesh/triangle_mesh.h"
#include "pliant/motion/motion.h"
#include "pliant/version.h"
