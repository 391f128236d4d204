/* Arithmetic on sizes that depend on a request. Reports overflow. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Write a * b to *ret_product. Returns false, and writes nothing, on overflow. */
static inline bool checked_mul(size_t a, size_t b, size_t *ret_product) {
    size_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *ret_product = product;
    return true;
}

/* Write a + b to *ret_sum. Returns false, and writes nothing, on overflow. */
static inline bool checked_add(size_t a, size_t b, size_t *ret_sum) {
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *ret_sum = sum;
    return true;
}
