#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// In C, since Swift looks at a vector's bytes one by one.

typedef uint8_t plain_text_bytes __attribute__((vector_size(16)));
typedef uint64_t plain_text_words __attribute__((vector_size(16)));

/// The first quote, backslash or control character from `text` on, or `end`. Of the bits of all bytes before it, and maybe
/// of some shortly after it, `bits` gets those of each byte.
static inline const void *plain_text_end(const void *text, const void *end, uint64_t *bits) {
  const uint8_t *next = (const uint8_t *)text;
  const uint8_t *last = (const uint8_t *)end;
  plain_text_words seen = {0, 0};
  while (last - next >= 16) {
    plain_text_bytes bytes;
    __builtin_memcpy(&bytes, next, 16);
    seen |= (plain_text_words)bytes;
    // All bits of a byte that ends the text, none of another; the first byte's are the lowest.
    plain_text_words stops = (plain_text_words)((bytes == '"') | (bytes == '\\') | (bytes < 0x20));
    if (stops[0] | stops[1]) {
      *bits = seen[0] | seen[1];
      return stops[0] ? next + (__builtin_ctzll(stops[0]) >> 3) : next + 8 + (__builtin_ctzll(stops[1]) >> 3);
    }
    next += 16;
  }
  *bits = seen[0] | seen[1];
  for (; next < last; next++) {
    if (*next == '"' || *next == '\\' || *next < 0x20) return next;
    *bits |= *next;
  }
  return end;
}
