#include "pliant/detect/kinetic/feature_kernel_code.h"
