#include "CSimdjson.h"

#include <simdjson.h>

using simdjson::dom::element;
using simdjson::dom::parser;

extern "C" void *simdjson_parser_new(size_t depth) {
  auto made = new parser;
  // The depth is part of what it allocates and stays when that grows. Failing here shows again at the first parse.
  (void)made->allocate(1024, depth);
  return made;
}

extern "C" void simdjson_parser_free(void *p) { delete static_cast<parser *>(p); }

// simdjson reads up to 64 bytes beyond a document's end, whatever stands there. They may be read where the page goes on
// on which its last byte lies: memory is there by the page, and no machine that we run on has smaller ones. Elsewhere
// simdjson makes a copy with so much behind it.
static bool goes_on(const void *bytes, size_t count) {
  if (count == 0) return false;
  auto last = (reinterpret_cast<uintptr_t>(bytes) + count - 1) & 4095;
  return last + simdjson::SIMDJSON_PADDING < 4096;
}

extern "C" simdjson_document simdjson_parse(void *p, const void *bytes, size_t count) {
  auto reader = static_cast<parser *>(p);
  element root;
  auto error = reader->parse(static_cast<const uint8_t *>(bytes), count, !goes_on(bytes, count)).get(root);
  return {reader->doc.tape.get(), reader->doc.string_buf.get(), int(error)};
}

extern "C" const char *simdjson_error_text(int error) {
  return simdjson::error_message(simdjson::error_code(error));
}

extern "C" const int simdjson_too_deep = simdjson::DEPTH_ERROR;

extern "C" bool simdjson_is_utf8(const void *bytes, size_t count) {
  return simdjson::validate_utf8(static_cast<const char *>(bytes), count);
}
