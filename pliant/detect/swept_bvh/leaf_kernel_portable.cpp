#include "pliant/detect/swept_bvh/leaf_kernel_code.h"
