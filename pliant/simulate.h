// Bodies that bend and never pass through each other: models, the world that moves them, scenes, recordings.
//
//   a world of one's own   World, add() bodies, step() (world/world.h)
//   a scene file           run_scene: built, simulated, recorded (scene/run_scene.h)
//   a recording            record_run of a world (world/record_run.h)
//   a page of it           write_run_page (world/run_page.h)
//
// Units: metres, kilograms, seconds. Misuse throws pliant::Error. Collisions alone are in pliant/detect.h.
#pragma once

#include "pliant/bodies/cloth.h"
#include "pliant/bodies/fem.h"
#include "pliant/bodies/kinematic.h"
#include "pliant/bodies/pressure.h"
#include "pliant/core/budget.h"
#include "pliant/core/error.h"
#include "pliant/detect/filters.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/mesh_from.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"
#include "pliant/motion/embedding.h"
#include "pliant/scene/run_scene.h"
#include "pliant/scene/scene_builder.h"
#include "pliant/scene/scene_file.h"
#include "pliant/scene/scene_library.h"
#include "pliant/version.h"
#include "pliant/world/record_run.h"
#include "pliant/world/run_page.h"
#include "pliant/world/world.h"
