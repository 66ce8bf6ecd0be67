// Measures what librdkafka alone costs where a worker works: this reads the same input in a group and sends the same
// commands in the same transactions, with no decoding, no engine and no encoding. It reads the commands that a worker
// has published into memory beforehand, and sends so many of them with each batch of the input as are due by then.
//
// floor SERVERS INPUT COMMANDS OUTPUT GROUP COUNT COMMIT_MS: prints the CPU and the time of COUNT input messages.

#include "clients.h"

typedef struct {
  rd_kafka_message_t *messages;
  size_t count, capacity, sent;
} commands_t;

static commands_t commands[MOST_PARTITIONS];

static void keep(const rd_kafka_message_t *message) {
  if (message->partition >= MOST_PARTITIONS) fail("commands", "too many partitions");
  commands_t *list = &commands[message->partition];
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 1024;
    list->messages = realloc(list->messages, list->capacity * sizeof *list->messages);
  }
  rd_kafka_message_t *kept = &list->messages[list->count++];
  memset(kept, 0, sizeof *kept);
  char *bytes = malloc(message->key_len + message->len + 1);
  memcpy(bytes, message->key, message->key_len);
  memcpy(bytes + message->key_len, message->payload, message->len);
  kept->key = bytes;
  kept->key_len = message->key_len;
  kept->payload = bytes + message->key_len;
  kept->len = message->len;
}

static void read_commands(const char *servers, const char *topic) {
  const char *const properties[] = {"bootstrap.servers", servers, "group.id", "floor-reads", "enable.auto.commit",
                                    "false", "enable.partition.eof", "true", "auto.offset.reset", "earliest", NULL};
  rd_kafka_t *consumer = client(RD_KAFKA_CONSUMER, properties);
  rd_kafka_poll_set_consumer(consumer);
  const rd_kafka_metadata_t *metadata;
  rd_kafka_topic_t *handle = rd_kafka_topic_new(consumer, topic, NULL);
  if (rd_kafka_metadata(consumer, 0, handle, &metadata, 10000) || !metadata->topics[0].partition_cnt)
    fail(topic, "it is not there");
  int left = metadata->topics[0].partition_cnt;
  rd_kafka_topic_partition_list_t *all = rd_kafka_topic_partition_list_new(left);
  for (int i = 0; i < left; i++) rd_kafka_topic_partition_list_add(all, topic, i)->offset = RD_KAFKA_OFFSET_BEGINNING;
  rd_kafka_assign(consumer, all);
  rd_kafka_topic_partition_list_destroy(all);
  rd_kafka_metadata_destroy(metadata);
  while (left > 0) {
    rd_kafka_message_t *message = rd_kafka_consumer_poll(consumer, 10000);
    if (!message) fail(topic, "nothing comes");
    if (!message->err)
      keep(message);
    else if (message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF)
      left--;
    rd_kafka_message_destroy(message);
  }
  rd_kafka_topic_destroy(handle);
  rd_kafka_consumer_close(consumer);
  rd_kafka_destroy(consumer);
}

// Returns what is due once `done` of `count` input messages are read.
static void send_due(rd_kafka_t *producer, rd_kafka_topic_t *output, long done, long count) {
  for (int partition = 0; partition < MOST_PARTITIONS; partition++) {
    commands_t *list = &commands[partition];
    size_t due = (size_t)((double)list->count * done / count);
    while (list->sent < due) {
      size_t wanted = due - list->sent < PRODUCED_AT_ONCE ? due - list->sent : PRODUCED_AT_ONCE;
      // Without a copy: they stay where they are.
      list->sent += rd_kafka_produce_batch(output, partition, 0, list->messages + list->sent, wanted);
      if (list->sent < due) rd_kafka_poll(producer, 0);
    }
  }
}

int main(int argc, char **argv) {
  program = "floor";
  if (argc != 8) fail("usage", "floor SERVERS INPUT COMMANDS OUTPUT GROUP COUNT COMMIT_MS");
  const char *servers = argv[1], *input = argv[2], *group = argv[5];
  long count = atol(argv[6]);
  double commit_seconds = atof(argv[7]) / 1000;
  read_commands(servers, argv[3]);

  double cpu = cpu_seconds();
  rd_kafka_t *producer = transactional_producer(servers, group);
  rd_kafka_topic_t *output = rd_kafka_topic_new(producer, argv[4], NULL);
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
      rd_kafka_message_destroy(batch[i]);
    }
    done += got > 0 ? got : 0;
    send_due(producer, output, done, count);
    rd_kafka_poll(producer, 0);
    if (begun && (done >= count || now_seconds() - begun >= commit_seconds)) {
      commit(producer, consumer, input);
      begun = 0;
    }
  }
  cpu = cpu_seconds() - cpu;
  if (undelivered) fail("output", "not all was delivered");
  long sent = 0;
  for (int i = 0; i < MOST_PARTITIONS; i++) sent += commands[i].sent;
  printf("cpu %.3f seconds %.3f sent %ld\n", cpu, now_seconds() - first, sent);
  return 0;
}
