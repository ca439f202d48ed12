/* The kernels of one instruction set and one type. */

#include "narrow.h"
#include "linear_scan.h"
#include "nbody.h"
#include "recurrence.h"
#include "softmax.h"
