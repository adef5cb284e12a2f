#include "pliant/bodies/spring_kernel_code.h"
