// The part that programs in C beside a worker share: clients with the settings of a worker's, and transactions with
// input offsets in them.

#include <librdkafka/rdkafka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define MOST_PARTITIONS 64
#define BATCH 2000
#define PRODUCED_AT_ONCE 1000

static const char *program;
static int64_t next_offsets[MOST_PARTITIONS];
static long undelivered = 0;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s: %s\n", program, what, why);
  exit(1);
}

static void check(rd_kafka_error_t *error, const char *what) {
  if (error) fail(what, rd_kafka_error_string(error));
}

static void delivered(rd_kafka_t *client, const rd_kafka_message_t *message, void *opaque) {
  (void)client, (void)opaque;
  if (message->err) undelivered++;
}

static double now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static double cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static rd_kafka_t *client(rd_kafka_type_t type, const char *const *properties) {
  char why[512];
  rd_kafka_conf_t *conf = rd_kafka_conf_new();
  for (; *properties; properties += 2)
    if (rd_kafka_conf_set(conf, properties[0], properties[1], why, sizeof why) != RD_KAFKA_CONF_OK)
      fail(properties[0], why);
  if (type == RD_KAFKA_PRODUCER) rd_kafka_conf_set_dr_msg_cb(conf, delivered);
  rd_kafka_t *made = rd_kafka_new(type, conf, why, sizeof why);
  if (!made) fail("a client", why);
  return made;
}

static rd_kafka_t *transactional_producer(const char *servers, const char *id) {
  const char *const properties[] = {
      "bootstrap.servers", servers, "transactional.id", id, "enable.idempotence", "true", "linger.ms", "100",
      "queue.buffering.max.messages", "500000", "queue.buffering.max.kbytes", "131072", "batch.num.messages", "10000",
      "batch.size", "1000000", "compression.type", "lz4", "retry.backoff.ms", "3", "socket.nagle.disable", "true", NULL};
  rd_kafka_t *producer = client(RD_KAFKA_PRODUCER, properties);
  check(rd_kafka_init_transactions(producer, 20000), "a transactional id");
  return producer;
}

static rd_kafka_t *group_consumer(const char *servers, const char *group, const char *input) {
  const char *const properties[] = {
      "bootstrap.servers", servers, "group.id", group, "enable.auto.commit", "false", "enable.auto.offset.store",
      "false", "isolation.level", "read_committed", "auto.offset.reset", "earliest", "fetch.wait.max.ms", "50",
      "fetch.error.backoff.ms", "20", "fetch.max.bytes", "8388608", "queued.min.messages", "1000000",
      "queued.max.messages.kbytes", "262144", "partition.assignment.strategy", "range", NULL};
  rd_kafka_t *consumer = client(RD_KAFKA_CONSUMER, properties);
  rd_kafka_poll_set_consumer(consumer);
  rd_kafka_topic_partition_list_t *topics = rd_kafka_topic_partition_list_new(1);
  rd_kafka_topic_partition_list_add(topics, input, RD_KAFKA_PARTITION_UA);
  rd_kafka_subscribe(consumer, topics);
  rd_kafka_topic_partition_list_destroy(topics);
  return consumer;
}

// Takes note of where its partition goes on.
static void has_read(const rd_kafka_message_t *message) {
  if (message->err) fail("input", rd_kafka_message_errstr(message));
  if (message->partition >= MOST_PARTITIONS) fail("input", "too many partitions");
  next_offsets[message->partition] = message->offset + 1;
}

static void commit(rd_kafka_t *producer, rd_kafka_t *consumer, const char *input) {
  rd_kafka_topic_partition_list_t *offsets = rd_kafka_topic_partition_list_new(4);
  for (int i = 0; i < MOST_PARTITIONS; i++)
    if (next_offsets[i]) rd_kafka_topic_partition_list_add(offsets, input, i)->offset = next_offsets[i];
  rd_kafka_consumer_group_metadata_t *group = rd_kafka_consumer_group_metadata(consumer);
  check(rd_kafka_send_offsets_to_transaction(producer, offsets, group, 20000), "offsets");
  check(rd_kafka_commit_transaction(producer, 20000), "commit");
  rd_kafka_consumer_group_metadata_destroy(group);
  rd_kafka_topic_partition_list_destroy(offsets);
}
