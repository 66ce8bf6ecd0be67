#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "PlainText.h"
#ifdef __cplusplus
extern "C" {
#endif

/// A parsed document. Tape and strings (their format: simdjson's doc/tape.md) live until the parser's next parse;
/// `error` is 0 or simdjson's error code.
typedef struct {
  const uint64_t *tape;
  const uint8_t *strings;
  int error;
} simdjson_document;

/// A parser that refuses what nests deeper than `depth`.
void *simdjson_parser_new(size_t depth);
void simdjson_parser_free(void *parser);

/// Parses `bytes`, which need no padding.
simdjson_document simdjson_parse(void *parser, const void *bytes, size_t count);

/// Returns the meaning of an error code, in a line that lives for ever.
const char *simdjson_error_text(int error);

/// The error code of a document that nests too deep.
extern const int simdjson_too_deep;

bool simdjson_is_utf8(const void *bytes, size_t count);

/// The same of a text, which mostly is short. Bytes behind it may be read, up to `end`.
static inline bool text_is_utf8(const void *text, size_t count, const void *end) {
  if (text_is_common_utf8(text, (long)count, end)) return true;
  return count <= 64 ? short_text_is_utf8(text, count) : simdjson_is_utf8(text, count);
}

#ifdef __cplusplus
}
#endif
