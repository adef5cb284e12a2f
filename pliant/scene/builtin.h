// The built-in scenes one by one; make_scene (scene.h) chooses among them. Settings are valid.
#pragma once

#include "pliant/scene/scene.h"

namespace pliant {

MovingScene make_tablecloth(const SceneSettings& settings);
MovingScene make_swirl(const SceneSettings& settings);
MovingScene make_avatar(const SceneSettings& settings);
MovingScene make_teapot_sphere(const SceneSettings& settings);
MovingScene make_n_bodies(const SceneSettings& settings);

}  // namespace pliant
