/* state = step(state, element) for every element along one axis (kernels/associative_scan.py), the
   step as a list of operations on registers of LANES columns (kernels/combine_program.py).

   Each operation is the one that torch does on a row, in the same order, each rounded. Truth values
   are 0 and 1. An item of work is one outer index and one block of columns. */

/* The numbers that kernels/native/__init__.py writes. */
#ifndef RECURRENCE_H
#define RECURRENCE_H
enum { MOST_REGISTERS = 64, MOST_PARTS_OF_STATE = 8 };

typedef struct {
    int64_t outer, length, columns, elements, states, constants, operations, blocks;
    const int64_t *element; /* address, stride of outer, time and columns, of each */
    const int64_t *initial; /* address, stride of outer and columns, of each */
    const int64_t *result; /* address, strides as of an element, register, of each */
    const int64_t *constant; /* bits of a double, of each */
    const int64_t *operation; /* what, to, from, from, from, of each */
} Recurrence;

static inline Recurrence recurrence_of(const int64_t *numbers)
{
    Recurrence s;
    memcpy(&s, numbers, 8 * sizeof(int64_t));
    s.element = numbers + 8;
    s.initial = s.element + 4 * s.elements;
    s.result = s.initial + 3 * s.states;
    s.constant = s.result + 5 * s.states;
    s.operation = s.constant + s.constants;
    return s;
}
#endif

TARGET static void NAME(recurrence_load)(REAL *restrict to, const REAL *from, int64_t stride,
                                         int64_t lanes)
{
    if (stride == 1 && lanes == LANES)
        memcpy(to, from, sizeof(REAL) * LANES);
    else
        for (int64_t j = 0; j < lanes; j++) to[j] = from[j * stride];
}

#define ON_LANES(expression) \
    OVER_LANES { to[j] = (expression); } \
    break

TARGET static void NAME(recurrence_do)(int64_t what, REAL *to, const REAL *a, const REAL *b,
                                       const REAL *c)
{
    switch (what) {
    case 0: ON_LANES(a[j] + b[j]);
    case 1: ON_LANES(a[j] - b[j]);
    case 2: ON_LANES(a[j] * b[j]);
    case 3: ON_LANES(a[j] / b[j]);
    case 4: ON_LANES(a[j] != a[j] ? a[j] : b[j] != b[j] ? b[j] : a[j] > b[j] ? a[j] : b[j]);
    case 5: ON_LANES(a[j] != a[j] ? a[j] : b[j] != b[j] ? b[j] : a[j] < b[j] ? a[j] : b[j]);
    case 6: ON_LANES(a[j] < 0 ? -a[j] : a[j] + 0);
    case 7: ON_LANES(-a[j]);
    case 8: ON_LANES((REAL)(a[j] > b[j]));
    case 9: ON_LANES((REAL)(a[j] >= b[j]));
    case 10: ON_LANES((REAL)(a[j] < b[j]));
    case 11: ON_LANES((REAL)(a[j] <= b[j]));
    case 12: ON_LANES((REAL)(a[j] == b[j]));
    case 13: ON_LANES((REAL)(a[j] != b[j]));
    case 14: ON_LANES((REAL)(a[j] != 0 && b[j] != 0));
    case 15: ON_LANES((REAL)(a[j] != 0 || b[j] != 0));
    default: ON_LANES(a[j] != 0 ? b[j] : c[j]);
    }
}

TARGET static void NAME(recurrence_block)(const Recurrence *s, int64_t outer, int64_t column)
{
    REAL registers[MOST_REGISTERS][LANES] = {{0}}, next[MOST_PARTS_OF_STATE][LANES];
    const int64_t lanes = smaller(LANES, s->columns - column);
    const int64_t first = s->states, constants = first + s->elements;
    for (int64_t i = 0; i < s->states; i++) {
        const int64_t *n = s->initial + 3 * i;
        NAME(recurrence_load)(registers[i], (const REAL *)n[0] + outer * n[1] + column * n[2],
                              n[2], lanes);
    }
    for (int64_t i = 0; i < s->constants; i++) {
        double value;
        memcpy(&value, s->constant + i, sizeof value);
        OVER_LANES { registers[constants + i][j] = (REAL)value; }
    }
    for (int64_t t = 0; t < s->length; t++) {
        for (int64_t i = 0; i < s->elements; i++) {
            const int64_t *n = s->element + 4 * i;
            if (t == 0 || n[2])
                NAME(recurrence_load)(registers[first + i],
                                      (const REAL *)n[0] + outer * n[1] + t * n[2] + column * n[3],
                                      n[3], lanes);
        }
        for (int64_t i = 0; i < s->operations; i++) {
            const int64_t *n = s->operation + 5 * i;
            NAME(recurrence_do)(n[0], registers[n[1]], registers[n[2]], registers[n[3]],
                                registers[n[4]]);
        }
        for (int64_t i = 0; i < s->states; i++) {
            const int64_t *n = s->result + 5 * i;
            REAL *out = (REAL *)n[0] + outer * n[1] + t * n[2] + column * n[3];
            memcpy(next[i], registers[n[4]], sizeof next[i]);
            if (n[3] == 1)
                memcpy(out, next[i], sizeof(REAL) * (size_t)lanes);
            else
                for (int64_t j = 0; j < lanes; j++) out[j * n[3]] = next[i][j];
        }
        memcpy(registers, next, sizeof(REAL) * LANES * (size_t)s->states);
    }
}

TARGET static int NAME(recurrence)(const void *arguments, int64_t first, int64_t last)
{
    const Recurrence s = recurrence_of(arguments);
    for (int64_t item = first; item < last; item++)
        NAME(recurrence_block)(&s, item / s.blocks, item % s.blocks * LANES);
    return 0;
}

#undef ON_LANES
