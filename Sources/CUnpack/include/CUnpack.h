#pragma once

#include <stdbool.h>
#include <stdint.h>

// A bound on what librdkafka unpacks. It unpacks a fetched batch whole, however large that is, in the thread of its
// connection, and calls zlib, libzstd and liblz4 for it as shared libraries. The program defines the functions of these
// libraries that librdkafka calls, so the linker gives it these; they pass a call on where no bound holds.
//
// In the place of a batch that is too large, or that is damaged though its checksum is right, they give librdkafka one record without key and value, at the batch's last
// offset and with its latest time, with a header that says what it stands for. So nobody stops at such a batch.

/// What a client may unpack.
struct unpack_bound;

/// - Parameters:
///   - limit: bytes that a batch may have unpacked, and that may wait at once in batches of more than sixteen times
///     their size.
struct unpack_bound *unpack_bound_new(int64_t limit);
void unpack_bound_free(struct unpack_bound *bound);

/// The bound holds for what the calling thread unpacks, from now on.
void unpack_hold(struct unpack_bound *bound);

/// All that was unpacked has been received.
void unpack_emptied(struct unpack_bound *bound);

/// Whether a batch was refused that may be fetched again, for which nobody has asked this yet.
bool unpack_was_put_off(struct unpack_bound *bound);

/// The header of a record that stands for a batch. Its value is ``unpack_mark``, the batch's first and last offset, the
/// number of its records, its bytes as fetched and the limit (0: it is damaged), with blanks between.
extern const char *const unpack_header;

/// Sixteen letters that no sender knows.
const char *unpack_mark(void);
