#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// In C, since Swift looks at a vector's bytes one by one.

typedef uint8_t plain_text_bytes __attribute__((ext_vector_type(16)));
typedef bool plain_text_bits __attribute__((ext_vector_type(16)));

/// The end of a text, and whether there is nothing but ASCII in it.
typedef struct {
  const void *end;
  bool is_ascii;
} plain_text;

/// A bit for each byte of a comparison, the first byte's is the lowest.
static inline uint32_t plain_text_mask(__typeof__((plain_text_bytes){} == (plain_text_bytes){}) compared) {
  plain_text_bits bits = __builtin_convertvector(compared, plain_text_bits);
  uint16_t mask;
  __builtin_memcpy(&mask, &bits, 2);
  return mask;
}

/// The text from `text` to the first quote, backslash or control character, or to `end`.
static inline plain_text plain_text_at(const void *text, const void *end) {
  const uint8_t *next = (const uint8_t *)text;
  const uint8_t *last = (const uint8_t *)end;
  uint32_t beyond = 0;
  while (last - next >= 16) {
    plain_text_bytes bytes;
    __builtin_memcpy(&bytes, next, 16);
    uint32_t stops = plain_text_mask((bytes == '"') | (bytes == '\\') | (bytes < 0x20));
    uint32_t high = plain_text_mask(bytes >= 0x80);
    if (stops) {
      // Of those up to the end.
      beyond |= high & (stops ^ (stops - 1));
      return (plain_text){next + __builtin_ctz(stops), !beyond};
    }
    beyond |= high;
    next += 16;
  }
  for (; next < last && *next != '"' && *next != '\\' && *next >= 0x20; next++) beyond |= *next & 0x80;
  return (plain_text){next, !beyond};
}

static inline bool is_rest_of_utf8(uint8_t byte) { return (byte & 0xc0) == 0x80; }

/// Whether a text is UTF-8, by one character after the other: a call to simdjson takes longer than most names do.
static inline bool short_text_is_utf8(const void *text, size_t count) {
  const uint8_t *next = (const uint8_t *)text;
  const uint8_t *end = next + count;
  while (next < end) {
    uint8_t first = next[0];
    long left = end - next;
    if (first < 0x80) {
      next += 1;
    } else if (first < 0xe0) {
      if (first < 0xc2 || left < 2 || !is_rest_of_utf8(next[1])) return false;
      next += 2;
    } else if (first < 0xf0) {
      if (left < 3 || !is_rest_of_utf8(next[1]) || !is_rest_of_utf8(next[2])) return false;
      // What has a shorter form, and halves of surrogate pairs.
      if ((first == 0xe0 && next[1] < 0xa0) || (first == 0xed && next[1] >= 0xa0)) return false;
      next += 3;
    } else {
      if (first > 0xf4 || left < 4) return false;
      if (!is_rest_of_utf8(next[1]) || !is_rest_of_utf8(next[2]) || !is_rest_of_utf8(next[3])) return false;
      // What has a shorter form, and what lies beyond U+10FFFF.
      if ((first == 0xf0 && next[1] < 0x90) || (first == 0xf4 && next[1] >= 0x90)) return false;
      next += 4;
    }
  }
  return true;
}
