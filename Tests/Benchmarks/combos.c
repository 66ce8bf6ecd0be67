// Measures what a program in C costs that only counts combos: one for each room, user and gift. It reads the input of a
// worker in a group, and for each gift it sends a command with the combo's total, and with each transaction a record of
// each combo that has changed to a changelog. It shows nothing: it has no lanes, queues, timers, event ids or settings,
// and it takes the bytes of senders as they are.
//
// combos SERVERS INPUT COMMANDS CHANGELOG GROUP COUNT COMMIT_MS: prints the CPU and the time of COUNT input messages.

#include "clients.h"
#include <stdbool.h>

typedef struct {
  const char *start;
  size_t count;
} text_t;

// A gift's members, the strings as they are written.
typedef struct {
  text_t room, user, name, avatar, gift, gift_name;
  int64_t count, value;
} gift_t;

typedef struct {
  uint64_t hash;
  char *key;
  // Room, user and gift, end to end.
  uint32_t room_count, user_count, gift_count;
  int32_t partition;
  int64_t first, total;
  bool is_changed;
} combo_t;

// Messages of one partition on their way out, with their bytes one behind the other.
typedef struct {
  rd_kafka_message_t messages[PRODUCED_AT_ONCE];
  size_t places[PRODUCED_AT_ONCE];
  int count;
  char *bytes;
  size_t used, capacity;
} batch_t;

static combo_t *combos;
static uint32_t combo_count, combo_capacity;
static uint32_t *places, place_mask;
static uint32_t *changed, changed_count;
static long sent = 0;

// MARK: Reading

static bool is(text_t name, const char *other) {
  return name.count == strlen(other) && memcmp(name.start, other, name.count) == 0;
}

static void take_text(gift_t *gift, text_t name, text_t value) {
  switch (name.count) {
  case 4: if (is(name, "name")) gift->name = value; break;
  case 6:
    if (is(name, "roomId")) gift->room = value;
    if (is(name, "userId")) gift->user = value;
    if (is(name, "giftId")) gift->gift = value;
    break;
  case 8: if (is(name, "giftName")) gift->gift_name = value; break;
  case 9: if (is(name, "avatarUrl")) gift->avatar = value; break;
  }
}

// The string after its first quote, and where it goes on behind its last.
static const char *string(const char *next, const char *end, text_t *text) {
  text->start = next;
  while (next < end && *next != '"') next += *next == '\\' ? 2 : 1;
  text->count = next - text->start;
  return next + 1;
}

// Members by their names, wherever they stand: no name of a gift's comes twice.
static gift_t read_gift(const char *next, size_t count) {
  gift_t gift = {.count = 1};
  const char *end = next + count;
  while (next < end) {
    if (*next++ != '"') continue;
    text_t name;
    next = string(next, end, &name);
    if (next + 1 >= end || *next++ != ':') continue;
    if (*next == '"') {
      text_t value;
      next = string(next + 1, end, &value);
      take_text(&gift, name, value);
    } else if (*next >= '0' && *next <= '9') {
      int64_t number = 0;
      while (next < end && *next >= '0' && *next <= '9') number = 10 * number + (*next++ - '0');
      if (is(name, "count")) gift.count = number;
      if (is(name, "value")) gift.value = number;
    }
  }
  return gift;
}

// MARK: Counting

static uint64_t hashed(uint64_t hash, text_t text) {
  size_t i = 0;
  for (; i + 8 <= text.count; i += 8) {
    uint64_t word;
    memcpy(&word, text.start + i, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  uint64_t rest = text.count;
  memcpy(&rest, text.start + i, text.count - i);
  hash = (hash ^ rest) * 0x9e3779b97f4a7c15 + text.count;
  return hash ^ hash >> 32;
}

static void grow(void) {
  combo_capacity = combo_capacity ? 2 * combo_capacity : 1 << 16;
  combos = realloc(combos, combo_capacity * sizeof *combos);
  changed = realloc(changed, combo_capacity * sizeof *changed);
  free(places);
  place_mask = 2 * combo_capacity - 1;
  places = calloc(place_mask + 1, sizeof *places);
  for (uint32_t i = 0; i < combo_count; i++) {
    uint32_t place = combos[i].hash & place_mask;
    while (places[place]) place = (place + 1) & place_mask;
    places[place] = i + 1;
  }
}

static bool is_of(const combo_t *combo, const gift_t *gift) {
  return combo->room_count == gift->room.count && combo->user_count == gift->user.count &&
         combo->gift_count == gift->gift.count && memcmp(combo->key, gift->room.start, gift->room.count) == 0 &&
         memcmp(combo->key + combo->room_count, gift->user.start, gift->user.count) == 0 &&
         memcmp(combo->key + combo->room_count + combo->user_count, gift->gift.start, gift->gift.count) == 0;
}

static combo_t *combo_of(const gift_t *gift, int32_t partition, int64_t offset) {
  if (combo_count == combo_capacity) grow();
  uint64_t hash = hashed(hashed(hashed(0, gift->room), gift->user), gift->gift);
  uint32_t place = hash & place_mask;
  for (; places[place]; place = (place + 1) & place_mask) {
    combo_t *combo = &combos[places[place] - 1];
    if (combo->hash == hash && is_of(combo, gift)) return combo;
  }
  combo_t *combo = &combos[combo_count++];
  places[place] = combo_count;
  *combo = (combo_t){.hash = hash, .room_count = gift->room.count, .user_count = gift->user.count,
                     .gift_count = gift->gift.count, .partition = partition, .first = offset};
  combo->key = malloc(gift->room.count + gift->user.count + gift->gift.count + 1);
  memcpy(combo->key, gift->room.start, gift->room.count);
  memcpy(combo->key + gift->room.count, gift->user.start, gift->user.count);
  memcpy(combo->key + gift->room.count + gift->user.count, gift->gift.start, gift->gift.count);
  return combo;
}

// MARK: Writing

static char *put(char *to, const void *from, size_t count) {
  memcpy(to, from, count);
  return to + count;
}

#define PUT(to, literal) put(to, literal, sizeof(literal) - 1)

static char *put_number(char *to, int64_t number) {
  char digits[20];
  int count = 0;
  do digits[count++] = '0' + number % 10;
  while (number /= 10);
  while (count) *to++ = digits[--count];
  return to;
}

// Room for a message with so many bytes; its bytes are to be written there.
static char *begin(batch_t *batch, size_t most) {
  if (batch->used + most > batch->capacity) {
    batch->capacity = 2 * (batch->used + most);
    batch->bytes = realloc(batch->bytes, batch->capacity);
  }
  return batch->bytes + batch->used;
}

static void flush(rd_kafka_t *producer, rd_kafka_topic_t *topic, int32_t partition, batch_t *batch) {
  // They had moved while the bytes grew.
  for (int i = 0; i < batch->count; i++) {
    batch->messages[i].key = batch->bytes + batch->places[i];
    batch->messages[i].payload = (char *)batch->messages[i].key + batch->messages[i].key_len;
  }
  sent += batch->count;
  while (batch->count) {
    int left = 0;
    if (rd_kafka_produce_batch(topic, partition, RD_KAFKA_MSG_F_COPY, batch->messages, batch->count) < batch->count)
      rd_kafka_poll(producer, 10);
    for (int i = 0; i < batch->count; i++)
      if (batch->messages[i].err) batch->messages[left++] = batch->messages[i];
    batch->count = left;
  }
  batch->used = 0;
}

// The message whose bytes were written up to `end`.
static void finish(
    rd_kafka_t *producer, rd_kafka_topic_t *topic, int32_t partition, batch_t *batch, const char *value,
    const char *end) {
  const char *start = batch->bytes + batch->used;
  rd_kafka_message_t *message = &batch->messages[batch->count];
  *message = (rd_kafka_message_t){.key_len = value - start, .len = end - value};
  batch->places[batch->count++] = batch->used;
  batch->used += end - start;
  if (batch->count == PRODUCED_AT_ONCE) flush(producer, topic, partition, batch);
}

static char *put_combo_id(char *to, const char *topic, const combo_t *combo) {
  to = put_number(PUT(put(to, topic, strlen(topic)), "/"), combo->partition);
  return put_number(PUT(to, "/"), combo->first);
}

static char *put_command(
    char *to, const char *topic, const rd_kafka_message_t *message, const gift_t *gift, const combo_t *combo) {
  to = put(PUT(to, "{\"roomId\":\""), gift->room.start, gift->room.count);
  to = put(PUT(to, "\",\"id\":\""), topic, strlen(topic));
  to = put_number(PUT(to, "/"), message->partition);
  to = put_number(PUT(to, "/"), message->offset);
  to = put_number(PUT(to, "/0\",\"atMs\":"), rd_kafka_message_timestamp(message, NULL));
  to = put_combo_id(PUT(to, ",\"giftShow\":{\"comboId\":\""), topic, combo);
  to = put(PUT(to, "\",\"sender\":{\"userId\":\""), gift->user.start, gift->user.count);
  to = put(PUT(to, "\",\"name\":\""), gift->name.start, gift->name.count);
  to = put(PUT(to, "\",\"avatarUrl\":\""), gift->avatar.start, gift->avatar.count);
  to = put(PUT(to, "\"},\"giftId\":\""), gift->gift.start, gift->gift.count);
  to = put(PUT(to, "\",\"giftName\":\""), gift->gift_name.start, gift->gift_name.count);
  to = put_number(PUT(to, "\",\"value\":"), gift->value);
  to = put_number(PUT(to, ",\"total\":"), combo->total);
  return PUT(to, "}}");
}

// The partition of a key, chosen as Java clients do.
static int32_t partition_of(text_t key, int partitions) {
  const uint32_t m = 0x5bd1e995;
  const uint8_t *bytes = (const uint8_t *)key.start;
  uint32_t hash = 0x9747b28c ^ (uint32_t)key.count;
  size_t i = 0;
  for (; i + 4 <= key.count; i += 4) {
    uint32_t word;
    memcpy(&word, bytes + i, 4);
    word *= m;
    hash = hash * m ^ (word ^ word >> 24) * m;
  }
  switch (key.count - i) {
  case 3: hash ^= (uint32_t)bytes[i + 2] << 16; // fall through
  case 2: hash ^= (uint32_t)bytes[i + 1] << 8; // fall through
  case 1: hash = (hash ^ bytes[i]) * m;
  }
  hash = (hash ^ hash >> 13) * m;
  return (int32_t)((hash ^ hash >> 15) & 0x7fffffff) % partitions;
}

static int partition_count(rd_kafka_t *producer, rd_kafka_topic_t *topic) {
  const rd_kafka_metadata_t *metadata;
  if (rd_kafka_metadata(producer, 0, topic, &metadata, 10000) || metadata->topic_cnt != 1)
    fail(rd_kafka_topic_name(topic), "it is not there");
  int count = metadata->topics[0].partition_cnt;
  rd_kafka_metadata_destroy(metadata);
  if (count < 1 || count > MOST_PARTITIONS) fail(rd_kafka_topic_name(topic), "it has no partitions, or too many");
  return count;
}

int main(int argc, char **argv) {
  program = "combos";
  if (argc != 8) fail("usage", "combos SERVERS INPUT COMMANDS CHANGELOG GROUP COUNT COMMIT_MS");
  const char *servers = argv[1], *input = argv[2], *group = argv[5];
  long count = atol(argv[6]);
  double commit_seconds = atof(argv[7]) / 1000;

  rd_kafka_t *producer = transactional_producer(servers, group);
  rd_kafka_topic_t *commands = rd_kafka_topic_new(producer, argv[3], NULL);
  rd_kafka_topic_t *changelog = rd_kafka_topic_new(producer, argv[4], NULL);
  int partitions = partition_count(producer, commands);
  (void)partition_count(producer, changelog);
  batch_t *outgoing = calloc(MOST_PARTITIONS, sizeof *outgoing);
  batch_t *kept = calloc(MOST_PARTITIONS, sizeof *kept);
  rd_kafka_t *consumer = group_consumer(servers, group, input);
  rd_kafka_queue_t *queue = rd_kafka_queue_get_consumer(consumer);

  rd_kafka_message_t *batch[BATCH];
  long done = 0;
  double first = 0, begun = 0;
  while (done < count) {
    ssize_t got = rd_kafka_consume_batch_queue(queue, 100, batch, BATCH);
    if (got > 0 && !begun) {
      begun = now_seconds();
      if (!first) first = begun;
      check(rd_kafka_begin_transaction(producer), "begin");
    }
    for (ssize_t i = 0; i < got; i++) {
      has_read(batch[i]);
      gift_t gift = read_gift(batch[i]->payload, batch[i]->len);
      combo_t *combo = combo_of(&gift, batch[i]->partition, batch[i]->offset);
      combo->total += gift.count;
      if (!combo->is_changed) {
        combo->is_changed = true;
        changed[changed_count++] = combo - combos;
      }
      int32_t partition = partition_of(gift.room, partitions);
      batch_t *out = &outgoing[partition];
      // Numbers and names of members have less than 512 bytes.
      char *value = put(begin(out, 2 * batch[i]->len + 3 * strlen(input) + 512), gift.room.start, gift.room.count);
      char *end = put_command(value, input, batch[i], &gift, combo);
      finish(producer, commands, partition, out, value, end);
      rd_kafka_message_destroy(batch[i]);
    }
    done += got > 0 ? got : 0;
    for (int i = 0; i < partitions; i++) flush(producer, commands, i, &outgoing[i]);
    rd_kafka_poll(producer, 0);
    if (begun && (done >= count || now_seconds() - begun >= commit_seconds)) {
      for (uint32_t i = 0; i < changed_count; i++) {
        combo_t *combo = &combos[changed[i]];
        size_t key_count = combo->room_count + combo->user_count + combo->gift_count;
        batch_t *out = &kept[combo->partition];
        char *value = put(begin(out, key_count + 64), combo->key, key_count);
        char *end = put_number(PUT(put_number(PUT(value, "{\"first\":"), combo->first), ",\"total\":"), combo->total);
        finish(producer, changelog, combo->partition, out, value, PUT(end, "}"));
        combo->is_changed = false;
      }
      changed_count = 0;
      for (int i = 0; i < MOST_PARTITIONS; i++)
        if (kept[i].count) flush(producer, changelog, i, &kept[i]);
      commit(producer, consumer, input);
      begun = 0;
    }
  }
  if (undelivered) fail("output", "not all was delivered");
  printf("cpu %.3f seconds %.3f sent %ld\n", cpu_seconds(), now_seconds() - first, sent);
  return 0;
}
