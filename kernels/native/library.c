/* The compiled CPU kernels: plain C, loaded with ctypes, called without Python's lock.

   Every kernel is compiled for several instruction sets and for float and double by including its
   header again; `run` takes the number of one of them. Work is split into items that do not depend
   on the number of threads, nor do the results. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "views.h"

static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* The lanes of a block, which never depend on each other; no two arrays of a kernel overlap. */
#if defined(__GNUC__) && !defined(__clang__)
#define OVER_LANES _Pragma("GCC ivdep") for (int j = 0; j < LANES; j++)
#else
#define OVER_LANES for (int j = 0; j < LANES; j++)
#endif

/* What kernels/native/__init__.py writes, in this order. */
typedef struct {
    int64_t batch, length, groups, states, width; /* width: channels of a group */
    int64_t chunk, parts, part_width;
    View x, delta, A, B, C, initial, y, final, borders;
    View dy, dfinal, dx, ddelta, dA, dB, dC, dinitial; /* backward only */
} Selective;

enum { MOST_IN_PLACE = 1024 };

typedef struct {
    int64_t outer, length, lanes, neighbour;
    int64_t parts, part_width; /* at most MOST_IN_PLACE */
    View a, b, initial, factor, out;
} Linear;

enum { TILE = 256 }; /* a multiple of all LANES */

/* Dense arrays of what is computed in: x, g (3, count), m (count). */
typedef struct {
    int64_t count;
    const void *x, *m, *softening, *g;
    void *out; /* (3, count), or the gradients of x, m and the softening, (5, count) */
} Bodies;

/* Dense arrays of what is computed in: x (outer, length, inner), out as x where `weights`, else it
   and shifts (outer, inner). */
typedef struct {
    int64_t outer, length, inner, weights;
    const void *x;
    void *out, *shifts;
} Folded;

typedef int Kernel(const void *arguments, int64_t first, int64_t last);

#define JOIN_(a, b, c, d) a##_##b##_##c##_##d
#define JOIN(a, b, c, d) JOIN_(a, b, c, d)
#define NAME(name) JOIN(name, LEVEL, REAL, LANES)
#define NARROW 8

#define LEVEL base
#define TARGET
#if defined(__FP_FAST_FMA) && defined(__FP_FAST_FMAF)
#define HAS_FMA 1
#else
#define HAS_FMA 0
#endif
#include "level.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define LEVELS 3
#define HAS_FMA 1

#define LEVEL avx2
#define TARGET __attribute__((target("avx2,fma")))
#include "level.h"

#define LEVEL avx512
#if defined(__clang__) /* where the other attribute is unknown, and all of them ignored with it */
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma")))
#else
#define TARGET \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma,prefer-vector-width=512")))
#endif
#define HAS_FMA 1
#include "level.h"
#else
#define LEVELS 1
#endif

#define BOTH(name, level, lanes, fewer) \
    {JOIN(name, level, float, lanes), JOIN(name, level, double, fewer)}
#if LEVELS == 3
#define ALL(name, lanes, fewer) \
    {BOTH(name, base, lanes, fewer), BOTH(name, avx2, lanes, fewer), BOTH(name, avx512, lanes, fewer)}
#else
#define ALL(name, lanes, fewer) {BOTH(name, base, lanes, fewer)}
#endif

static Kernel *const KERNELS[][LEVELS][2] = {
    ALL(selective_forward, 32, 16),
    ALL(selective_forward, NARROW, NARROW),
    ALL(selective_backward, 32, 16),
    ALL(selective_backward, NARROW, NARROW),
    ALL(linear_scan, 32, 16),
    ALL(nbody_forward, 32, 16),
    ALL(nbody_backward, 32, 16),
    ALL(recurrence, 32, 16),
    ALL(fold_exponentials, 32, 16),
};

#ifdef _WIN32
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED
#endif

/* Changes with the meaning of the arguments: a library left over from another version is not used,
   nor one whose addresses are not as wide as the integers that they are passed in. */
EXPORTED int native_version(void) { return sizeof(void *) == sizeof(int64_t) ? 3 : 0; }

/* The best instruction set of this processor, a number from 0. */
EXPORTED int native_level(void)
{
#if LEVELS == 3
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("fma"))
        return 2;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 1;
#endif
    return 0;
}

/* Items `first` to `last` of a call; not 0 where memory is short. */
EXPORTED int native_run(int kernel, int level, int is_double, const void *arguments, int64_t first,
                        int64_t last)
{
    return KERNELS[kernel][level][is_double](arguments, first, last);
}

#if defined(__GNUC__)
/* OpenMP's way to run a function on every thread of a team, in the ABI of GCC. */
typedef void Parallel(void (*function)(void *), void *argument, unsigned threads, unsigned flags);

typedef struct {
    Kernel *kernel;
    const void *arguments;
    int64_t items, parts, next; /* the next part that nobody has taken */
    int status;
} Shared;

/* However many threads the team really has, each part is taken once. */
static void take_parts(void *given)
{
    Shared *s = given;
    int64_t part;
    while ((part = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED)) < s->parts) {
        const int status = s->kernel(s->arguments, s->items * part / s->parts,
                                     s->items * (part + 1) / s->parts);
        if (status) __atomic_store_n(&s->status, status, __ATOMIC_RELAXED);
    }
}

/* All items of a call on the threads of `parallel`, in as many parts; not 0 without memory. */
EXPORTED int native_share(int kernel, int level, int is_double, const void *arguments,
                          int64_t items, int64_t threads, Parallel *parallel)
{
    Shared shared = {KERNELS[kernel][level][is_double], arguments, items, threads, 0, 0};
    parallel(take_parts, &shared, (unsigned)threads, 0);
    return shared.status;
}
#endif

/* What a linker for Python modules asks for; nobody imports this library. */
EXPORTED void *PyInit__library(void) { return NULL; }
