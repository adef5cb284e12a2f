#include "pliant/bounds/leaf_fit_code.h"
