/* The kernels that may have few columns, in the order of their needs. */

#include "exponential.h"
#include "blocks.h"
#include "selective_scan.h"
