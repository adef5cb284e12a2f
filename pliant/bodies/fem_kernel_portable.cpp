#include "pliant/bodies/fem_kernel_code.h"
