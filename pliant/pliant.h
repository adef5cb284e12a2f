// Everything that most programs need.
#pragma once

#include "pliant/core/budget.h"
#include "pliant/core/error.h"
#include "pliant/detect/detector.h"
#include "pliant/detect/registry.h"
#include "pliant/detect/safe_step.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/topology.h"
#include "pliant/mesh/triangle_mesh.h"
#include "pliant/motion/motion.h"
