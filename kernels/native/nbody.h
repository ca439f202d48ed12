/* Forces between all pairs of particles, and their gradients (kernels/nbody.py).

   An item of work is LANES particles, each in a lane, that meet all others one by one; sums are
   kept for TILE particles and then added up, as a long sum in one go would lose digits.

   With r = x_k - x_i, s = r.r + softening^2, y = 1 / sqrt(s), and g the gradient of what i feels:

       forward     sum_k m_k y^3 r
       dx_i        sum_k y^3 (m_i g_k - m_k g_i) - 3 y^5 (m_i g_k.r - m_k g_i.r) r
       dm_i        -sum_k y^3 g_k.r
       dsoftening  sum_ik -3 m_k y^5 (g_i.r) softening

   A particle that meets itself counts 0, whatever its y is. */

/* 1 / sqrt(s) without a division or a root, which take most of the time otherwise: half of the
   exponent is negated in integers, Newton's steps square the error of 0.035 each. Less than two
   units in the last place off; for 0 so large that its cube is inf, for inf so small that it is 0.
   C. Lomont, "Fast inverse square root" (2003). */
TARGET static inline REAL NAME(inverse_root)(REAL s)
{
#if IS_DOUBLE
    const REAL most = 1.7976931348623157e308;
    uint64_t bits;
    s = s > most ? most : s;
    memcpy(&bits, &s, sizeof bits);
    bits = 0x5fe6eb50c7b537a9u - (bits >> 1);
#else
    const REAL most = 3.40282347e38f;
    uint32_t bits;
    s = s > most ? most : s;
    memcpy(&bits, &s, sizeof bits);
    bits = 0x5f375a86u - (bits >> 1);
#endif
    REAL y;
    memcpy(&y, &bits, sizeof y);
    const REAL half = s * (REAL)0.5;
    for (int step = 0; step < (IS_DOUBLE ? 4 : 3); step++) {
        const REAL rest = FMA(-(half * y), y, (REAL)0.5);
        y = FMA(y, rest, y);
    }
    return y;
}

/* Adds what particles `from` to `to` do to the lanes of `row`; `self` where those are among them. */
TARGET static inline void NAME(pull)(const Bodies *s, int64_t row, int64_t from, int64_t to,
                                     int self, const REAL *x, REAL *sums)
{
    const REAL *restrict X = s->x, *restrict Y = X + s->count, *restrict Z = Y + s->count,
               *restrict M = s->m;
    const REAL soft = *(const REAL *)s->softening, soft2 = soft * soft;
    REAL sum0[LANES] = {0}, sum1[LANES] = {0}, sum2[LANES] = {0};
    for (int64_t k = from; k < to; k++) {
        const REAL x0 = X[k], x1 = Y[k], x2 = Z[k], m = M[k];
        const int own = self ? (int)(k - row) : -1;
        OVER_LANES {
            const REAL r0 = x0 - x[j], r1 = x1 - x[LANES + j], r2 = x2 - x[2 * LANES + j];
            REAL square = FMA(r2, r2, FMA(r1, r1, FMA(r0, r0, soft2)));
            const REAL y = NAME(inverse_root)(square);
            REAL weight = m * (y * y * y);
            if (self) weight = j == own ? 0 : weight;
            sum0[j] = FMA(weight, r0, sum0[j]);
            sum1[j] = FMA(weight, r1, sum1[j]);
            sum2[j] = FMA(weight, r2, sum2[j]);
        }
    }
    OVER_LANES {
        sums[j] += sum0[j];
        sums[LANES + j] += sum1[j];
        sums[2 * LANES + j] += sum2[j];
    }
}

/* The lanes of `row` of `planes` planes of `count` numbers, 0 behind the last. */
TARGET static void NAME(gather)(REAL *to, const void *data, int64_t planes, int64_t count,
                                int64_t row)
{
    for (int64_t plane = 0; plane < planes; plane++)
        for (int64_t j = 0; j < LANES; j++)
            to[plane * LANES + j] =
                row + j < count ? ((const REAL *)data)[plane * count + row + j] : 0;
}

TARGET static void NAME(spread)(const REAL *from, void *data, int64_t planes, int64_t count,
                                int64_t row)
{
    for (int64_t plane = 0; plane < planes; plane++)
        for (int64_t j = 0; j < LANES && row + j < count; j++)
            ((REAL *)data)[plane * count + row + j] = from[plane * LANES + j];
}

TARGET static int NAME(nbody_forward)(const void *arguments, int64_t first, int64_t last)
{
    const Bodies *s = arguments;
    for (int64_t row = first * LANES; row < smaller(s->count, last * LANES); row += LANES) {
        REAL x[3 * LANES], sums[3 * LANES] = {0};
        NAME(gather)(x, s->x, 3, s->count, row);
        for (int64_t from = 0; from < s->count; from += TILE) {
            const int64_t to = smaller(s->count, from + TILE);
            if (row >= from && row < to)
                NAME(pull)(s, row, from, to, 1, x, sums);
            else
                NAME(pull)(s, row, from, to, 0, x, sums);
        }
        NAME(spread)(sums, s->out, 3, s->count, row);
    }
    return 0;
}

TARGET static inline void NAME(pull_back)(const Bodies *s, int64_t row, int64_t from, int64_t to,
                                          int self, const REAL *x, REAL *sums)
{
    const REAL *restrict X = s->x, *restrict Y = X + s->count, *restrict Z = Y + s->count,
               *restrict M = s->m, *restrict U = s->g, *restrict V = U + s->count,
               *restrict W = V + s->count;
    const REAL soft = *(const REAL *)s->softening, soft2 = soft * soft;
    REAL sum0[LANES] = {0}, sum1[LANES] = {0}, sum2[LANES] = {0};
    REAL of_m[LANES] = {0}, of_soft[LANES] = {0};
    for (int64_t k = from; k < to; k++) {
        const REAL x0 = X[k], x1 = Y[k], x2 = Z[k], m = M[k], g0 = U[k], g1 = V[k], g2 = W[k];
        const int at = self ? (int)(k - row) : -1;
        OVER_LANES {
            const REAL r0 = x0 - x[j], r1 = x1 - x[LANES + j], r2 = x2 - x[2 * LANES + j];
            const REAL my_m = x[3 * LANES + j];
            const REAL my_g0 = x[4 * LANES + j], my_g1 = x[5 * LANES + j], my_g2 = x[6 * LANES + j];
            REAL square = FMA(r2, r2, FMA(r1, r1, FMA(r0, r0, soft2)));
            REAL y = NAME(inverse_root)(square);
            if (self) y = j == at ? 0 : y;
            const REAL y3 = y * y * y;
            const REAL theirs = FMA(g0, r0, FMA(g1, r1, g2 * r2));
            const REAL own = m * FMA(my_g0, r0, FMA(my_g1, r1, my_g2 * r2));
            const REAL along = 3 * (y3 * (y * y)), back = along * (own - my_m * theirs);
            sum0[j] = FMA(back, r0, FMA(y3, my_m * g0 - m * my_g0, sum0[j]));
            sum1[j] = FMA(back, r1, FMA(y3, my_m * g1 - m * my_g1, sum1[j]));
            sum2[j] = FMA(back, r2, FMA(y3, my_m * g2 - m * my_g2, sum2[j]));
            of_m[j] = FMA(-y3, theirs, of_m[j]);
            of_soft[j] = FMA(-along, own, of_soft[j]);
        }
    }
    OVER_LANES {
        sums[j] += sum0[j];
        sums[LANES + j] += sum1[j];
        sums[2 * LANES + j] += sum2[j];
        sums[3 * LANES + j] += of_m[j];
        sums[4 * LANES + j] += of_soft[j] * soft;
    }
}

TARGET static int NAME(nbody_backward)(const void *arguments, int64_t first, int64_t last)
{
    const Bodies *s = arguments;
    for (int64_t row = first * LANES; row < smaller(s->count, last * LANES); row += LANES) {
        REAL x[7 * LANES], sums[5 * LANES] = {0};
        NAME(gather)(x, s->x, 3, s->count, row);
        NAME(gather)(x + 3 * LANES, s->m, 1, s->count, row);
        NAME(gather)(x + 4 * LANES, s->g, 3, s->count, row);
        for (int64_t from = 0; from < s->count; from += TILE) {
            const int64_t to = smaller(s->count, from + TILE);
            if (row >= from && row < to)
                NAME(pull_back)(s, row, from, to, 1, x, sums);
            else
                NAME(pull_back)(s, row, from, to, 0, x, sums);
        }
        NAME(spread)(sums, s->out, 5, s->count, row);
    }
    return 0;
}
