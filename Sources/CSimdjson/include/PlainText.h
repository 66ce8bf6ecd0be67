#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// In C, since Swift looks at a vector's bytes one by one.

typedef uint8_t plain_text_bytes __attribute__((vector_size(16)));
typedef uint64_t plain_text_words __attribute__((vector_size(16)));

/// The first quote, backslash or control character from `text` on, or `end`. A byte beyond ASCII before it makes
/// `is_ascii` false; so may one shortly after it.
static inline const void *plain_text_end(const void *text, const void *end, bool *is_ascii) {
  const uint8_t *next = (const uint8_t *)text;
  const uint8_t *last = (const uint8_t *)end;
  while (last - next >= 16) {
    plain_text_bytes bytes;
    __builtin_memcpy(&bytes, next, 16);
    plain_text_words words = (plain_text_words)bytes;
    if ((words[0] | words[1]) & 0x8080808080808080) *is_ascii = false;
    // All bits of a byte that ends the text, none of another; the first byte's are the lowest.
    plain_text_words stops = (plain_text_words)((bytes == '"') | (bytes == '\\') | (bytes < 0x20));
    if (stops[0]) return next + (__builtin_ctzll(stops[0]) >> 3);
    if (stops[1]) return next + 8 + (__builtin_ctzll(stops[1]) >> 3);
    next += 16;
  }
  for (; next < last; next++) {
    if (*next == '"' || *next == '\\' || *next < 0x20) return next;
    if (*next >= 0x80) *is_ascii = false;
  }
  return end;
}
