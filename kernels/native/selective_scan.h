/* h = exp(delta A) h + B x, y = C . h, and its gradients (kernels/selective_scan.py).

   An item of work is one batch element, one group and one part of that group's channels. Inside,
   LANES channels advance together through the whole sequence, a chunk at a time, all states of one
   channel in one lane; everything a chunk needs fits in the first two caches. */

/* x, delta or dy of one chunk and `lanes` channels, (rows, LANES). */
TARGET static void NAME(read_lanes)(REAL *to, const View *view, int64_t batch, int64_t time,
                                    int64_t rows, int64_t channel, int64_t lanes)
{
    const int64_t *stride = view->stride;
    int64_t offset = batch * stride[0] + time * stride[1] + channel * stride[2];
    NAME(read_block)(to, LANES, view, offset, rows, stride[1], lanes, stride[2]);
}

/* B or C of one chunk, (rows, states). */
TARGET static void NAME(read_states)(const Selective *s, REAL *to, const View *view, int64_t batch,
                                     int64_t group, int64_t time, int64_t rows)
{
    const int64_t *stride = view->stride;
    int64_t offset = batch * stride[0] + time * stride[1] + group * stride[2];
    NAME(read_block)(to, s->states, view, offset, rows, stride[1], s->states, stride[3]);
}

static REAL *NAME(border)(const Selective *s, int64_t chunk, int64_t batch, int64_t group,
                          int64_t channel)
{
    int64_t row = (chunk * s->batch + batch) * s->groups + group;
    return (REAL *)s->borders.data + row * s->states * s->width + channel;
}

TARGET static int NAME(selective_forward)(const void *arguments, int64_t first, int64_t last)
{
    const Selective *s = arguments;
    const int64_t N = s->states, T = s->chunk < s->length ? s->chunk : s->length;
    REAL *memory = malloc(sizeof(REAL) * (size_t)(2 * N * LANES + 3 * T * LANES + 2 * T * N));
    if (!memory) return 1;
    REAL *A = memory, *H = A + N * LANES, *X = H + N * LANES, *D = X + T * LANES,
         *Y = D + T * LANES, *B = Y + T * LANES, *C = B + T * N;
    for (int64_t item = first; item < last; item++) {
        const int64_t part = item % s->parts, group = item / s->parts % s->groups,
                      batch = item / s->parts / s->groups;
        const int64_t end = smaller(s->width, (part + 1) * s->part_width);
        for (int64_t channel = part * s->part_width; channel < end; channel += LANES) {
            const int64_t lanes = smaller(LANES, end - channel);
            const int64_t place = group * s->width + channel;
            NAME(read_block)(A, LANES, &s->A, place * s->A.stride[0], N, s->A.stride[1], lanes,
                             s->A.stride[0]);
            const int64_t *state = s->initial.stride;
            if (s->initial.data)
                NAME(read_block)(H, LANES, &s->initial, batch * state[0] + place * state[1], N,
                                 state[2], lanes, state[1]);
            else
                memset(H, 0, sizeof(REAL) * (size_t)(N * LANES));
            for (int64_t time = 0; time < s->length; time += T) {
                const int64_t rows = smaller(T, s->length - time);
                REAL *border = NAME(border)(s, time / T, batch, group, channel);
                for (int64_t n = 0; n < N; n++)
                    memcpy(border + n * s->width, H + n * LANES, sizeof(REAL) * (size_t)lanes);
                NAME(read_lanes)(X, &s->x, batch, time, rows, place, lanes);
                NAME(read_lanes)(D, &s->delta, batch, time, rows, place, lanes);
                NAME(read_states)(s, B, &s->B, batch, group, time, rows);
                NAME(read_states)(s, C, &s->C, batch, group, time, rows);
                for (int64_t t = 0; t < rows; t++) {
                    const REAL *restrict x = X + t * LANES, *restrict d = D + t * LANES;
                    REAL y[LANES] = {0};
                    for (int64_t n = 0; n < N; n++) {
                        const REAL b = B[t * N + n], c = C[t * N + n];
                        const REAL *restrict a = A + n * LANES;
                        REAL *restrict h = H + n * LANES;
                        OVER_LANES {
                            REAL next = NAME(exponential)(d[j] * a[j]) * h[j] + b * x[j];
                            h[j] = next;
                            y[j] += c * next;
                        }
                    }
                    memcpy(Y + t * LANES, y, sizeof y);
                }
                const int64_t *out = s->y.stride;
                NAME(write_block)(Y, LANES, &s->y, batch * out[0] + time * out[1] + place * out[2],
                                  rows, out[1], lanes, out[2]);
            }
            const int64_t *out = s->final.stride;
            NAME(write_block)(H, LANES, &s->final, batch * out[0] + place * out[1], N, out[2],
                              lanes, out[1]);
        }
    }
    free(memory);
    return 0;
}

/* The sum of LANES numbers, in a tree; destroys them. */
#define FOLD(half) \
    for (int j = 0; j < half; j++) each[j] += each[j + half]
TARGET static inline REAL NAME(total)(REAL *each)
{
#if LANES > 16
    FOLD(16);
#endif
#if LANES > 8
    FOLD(8);
#endif
    FOLD(4);
    return (each[0] + each[1]) + (each[2] + each[3]);
}
#undef FOLD

TARGET static int NAME(selective_backward)(const void *arguments, int64_t first, int64_t last)
{
    const Selective *s = arguments;
    const int64_t N = s->states, T = s->chunk < s->length ? s->chunk : s->length, row = N * LANES;
    REAL *memory = malloc(sizeof(REAL) * (size_t)(4 * row + 5 * T * LANES + 2 * T * N + 2 * T * row));
    if (!memory) return 1;
    REAL *A = memory, *A_total = A + row, *later = A_total + row, *X = later + row,
         *D = X + T * LANES, *dY = D + T * LANES, *dX = dY + T * LANES, *dD = dX + T * LANES,
         *B = dD + T * LANES, *C = B + T * N, *E = C + T * N, *H = E + T * row; /* (T + 1) rows */
    for (int64_t item = first; item < last; item++) {
        const int64_t part = item % s->parts, group = item / s->parts % s->groups,
                      batch = item / s->parts / s->groups;
        const int64_t end = smaller(s->width, (part + 1) * s->part_width);
        for (int64_t channel = part * s->part_width; channel < end; channel += LANES) {
            const int64_t lanes = smaller(LANES, end - channel);
            const int64_t place = group * s->width + channel;
            NAME(read_block)(A, LANES, &s->A, place * s->A.stride[0], N, s->A.stride[1], lanes,
                             s->A.stride[0]);
            memset(A_total, 0, sizeof(REAL) * (size_t)row);
            /* what reaches h at the end of a chunk from everything after it */
            if (s->dfinal.data)
                NAME(read_block)(later, LANES, &s->dfinal,
                                 batch * s->dfinal.stride[0] + place * s->dfinal.stride[1], N,
                                 s->dfinal.stride[2], lanes, s->dfinal.stride[1]);
            else
                memset(later, 0, sizeof(REAL) * (size_t)row);
            for (int64_t time = (s->length - 1) / T * T; time >= 0; time -= T) {
                const int64_t rows = smaller(T, s->length - time);
                const REAL *border = NAME(border)(s, time / T, batch, group, channel);
                memset(H, 0, sizeof(REAL) * (size_t)row);
                for (int64_t n = 0; n < N; n++)
                    memcpy(H + n * LANES, border + n * s->width, sizeof(REAL) * (size_t)lanes);
                NAME(read_lanes)(X, &s->x, batch, time, rows, place, lanes);
                NAME(read_lanes)(D, &s->delta, batch, time, rows, place, lanes);
                NAME(read_lanes)(dY, &s->dy, batch, time, rows, place, lanes);
                NAME(read_states)(s, B, &s->B, batch, group, time, rows);
                NAME(read_states)(s, C, &s->C, batch, group, time, rows);
                for (int64_t t = 0; t < rows; t++) {
                    const REAL *restrict x = X + t * LANES, *restrict d = D + t * LANES;
                    for (int64_t n = 0; n < N; n++) {
                        const REAL b = B[t * N + n];
                        const REAL *restrict a = A + n * LANES, *before = H + t * row + n * LANES;
                        REAL *restrict e = E + t * row + n * LANES;
                        REAL *restrict h = H + (t + 1) * row + n * LANES;
                        OVER_LANES {
                            REAL decay = NAME(exponential)(d[j] * a[j]);
                            e[j] = decay;
                            h[j] = decay * before[j] + b * x[j];
                        }
                    }
                }
                REAL *dB = (REAL *)s->dB.data, *dC = (REAL *)s->dC.data;
                for (int64_t t = rows - 1; t >= 0; t--) {
                    const REAL *restrict x = X + t * LANES, *restrict d = D + t * LANES,
                                         *restrict dy = dY + t * LANES;
                    REAL dx[LANES] = {0}, dd[LANES] = {0};
                    const int64_t sums =
                        (((part * s->batch + batch) * s->length + time + t) * s->groups + group) * N;
                    for (int64_t n = 0; n < N; n++) {
                        const REAL b = B[t * N + n], c = C[t * N + n];
                        const REAL *restrict a = A + n * LANES, *restrict e = E + t * row + n * LANES,
                                             *restrict before = H + t * row + n * LANES,
                                             *restrict h = H + (t + 1) * row + n * LANES;
                        REAL *restrict next = later + n * LANES, *restrict da = A_total + n * LANES;
                        REAL gx[LANES], yh[LANES];
                        OVER_LANES {
                            REAL g = dy[j] * c + next[j];
                            dx[j] += g * b;
                            gx[j] = g * x[j];
                            yh[j] = dy[j] * h[j];
                            next[j] = g * e[j];
                            REAL w = g * before[j] * e[j]; /* as the loop: g e may overflow */
                            dd[j] += w * a[j];
                            da[j] += w * d[j];
                        }
                        for (int64_t j = lanes; j < LANES; j++) gx[j] = yh[j] = 0; /* inf times 0 */
                        dB[sums + n] += NAME(total)(gx);
                        dC[sums + n] += NAME(total)(yh);
                    }
                    memcpy(dX + t * LANES, dx, sizeof dx);
                    memcpy(dD + t * LANES, dd, sizeof dd);
                }
                const int64_t *out = s->dx.stride;
                NAME(write_block)(dX, LANES, &s->dx, batch * out[0] + time * out[1] + place * out[2],
                                  rows, out[1], lanes, out[2]);
                out = s->ddelta.stride;
                NAME(write_block)(dD, LANES, &s->ddelta,
                                  batch * out[0] + time * out[1] + place * out[2], rows, out[1],
                                  lanes, out[2]);
            }
            const int64_t *out = s->dA.stride;
            NAME(write_block)(A_total, LANES, &s->dA, batch * out[0] + place * out[1], N, out[2],
                              lanes, out[1]);
            out = s->dinitial.stride;
            NAME(write_block)(later, LANES, &s->dinitial, batch * out[0] + place * out[1], N, out[2],
                              lanes, out[1]);
        }
    }
    free(memory);
    return 0;
}
