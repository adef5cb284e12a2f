// Shapes, materials and models of bodies, from their tables. Internal to scene/: the door is scene_file.h.
#pragma once

#include "pliant/scene/scene_file.h"
#include "pliant/scene/table_reader.h"

namespace pliant {

// { type = "box", size = [1, 1, 1] }: the keys are the members of the shape's settings.
ShapeDescription read_shape(TableReader table);

// Reads the key `material`: the name of a preset, or a table with `preset` and the numbers that differ.
ElasticMaterial read_elastic_material(TableReader& body);
ClothMaterial read_cloth_material(TableReader& body);
PressureMaterial read_pressure_material(TableReader& body);

}  // namespace pliant
