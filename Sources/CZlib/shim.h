#include <zlib.h>

// zlib's own are macros. 15: the largest window; + 16: gzip's frame.
static inline int zlib_begin_gzip(z_streamp stream) {
  return deflateInit2(stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
static inline int zlib_begin_gunzip(z_streamp stream) { return inflateInit2(stream, 15 + 16); }
