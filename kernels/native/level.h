/* All kernels for one instruction set (LEVEL, TARGET, HAS_FMA), in float and in double.

   LANES neighbouring columns advance together: two to eight registers, so that the latency of one
   hides behind the others. */

#define REAL float
#define IS_DOUBLE 0
#define LANES 32
#if HAS_FMA
#define FMA __builtin_fmaf
#else
#define FMA(a, b, c) ((a) * (b) + (c))
#endif
#include "kernels.h"
#undef REAL
#undef IS_DOUBLE
#undef LANES
#undef FMA

#define REAL double
#define IS_DOUBLE 1
#define LANES 16
#if HAS_FMA
#define FMA __builtin_fma
#else
#define FMA(a, b, c) ((a) * (b) + (c))
#endif
#include "kernels.h"
#undef REAL
#undef IS_DOUBLE
#undef LANES
#undef FMA

#undef LEVEL
#undef TARGET
#undef HAS_FMA
