/* All kernels for one instruction set (LEVEL, TARGET, HAS_FMA), in float and in double.

   LANES neighbouring columns advance together: two to eight registers, so that the latency of one
   hides behind the others. Where there are at most eight columns most lanes would be empty: those
   have kernels of their own. */

#define REAL float
#define IS_DOUBLE 0
#if HAS_FMA
#define FMA __builtin_fmaf
#else
#define FMA(a, b, c) ((a) * (b) + (c))
#endif
#define LANES NARROW
#include "narrow.h"
#undef LANES
#define LANES 32
#include "kernels.h"
#undef LANES
#undef REAL
#undef IS_DOUBLE
#undef FMA

#define REAL double
#define IS_DOUBLE 1
#if HAS_FMA
#define FMA __builtin_fma
#else
#define FMA(a, b, c) ((a) * (b) + (c))
#endif
#define LANES NARROW
#include "narrow.h"
#undef LANES
#define LANES 16
#include "kernels.h"
#undef LANES
#undef REAL
#undef IS_DOUBLE
#undef FMA

#undef LEVEL
#undef TARGET
#undef HAS_FMA
