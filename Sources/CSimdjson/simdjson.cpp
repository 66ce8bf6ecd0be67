#include "CSimdjson.h"

#include <simdjson.h>

using simdjson::dom::element;
using simdjson::dom::parser;

extern "C" void *simdjson_parser_new(void) { return new parser; }

extern "C" void simdjson_parser_free(void *p) { delete static_cast<parser *>(p); }

extern "C" simdjson_document simdjson_parse(void *p, const void *bytes, size_t count) {
  auto reader = static_cast<parser *>(p);
  element root;
  auto error = reader->parse(static_cast<const uint8_t *>(bytes), count, true).get(root);
  return {reader->doc.tape.get(), reader->doc.string_buf.get(), int(error)};
}
