#include "pliant/ccd/filter_kernel.h"
