#pragma once
#include "pliant/mesh/high.h"
