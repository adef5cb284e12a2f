// Everything: collisions, simulation, files. A program that needs one of them compiles faster with its own door.
#pragma once

#include "pliant/detect.h"
#include "pliant/io.h"
#include "pliant/mesh/topology.h"
#include "pliant/simulate.h"
