/* h[t] = a[t] h[t-1] + b[t] along one axis of (outer, time, lanes) (kernels/linear_scan.py).

   A reversed scan has negative strides of time. `neighbour` takes the gate of the step before, and
   1 for the first; with a factor the result is factor[t] h[t-1]. An item of work is one outer
   index and one part of the lanes. Multiplied and added as the plain loop does, each rounded. */

/* Whether nothing has to be converted. */
TARGET static int NAME(linear_unconverted)(const Linear *s)
{
    const int64_t kind = IS_DOUBLE ? KIND_DOUBLE : KIND_FLOAT;
    return s->a.kind == kind && s->b.kind == kind && s->out.kind == kind &&
           (!s->factor.data || s->factor.kind == kind);
}

/* Whether lanes lie next to each other, so that steps are taken on the tensors as they are. */
TARGET static int NAME(linear_in_place)(const Linear *s)
{
    return s->lanes >= 8 && s->b.stride[2] == 1 && s->out.stride[2] == 1 &&
           (s->a.stride[2] == 1 || s->a.stride[2] == 0) &&
           (!s->factor.data || s->factor.stride[2] == 1) && NAME(linear_unconverted)(s);
}

TARGET static const REAL *NAME(row)(const View *view, int64_t outer, int64_t time, int64_t lane)
{
    return (const REAL *)view->data + outer * view->stride[0] + time * view->stride[1] +
           lane * view->stride[2];
}

/* One step of `lanes` lanes from h to next; a gate of stride 0 is one number. */
TARGET static void NAME(linear_step)(const REAL *restrict h, const REAL *restrict gate,
                                     int64_t one_gate, const REAL *restrict b,
                                     REAL *restrict next, int64_t lanes)
{
    if (one_gate) {
        const REAL same = *gate;
        for (int64_t j = 0; j < lanes; j++) next[j] = same * h[j] + b[j];
    } else {
        for (int64_t j = 0; j < lanes; j++) next[j] = gate[j] * h[j] + b[j];
    }
}

/* The states stand where they are written; with a factor two buffers take turns. */
TARGET static void NAME(linear_rows)(const Linear *s, int64_t outer, int64_t lane, int64_t lanes,
                                     REAL *h)
{
    const REAL one = 1;
    REAL other[MOST_IN_PLACE], *spare = other;
    for (int64_t t = 0; t < s->length; t++) {
        const int64_t at = s->neighbour ? t - 1 : t;
        REAL *out = (REAL *)NAME(row)(&s->out, outer, t, lane), *next = s->factor.data ? spare : out;
        NAME(linear_step)(h, at < 0 ? &one : NAME(row)(&s->a, outer, at, lane),
                          at < 0 || !s->a.stride[2], NAME(row)(&s->b, outer, t, lane), next, lanes);
        if (s->factor.data) {
            const REAL *restrict factor = NAME(row)(&s->factor, outer, t, lane);
            for (int64_t j = 0; j < lanes; j++) out[j] = factor[j] * h[j];
            spare = h;
        }
        h = next;
    }
}

/* One lane after the other: for so few that most of a block would be empty. */
TARGET static void NAME(linear_few)(const Linear *s, int64_t outer, int64_t lane, int64_t lanes,
                                    REAL *h)
{
    for (int64_t j = 0; j < lanes; j++) {
        const REAL *a = NAME(row)(&s->a, outer, 0, lane + j), *b = NAME(row)(&s->b, outer, 0, lane + j);
        const REAL *factor = s->factor.data ? NAME(row)(&s->factor, outer, 0, lane + j) : NULL;
        REAL *out = (REAL *)NAME(row)(&s->out, outer, 0, lane + j);
        REAL state = h[j], gate = 1;
        for (int64_t t = 0; t < s->length; t++) {
            if (!s->neighbour) gate = a[t * s->a.stride[1]];
            const REAL next = gate * state + b[t * s->b.stride[1]];
            out[t * s->out.stride[1]] = factor ? factor[t * s->factor.stride[1]] * state : next;
            if (s->neighbour) gate = a[t * s->a.stride[1]];
            state = next;
        }
    }
}

/* Any strides and kinds: LANES lanes at a time, through dense blocks of some steps. */
TARGET static void NAME(linear_blocks)(const Linear *s, int64_t outer, int64_t lane, int64_t lanes,
                                       REAL *h)
{
    enum { ROWS = 64 };
    REAL A[(ROWS + 1) * LANES], B[ROWS * LANES], F[ROWS * LANES], Y[ROWS * LANES];
    const int64_t late = s->neighbour ? 1 : 0;
    for (int j = 0; j < LANES; j++) A[j] = 1;
    for (int64_t time = 0; time < s->length; time += ROWS) {
        const int64_t rows = smaller(ROWS, s->length - time);
#define PLACE(view) outer * (view).stride[0] + time * (view).stride[1] + lane * (view).stride[2]
        /* with `neighbour` row 0 is what the last chunk read last, or 1 */
        NAME(read_block)(A + late * LANES, LANES, &s->a, PLACE(s->a), rows, s->a.stride[1], lanes,
                         s->a.stride[2]);
        NAME(read_block)(B, LANES, &s->b, PLACE(s->b), rows, s->b.stride[1], lanes,
                         s->b.stride[2]);
        if (s->factor.data)
            NAME(read_block)(F, LANES, &s->factor, PLACE(s->factor), rows, s->factor.stride[1],
                             lanes, s->factor.stride[2]);
        for (int64_t t = 0; t < rows; t++) {
            const REAL *restrict a = A + t * LANES, *restrict b = B + t * LANES,
                                 *restrict f = F + t * LANES;
            REAL *restrict y = Y + t * LANES;
            if (s->factor.data)
                OVER_LANES { y[j] = f[j] * h[j]; h[j] = a[j] * h[j] + b[j]; }
            else
                OVER_LANES y[j] = h[j] = a[j] * h[j] + b[j];
        }
        if (late) memcpy(A, A + rows * LANES, sizeof(REAL) * LANES);
        NAME(write_block)(Y, LANES, &s->out, PLACE(s->out), rows, s->out.stride[1], lanes,
                          s->out.stride[2]);
#undef PLACE
    }
}

TARGET static int NAME(linear_scan)(const void *arguments, int64_t first, int64_t last)
{
    const Linear *s = arguments;
    const int in_place = NAME(linear_in_place)(s);
    const int few = s->lanes < 4 && NAME(linear_unconverted)(s);
    const int64_t step = in_place ? s->part_width : LANES;
    REAL h[MOST_IN_PLACE];
    for (int64_t item = first; item < last; item++) {
        const int64_t outer = item / s->parts, begin = item % s->parts * s->part_width;
        const int64_t end = smaller(s->lanes, begin + s->part_width);
        for (int64_t lane = begin; lane < end; lane += step) {
            const int64_t lanes = smaller(step, end - lane);
            const int64_t *stride = s->initial.stride;
            if (s->initial.data)
                NAME(read_block)(h, step, &s->initial, outer * stride[0] + lane * stride[1], 1, 0,
                                 lanes, stride[1]);
            else
                memset(h, 0, sizeof(REAL) * (size_t)step);
            (in_place ? NAME(linear_rows) : few ? NAME(linear_few) : NAME(linear_blocks))(
                s, outer, lane, lanes, h);
        }
    }
    return 0;
}
