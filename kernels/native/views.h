/* Tensors as pointers with strides, and the four kinds of numbers that they hold.

   A kernel computes on small dense blocks (time x lanes) of float or double; reading a block from
   a tensor of any strides and any of the four kinds converts it, writing one rounds to nearest. */

#ifndef VIEWS_H
#define VIEWS_H

#include <stdint.h>
#include <string.h>

enum { KIND_FLOAT, KIND_DOUBLE, KIND_BFLOAT16, KIND_HALF };

typedef struct {
    char *data; /* NULL where an operand is not given */
    int64_t kind;
    int64_t stride[4]; /* in elements */
} View;

static inline float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float float_of_bfloat16(uint16_t value) { return float_of_bits((uint32_t)value << 16); }

static inline uint16_t bfloat16_of_float(float value)
{
    uint32_t bits = bits_of_float(value);
    uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    return (uint16_t)(value != value ? 0x7fc0 : rounded);
}

/* The exponent is moved by a multiplication with a power of two; denormal halves are the mantissa
   of a number between 1/2 and 1, minus 1/2. The method of M. Dukhan's FP16. */
static inline float float_of_half(uint16_t value)
{
    uint32_t sign = (uint32_t)(value & 0x8000) << 16;
    uint32_t twice = (uint32_t)value << 17;
    float normal = float_of_bits((twice >> 4) + (0xe0u << 23)) * 0x1p-112f;
    float denormal = float_of_bits((twice >> 17) | (126u << 23)) - 0.5f;
    return float_of_bits(sign | bits_of_float(twice < (1u << 27) ? denormal : normal));
}

/* Adding a number whose last bit is worth the half's last bit rounds to that bit. */
static inline uint16_t half_of_float(float value)
{
    uint32_t bits = bits_of_float(value), twice = bits + bits;
    uint32_t exponent = twice & 0xff000000u;
    float base = (float_of_bits(bits & 0x7fffffffu) * 0x1p112f) * 0x1p-110f;
    exponent = exponent < 0x71000000u ? 0x71000000u : exponent;
    base = float_of_bits((exponent >> 1) + 0x07800000u) + base;
    uint32_t found = bits_of_float(base);
    uint32_t magnitude = ((found >> 13) & 0x7c00) + (found & 0x0fff);
    return (uint16_t)((bits & 0x80000000u) >> 16 | (twice > 0xff000000u ? 0x7e00 : magnitude));
}

#endif
