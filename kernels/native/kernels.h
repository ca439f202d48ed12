/* The kernels of one instruction set and one type, in the order of their needs. */

#include "exponential.h"
#include "blocks.h"
#include "selective_scan.h"
#include "linear_scan.h"
#include "nbody.h"
