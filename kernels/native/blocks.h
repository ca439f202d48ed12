/* Dense blocks of REAL from and to tensors.

   A block has `rows` x `columns` numbers; in memory its rows are `width` apart, and what lies
   behind `columns` is 0 after reading. */

#define READ_AS(type, convert)                                                                    \
    do {                                                                                          \
        const type *from = (const type *)view->data + offset;                                     \
        if (column_stride == 1)                                                                   \
            for (int64_t r = 0; r < rows; r++)                                                    \
                for (int64_t c = 0; c < columns; c++)                                             \
                    to[r * width + c] = (REAL)convert(from[r * row_stride + c]);                  \
        else if (column_stride == 0)                                                              \
            for (int64_t r = 0; r < rows; r++) {                                                  \
                const REAL same = (REAL)convert(from[r * row_stride]);                            \
                for (int64_t c = 0; c < columns; c++) to[r * width + c] = same;                   \
            }                                                                                     \
        else                                                                                      \
            for (int64_t c = 0; c < columns; c++)                                                 \
                for (int64_t r = 0; r < rows; r++)                                                \
                    to[r * width + c] = (REAL)convert(from[r * row_stride + c * column_stride]);  \
    } while (0)

TARGET static void NAME(read_block)(REAL *restrict to, int64_t width, const View *view,
                                    int64_t offset, int64_t rows, int64_t row_stride,
                                    int64_t columns, int64_t column_stride)
{
    if (columns < width) memset(to, 0, sizeof(REAL) * (size_t)(rows * width));
    switch (view->kind) {
    case KIND_FLOAT: READ_AS(float, ); break;
    case KIND_DOUBLE: READ_AS(double, ); break;
    case KIND_BFLOAT16: READ_AS(uint16_t, float_of_bfloat16); break;
    default: READ_AS(uint16_t, float_of_half);
    }
}

#define WRITE_AS(type, convert)                                                                   \
    do {                                                                                          \
        type *to = (type *)view->data + offset;                                                   \
        if (column_stride == 1)                                                                   \
            for (int64_t r = 0; r < rows; r++)                                                    \
                for (int64_t c = 0; c < columns; c++)                                             \
                    to[r * row_stride + c] = (type)convert(from[r * width + c]);                  \
        else                                                                                      \
            for (int64_t c = 0; c < columns; c++)                                                 \
                for (int64_t r = 0; r < rows; r++)                                                \
                    to[r * row_stride + c * column_stride] = (type)convert(from[r * width + c]);  \
    } while (0)

TARGET static void NAME(write_block)(const REAL *restrict from, int64_t width, const View *view,
                                     int64_t offset, int64_t rows, int64_t row_stride,
                                     int64_t columns, int64_t column_stride)
{
    switch (view->kind) {
    case KIND_FLOAT: WRITE_AS(float, ); break;
    case KIND_DOUBLE: WRITE_AS(double, ); break;
    case KIND_BFLOAT16: WRITE_AS(uint16_t, bfloat16_of_float); break;
    default: WRITE_AS(uint16_t, half_of_float);
    }
}

#undef READ_AS
#undef WRITE_AS
