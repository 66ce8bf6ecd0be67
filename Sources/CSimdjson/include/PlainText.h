#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// In C, since Swift looks at a vector's bytes one by one.

#pragma clang assume_nonnull begin

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

/// A bit for each byte with which a plain text ends.
static inline uint32_t plain_text_stops(plain_text_bytes bytes) {
  return plain_text_mask((bytes == '"') | (bytes == '\\') | (bytes < 0x20));
}

/// The text from `text` to the first quote, backslash or control character, or to `end`.
static inline plain_text plain_text_at(const void *text, const void *end) {
  const uint8_t *next = (const uint8_t *)text;
  const uint8_t *last = (const uint8_t *)end;
  uint32_t beyond = 0;
  // Compared as integers, since there may be no 16 bytes.
  for (; (uintptr_t)next + 16 <= (uintptr_t)last; next += 16) {
    plain_text_bytes bytes;
    __builtin_memcpy(&bytes, next, 16);
    uint32_t stops = plain_text_stops(bytes);
    uint32_t high = plain_text_mask(bytes >= 0x80);
    // Of those up to the end.
    if (stops) return (plain_text){next + __builtin_ctz(stops), !(beyond | (high & (stops ^ (stops - 1))))};
    beyond |= high;
  }
  for (; next < last && *next != '"' && *next != '\\' && *next >= 0x20; next++) beyond |= *next & 0x80;
  return (plain_text){next, !beyond};
}

/// All bytes of a text of 1 to 15 of them and no others: some stand there twice.
static inline plain_text_bytes plain_text_short(const uint8_t *text, long count) {
  uint64_t words[2];
  if (count >= 8) {
    __builtin_memcpy(&words[0], text, 8);
    __builtin_memcpy(&words[1], text + count - 8, 8);
  } else if (count >= 4) {
    uint32_t first, last;
    __builtin_memcpy(&first, text, 4);
    __builtin_memcpy(&last, text + count - 4, 4);
    words[0] = words[1] = first | (uint64_t)last << 32;
  } else {
    uint64_t three = text[0] | (uint64_t)text[count >> 1] << 8 | (uint64_t)text[count - 1] << 16;
    words[0] = words[1] = three | three << 24 | three << 48;
  }
  plain_text_bytes bytes;
  __builtin_memcpy(&bytes, words, 16);
  return bytes;
}

/// Copies a text, and returns whether there is no quote, backslash or control character in it. The last word may overlap the
/// one before: so most texts take two loads and two stores.
static inline bool plain_text_copy(void *copy, const void *text, long count) {
  const uint8_t *from = (const uint8_t *)text;
  uint8_t *to = (uint8_t *)copy;
  if (count == 0) return true;
  plain_text_bytes bytes;
  uint32_t escapes = 0;
  if (count >= 16) {
    for (long i = 0; i < count - 16; i += 16) {
      __builtin_memcpy(&bytes, from + i, 16);
      __builtin_memcpy(to + i, &bytes, 16);
      escapes |= plain_text_stops(bytes);
    }
    __builtin_memcpy(&bytes, from + count - 16, 16);
    __builtin_memcpy(to + count - 16, &bytes, 16);
  } else {
    bytes = plain_text_short(from, count);
    if (count >= 8) {
      __builtin_memcpy(to, from, 8);
      __builtin_memcpy(to + count - 8, from + count - 8, 8);
    } else if (count >= 4) {
      __builtin_memcpy(to, from, 4);
      __builtin_memcpy(to + count - 4, from + count - 4, 4);
    } else {
      to[0] = from[0];
      to[count >> 1] = from[count >> 1];
      to[count - 1] = from[count - 1];
    }
  }
  return (escapes | plain_text_stops(bytes)) == 0;
}

/// A bit for each byte with which the UTF-8 of a character may begin that is left out of names: of U+0000–U+001F, U+007F,
/// U+0080–U+00BF and U+2000–U+2FFF.
static inline uint32_t control_starts(plain_text_bytes bytes) {
  return plain_text_mask((bytes < 0x20) | (bytes == 0x7f) | (bytes == 0xc2) | (bytes == 0xe2));
}

static inline bool text_has_control_starts(const void *text, long count) {
  const uint8_t *from = (const uint8_t *)text;
  if (count == 0) return false;
  if (count < 16) return control_starts(plain_text_short(from, count)) != 0;
  plain_text_bytes bytes;
  uint32_t starts = 0;
  for (long i = 0; i < count - 16; i += 16) {
    __builtin_memcpy(&bytes, from + i, 16);
    starts |= control_starts(bytes);
  }
  __builtin_memcpy(&bytes, from + count - 16, 16);
  return (starts | control_starts(bytes)) != 0;
}

/// Whether `wanted` stands somewhere in a text, all of it in a row. It looks at 16 places at once, for the first byte and
/// the last: where one byte is looked for, most texts hold it, and many times.
static inline bool text_contains(const void *text, long count, const void *wanted, long wanted_count) {
  const uint8_t *from = (const uint8_t *)text;
  const uint8_t *part = (const uint8_t *)wanted;
  if (wanted_count == 0) return true;
  long places = count - wanted_count + 1;
  if (places < 16) {
    for (long i = 0; i < places; i++)
      if (__builtin_memcmp(from + i, part, (size_t)wanted_count) == 0) return true;
    return false;
  }
  for (long i = 0;; i += 16) {
    // The last 16 may overlap those before.
    if (i > places - 16) i = places - 16;
    plain_text_bytes firsts, lasts;
    __builtin_memcpy(&firsts, from + i, 16);
    __builtin_memcpy(&lasts, from + i + wanted_count - 1, 16);
    uint32_t found = plain_text_mask((firsts == part[0]) & (lasts == part[wanted_count - 1]));
    for (; found; found &= found - 1)
      if (__builtin_memcmp(from + i + __builtin_ctz(found), part, (size_t)wanted_count) == 0) return true;
    if (i == places - 16) return false;
  }
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
      // Overlong forms, and halves of surrogate pairs.
      if ((first == 0xe0 && next[1] < 0xa0) || (first == 0xed && next[1] >= 0xa0)) return false;
      next += 3;
    } else {
      if (first > 0xf4 || left < 4) return false;
      if (!is_rest_of_utf8(next[1]) || !is_rest_of_utf8(next[2]) || !is_rest_of_utf8(next[3])) return false;
      // Overlong forms, and code points beyond U+10FFFF.
      if ((first == 0xf0 && next[1] < 0x90) || (first == 0xf4 && next[1] >= 0x90)) return false;
      next += 4;
    }
  }
  return true;
}

/// Whether a text is UTF-8 of nothing but ASCII and most characters of two and three bytes, as nearly all are; if not, it
/// may be UTF-8 all the same. It reads 16 bytes at a time, up to `end` at most.
static inline bool text_is_common_utf8(const void *text, long count, const void *end) {
  const uint8_t *next = (const uint8_t *)text;
  const uint8_t *last = (const uint8_t *)end;
  // A bit for each byte that must not begin a character, of these 16 and the 2 behind them.
  uint32_t due = 0;
  for (; count > 0; count -= 16, next += 16) {
    if (last - next < 16) return false;
    plain_text_bytes bytes;
    __builtin_memcpy(&bytes, next, 16);
    uint32_t inside = count < 16 ? (1u << count) - 1 : 0xffff;
    uint32_t beyond = plain_text_mask(bytes >= 0x80) & inside;
    uint32_t begin = plain_text_mask(bytes >= 0xc0) & inside;
    uint32_t begin_three = plain_text_mask(bytes >= 0xe0) & inside;
    // Not all bytes may follow on these, or none.
    uint32_t rare =
        plain_text_mask((bytes == 0xc0) | (bytes == 0xc1) | (bytes == 0xe0) | (bytes == 0xed) | (bytes >= 0xf0));
    due = due >> 16 | begin << 1 | begin_three << 2;
    if ((rare & inside) | ((due & 0xffff) ^ (beyond & ~begin))) return false;
  }
  return due >> 16 == 0;
}

#pragma clang assume_nonnull end
