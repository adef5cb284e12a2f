#include "pliant/detect/moving/leaf_kernel_code.h"
