/* Softmax, or what log-sum-exp is made of, along the middle axis of (outer, length, inner)
   (kernels/softmax_arrays.py).

   An item of work is a row where inner is 1, whose neighbours lie in the lanes, and else LANES
   columns, one in each. What lies behind the last is -inf, whose exponential adds nothing. Sums of
   TILE blocks are added up in double, as a long sum in one go would lose digits.

   Largest entries by comparison pass over NaN, which the sum of the exponentials then is. */

TARGET static inline void NAME(more_weights)(const REAL *restrict x, const REAL *restrict shift,
                                             REAL *restrict sums, REAL *restrict weights)
{
    OVER_LANES {
        const REAL weight = NAME(exponential)(x[j] - shift[j]);
        weights[j] = weight;
        sums[j] += weight;
    }
}

/* A block of a row or of columns, whose `count` entries lie side by side. */
TARGET static inline const REAL *NAME(padded)(const REAL *x, int64_t count, REAL *restrict space)
{
    if (count == LANES) return x;
    OVER_LANES space[j] = -(REAL)INFINITY;
    memcpy(space, x, sizeof(REAL) * (size_t)count);
    return space;
}

/* The blocks of an item are `step` apart, each of `width` entries, the last of `rest`. */
TARGET static void NAME(fold_blocks)(const Folded *s, const REAL *x, REAL *out, int64_t blocks,
                                     int64_t step, int64_t width, int64_t rest, int is_row,
                                     REAL *shift, REAL *sum)
{
    REAL space[LANES], weights[LANES], top[LANES];
    double total[LANES] = {0};
    OVER_LANES top[j] = -(REAL)INFINITY;
    for (int64_t b = 0; b < blocks; b++) {
        const REAL *at = NAME(padded)(x + b * step, b + 1 < blocks ? width : rest, space);
        OVER_LANES top[j] = at[j] > top[j] ? at[j] : top[j];
    }
    if (is_row) {
        for (int j = 1; j < LANES; j++) top[0] = top[j] > top[0] ? top[j] : top[0];
        for (int j = 1; j < LANES; j++) top[j] = top[0];
    }
    if (!s->weights) /* inf - inf is no number, where the sum is 0 or inf */
        OVER_LANES top[j] = top[j] - top[j] == 0 ? top[j] : 0;
    for (int64_t tile = 0; tile < blocks; tile += TILE) {
        REAL sums[LANES] = {0};
        for (int64_t b = tile; b < smaller(blocks, tile + TILE); b++) {
            const int64_t count = b + 1 < blocks ? width : rest;
            const REAL *at = NAME(padded)(x + b * step, count, space);
            if (s->weights && count == LANES) {
                NAME(more_weights)(at, top, sums, out + b * step);
                continue;
            }
            NAME(more_weights)(at, top, sums, weights);
            if (s->weights) memcpy(out + b * step, weights, sizeof(REAL) * (size_t)count);
        }
        OVER_LANES total[j] += (double)sums[j];
    }
    if (is_row) {
        for (int j = 1; j < LANES; j++) total[0] += total[j];
        for (int j = 1; j < LANES; j++) total[j] = total[0];
    }
    OVER_LANES shift[j] = top[j], sum[j] = (REAL)total[j];
}

TARGET static int NAME(fold_exponentials)(const void *arguments, int64_t first, int64_t last)
{
    const Folded *s = arguments;
    const int is_row = s->inner == 1;
    const int64_t parts = (s->inner + LANES - 1) / LANES;
    const int64_t blocks = is_row ? (s->length + LANES - 1) / LANES : s->length;
    const int64_t step = is_row ? LANES : s->inner;
    for (int64_t item = first; item < last; item++) {
        const int64_t outer = item / parts, column = item % parts * LANES;
        const int64_t lanes = is_row ? 1 : smaller(LANES, s->inner - column);
        const int64_t width = is_row ? LANES : lanes;
        const int64_t rest = is_row ? s->length - (blocks - 1) * LANES : lanes;
        const int64_t place = outer * s->length * s->inner + column;
        REAL shift[LANES], sum[LANES];
        REAL *out = (REAL *)s->out + place;
        NAME(fold_blocks)(s, (const REAL *)s->x + place, out, blocks, step, width, rest, is_row,
                          shift, sum);
        if (!s->weights) {
            const int64_t found = outer * s->inner + column;
            memcpy((REAL *)s->out + found, sum, sizeof(REAL) * (size_t)lanes);
            memcpy((REAL *)s->shifts + found, shift, sizeof(REAL) * (size_t)lanes);
            continue;
        }
        for (int64_t b = 0; b < blocks; b++) {
            const int64_t count = b + 1 < blocks ? width : rest;
            if (count == LANES)
                OVER_LANES out[b * step + j] /= sum[j];
            else
                for (int64_t j = 0; j < count; j++) out[b * step + j] /= sum[j];
        }
    }
    return 0;
}
