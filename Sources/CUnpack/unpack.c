#define _GNU_SOURCE
#include "CUnpack.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <zlib.h>
#include <zstd.h>

const char *const unpack_header = "flyscreen-passed-batch";

struct unpack_bound {
  int64_t limit;
  /// Bytes of dense batches that were unpacked since the client's queue was empty.
  _Atomic int64_t waiting;
  _Atomic int64_t put_off;
};

/// A batch of more than so many times its size is dense. Others are bounded by what a fetch brings.
enum { dense = 16 };

static _Thread_local struct unpack_bound *bound;

struct unpack_bound *unpack_bound_new(int64_t limit) {
  struct unpack_bound *made = calloc(1, sizeof *made);
  if (made) made->limit = limit;
  return made;
}

void unpack_bound_free(struct unpack_bound *it) { free(it); }
void unpack_hold(struct unpack_bound *it) { bound = it; }
void unpack_emptied(struct unpack_bound *it) { atomic_store(&it->waiting, 0); }

bool unpack_was_put_off(struct unpack_bound *it) {
  int64_t count = atomic_load(&it->put_off);
  while (count > 0 && !atomic_compare_exchange_weak(&it->put_off, &count, count - 1)) {}
  return count > 0;
}

static char mark[17];
const char *unpack_mark(void) { return mark; }

// MARK: The libraries' own functions

// LZ4's header needs a package of its own to build with.
struct lz4_frame {
  int32_t block_size, block_mode, has_checksum, type;
  uint64_t content_size;
  uint32_t rest[2];
};

static int (*real_inflate)(z_streamp, int);
static int (*inflate_reset)(z_streamp);
static unsigned long long (*real_content_size)(const void *, size_t);
static unsigned long long (*real_bound)(const void *, size_t);
static size_t (*real_zstd)(void *, size_t, const void *, size_t);
static size_t (*real_lz4_info)(void *, struct lz4_frame *, const void *, size_t *);
static size_t (*real_lz4)(void *, void *, size_t *, const void *, size_t *, const void *);
static size_t (*lz4_new)(void **, unsigned);
static size_t (*lz4_free)(void *);

__attribute__((constructor)) static void find(void) {
  real_inflate = (typeof(real_inflate))dlsym(RTLD_NEXT, "inflate");
  inflate_reset = (typeof(inflate_reset))dlsym(RTLD_NEXT, "inflateReset");
  real_content_size = (typeof(real_content_size))dlsym(RTLD_NEXT, "ZSTD_getFrameContentSize");
  real_bound = (typeof(real_bound))dlsym(RTLD_NEXT, "ZSTD_decompressBound");
  real_zstd = (typeof(real_zstd))dlsym(RTLD_NEXT, "ZSTD_decompress");
  real_lz4_info = (typeof(real_lz4_info))dlsym(RTLD_NEXT, "LZ4F_getFrameInfo");
  real_lz4 = (typeof(real_lz4))dlsym(RTLD_NEXT, "LZ4F_decompress");
  lz4_new = (typeof(lz4_new))dlsym(RTLD_NEXT, "LZ4F_createDecompressionContext");
  lz4_free = (typeof(lz4_free))dlsym(RTLD_NEXT, "LZ4F_freeDecompressionContext");
  uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random) abort();
  snprintf(mark, sizeof mark, "%016" PRIx64, random);
}

/// Both zstd and lz4 return errors as the largest numbers.
static bool is_error(size_t result) { return result > (size_t)-200; }

// MARK: Batches

/// The head of a batch of format 2, as it lies before the bytes that are unpacked.
enum { head_bytes = 61, from_length = 12, from_checksum = 21 };

static uint64_t big_endian(const uint8_t *p, int count) {
  uint64_t number = 0;
  for (int i = 0; i < count; i++) number = number << 8 | p[i];
  return number;
}

/// CRC-32C.
static uint32_t checksum(const uint8_t *p, size_t count) {
  static uint32_t table[256];
  static _Atomic bool made;
  if (!atomic_load(&made)) {
    for (uint32_t i = 0; i < 256; i++) {
      uint32_t c = i;
      for (int bit = 0; bit < 8; bit++) c = c & 1 ? c >> 1 ^ 0x82f63b78 : c >> 1;
      table[i] = c;
    }
    atomic_store(&made, true);
  }
  uint32_t c = ~0u;
  for (size_t i = 0; i < count; i++) c = c >> 8 ^ table[(c ^ p[i]) & 255];
  return ~c;
}

/// Whether `payload` is all of a batch as its leader has it.
static bool is_batch(const void *payload, size_t size, int codec) {
  const uint8_t *head = (const uint8_t *)payload - head_bytes;
  return head[16] == 2 && (head[22] & 7) == codec && big_endian(head + 8, 4) == head_bytes - from_length + size
    && checksum(head + from_checksum, head_bytes - from_checksum + size) == big_endian(head + 17, 4);
}

/// The record that stands for a batch: librdkafka asks for it in several calls.
static _Thread_local struct {
  /// Null: there is none.
  const void *payload;
  size_t count;
  uint8_t bytes[256];
} stand_in;

static uint8_t *varint(uint8_t *p, int64_t number) {
  uint64_t rest = (uint64_t)number << 1 ^ (uint64_t)(number >> 63);
  for (; rest > 127; rest >>= 7) *p++ = (uint8_t)rest | 128;
  *p++ = (uint8_t)rest;
  return p;
}

static uint8_t *text(uint8_t *p, const char *text) {
  size_t count = strlen(text);
  p = varint(p, (int64_t)count);
  memcpy(p, text, count);
  return p + count;
}

/// Makes the record that stands for the batch. Returns false for what is no batch, or a damaged one.
static bool stand_for(const void *payload, size_t size, int codec, bool is_over) {
  if (!is_batch(payload, size, codec)) return false;
  const uint8_t *head = (const uint8_t *)payload - head_bytes;
  int64_t first = (int64_t)big_endian(head, 8), last = first + (int32_t)big_endian(head + 23, 4);
  int64_t earliest = (int64_t)big_endian(head + 27, 8), latest = (int64_t)big_endian(head + 35, 8);
  char words[160];
  snprintf(
    words, sizeof words, "%s %" PRId64 " %" PRId64 " %" PRId64 " %zu %" PRId64, mark, first, last,
    (int64_t)(int32_t)big_endian(head + 57, 4), size + head_bytes, is_over ? bound->limit : 0);
  uint8_t body[240], *p = body;
  *p++ = 0;
  p = varint(p, latest - earliest);
  p = varint(p, last - first);
  // No key, no value, one header.
  p = varint(varint(varint(p, -1), -1), 1);
  p = text(text(p, unpack_header), words);
  size_t count = (size_t)(p - body);
  uint8_t *end = varint(stand_in.bytes, (int64_t)count);
  memcpy(end, body, count);
  stand_in.count = (size_t)(end - stand_in.bytes) + count;
  stand_in.payload = payload;
  return true;
}

/// Whether a batch of `size` bytes may have `unpacked` of them now. If not, it may be fetched again.
static bool has_room(size_t size, size_t unpacked) {
  if (unpacked / dense <= size) return true;
  int64_t waiting = atomic_load(&bound->waiting);
  if (waiting > 0 && waiting + (int64_t)unpacked > bound->limit) {
    atomic_fetch_add(&bound->put_off, 1);
    return false;
  }
  atomic_fetch_add(&bound->waiting, (int64_t)unpacked);
  return true;
}

/// The checksum of a batch that could not be unpacked. librdkafka had a part of what comes out by then, so the batch is
/// fetched again, and known from the beginning.
static _Thread_local struct {
  bool is_there;
  uint64_t checksum;
} damage;

static uint64_t checksum_told(const void *payload) { return big_endian((const uint8_t *)payload - head_bytes + 17, 4); }

static bool is_known_damage(const void *payload) {
  return damage.is_there && damage.checksum == checksum_told(payload);
}

/// - Returns: an error.
static size_t note_damage(const void *payload) {
  damage.is_there = true;
  damage.checksum = checksum_told(payload);
  atomic_fetch_add(&bound->put_off, 1);
  return (size_t)-1;
}

// MARK: gzip

/// librdkafka unpacks twice: the first time it only asks how much comes out.
static _Thread_local struct {
  const void *payload;
  size_t size;
  bool is_measured;
} gzip;

/// A stream may have several members (RFC 1952), of which librdkafka would take the first.
static int inflate_all(z_streamp stream, int flush) {
  int result = real_inflate(stream, flush);
  while (result == Z_STREAM_END && stream->avail_in > 1 && stream->next_in[0] == 0x1f && stream->next_in[1] == 0x8b) {
    uLong in = stream->total_in, out = stream->total_out;
    inflate_reset(stream);
    stream->total_in = in;
    stream->total_out = out;
    result = stream->avail_out > 0 ? real_inflate(stream, flush) : Z_OK;
  }
  // It is cut short; librdkafka would take what there is, or ask for ever.
  bool is_cut = stream->avail_in == 0 && (result == Z_BUF_ERROR || (result == Z_OK && stream->avail_out > 0));
  return is_cut ? Z_DATA_ERROR : result;
}

int inflate(z_streamp stream, int flush) {
  if (!bound) return real_inflate(stream, flush);
  if (stream->total_in == 0 && stream->total_out == 0) {
    if (stand_in.payload == stream->next_in && stand_in.payload) {
      memcpy(stream->next_out, stand_in.bytes, stand_in.count);
      stream->avail_out -= stand_in.count;
      stream->total_out = stand_in.count;
      stand_in.payload = NULL;
      return Z_STREAM_END;
    }
    gzip.is_measured = gzip.is_measured && gzip.payload == stream->next_in;
    gzip.payload = stream->next_in;
    gzip.size = stream->avail_in;
  }
  int result = inflate_all(stream, flush);
  if (gzip.is_measured) {
    if (result == Z_STREAM_END) gzip.is_measured = false;
    return result;
  }
  bool is_over = (int64_t)stream->total_out > bound->limit;
  if (is_over || result == Z_DATA_ERROR || result == Z_NEED_DICT) {
    if (!stand_for(gzip.payload, gzip.size, 1, is_over)) return Z_DATA_ERROR;
    stream->total_out = stand_in.count;
    return Z_STREAM_END;
  }
  if (result == Z_STREAM_END) {
    if (!has_room(gzip.size, stream->total_out)) return Z_DATA_ERROR;
    gzip.is_measured = true;
  }
  return result;
}

// MARK: zstd

/// The bytes that come out, or an error of zstd's: also where they are more than the limit.
static size_t zstd_measure(const void *source, size_t size) {
  void *scratch = malloc((size_t)bound->limit);
  size_t result = scratch ? real_zstd(scratch, (size_t)bound->limit, source, size) : 0;
  free(scratch);
  return result;
}

/// Senders that stream, such as Java's, don't say how much it is. librdkafka then guesses, three times as much each time,
/// and gives up above a bound of its own. So a batch that may be large is measured.
unsigned long long ZSTD_getFrameContentSize(const void *source, size_t size) {
  if (!bound) return real_content_size(source, size);
  stand_in.payload = NULL;
  unsigned long long said = real_content_size(source, size), most = real_bound(source, size);
  bool is_damaged = said == ZSTD_CONTENTSIZE_ERROR || most == ZSTD_CONTENTSIZE_ERROR || is_known_damage(source);
  // A frame that says nothing is counted by its blocks, as if all were full.
  if (!is_damaged && most <= (unsigned long long)bound->limit / 4) return said;
  bool is_said = said != ZSTD_CONTENTSIZE_UNKNOWN && said > (unsigned long long)bound->limit;
  size_t measured = is_damaged || is_said ? (size_t)-1 : zstd_measure(source, size);
  if (!is_error(measured)) return measured;
  return stand_for(source, size, 4, !is_damaged) ? stand_in.count : ZSTD_CONTENTSIZE_ERROR;
}

size_t ZSTD_decompress(void *into, size_t room, const void *source, size_t size) {
  if (!bound) return real_zstd(into, room, source, size);
  if (stand_in.payload == source && stand_in.payload && room >= stand_in.count) {
    memcpy(into, stand_in.bytes, stand_in.count);
    stand_in.payload = NULL;
    return stand_in.count;
  }
  size_t result = real_zstd(into, room, source, size);
  if (is_error(result)) {
    enum { too_small = 70 };
    return result == (size_t)-too_small ? result : note_damage(source);
  }
  // Any error will do: librdkafka goes on with the next partition.
  return has_room(size, result) ? result : (size_t)-1;
}

// MARK: lz4

static _Thread_local struct {
  const void *payload;
  size_t size, unpacked;
} lz4;

/// Whether more than the limit comes out. At most 255 times the bytes do.
static bool lz4_exceeds(const uint8_t *source, size_t size) {
  if (size <= (size_t)bound->limit / 255) return false;
  enum { scratch_bytes = 1 << 16 };
  void *context = NULL, *scratch = malloc(scratch_bytes);
  size_t unpacked = 0, result = 1;
  if (scratch && lz4_new(&context, 100) == 0) {
    while (size > 0 && result != 0 && unpacked <= (size_t)bound->limit) {
      size_t out = scratch_bytes, in = size;
      result = real_lz4(context, scratch, &out, source, &in, NULL);
      // librdkafka will meet an error, too.
      if (is_error(result) || (in == 0 && out == 0)) break;
      unpacked += out;
      source += in;
      size -= in;
    }
    lz4_free(context);
  }
  free(scratch);
  return unpacked > (size_t)bound->limit;
}

size_t LZ4F_getFrameInfo(void *context, struct lz4_frame *frame, const void *source, size_t *size) {
  if (!bound) return real_lz4_info(context, frame, source, size);
  size_t all = *size, result = real_lz4_info(context, frame, source, size);
  stand_in.payload = NULL;
  lz4.size = all;
  lz4.unpacked = 0;
  lz4.payload = source;
  bool is_damaged = is_error(result) || is_known_damage(source);
  if (is_damaged || lz4_exceeds(source, all)) {
    if (!stand_for(source, all, 3, !is_damaged)) return (size_t)-1;
    frame->content_size = stand_in.count;
    *size = 0;
    return 0;
  }
  if (frame->content_size > (uint64_t)bound->limit) {
    // What it says is not so, and librdkafka would take that much memory.
    frame->content_size = 0;
  }
  return result;
}

size_t LZ4F_decompress(
  void *context, void *into, size_t *room, const void *source, size_t *size, const void *options
) {
  if (!bound) return real_lz4(context, into, room, source, size, options);
  if (stand_in.payload && *room >= stand_in.count) {
    memcpy(into, stand_in.bytes, stand_in.count);
    *room = stand_in.count;
    stand_in.payload = NULL;
    return 0;
  }
  size_t all = *size, result = real_lz4(context, into, room, source, size, options);
  if (is_error(result)) return note_damage(lz4.payload);
  lz4.unpacked += *room;
  // Java reads nothing behind the frame, so what follows does no harm.
  if (result == 0) *size = all;
  return result > 0 || has_room(lz4.size, lz4.unpacked) ? result : (size_t)-1;
}
