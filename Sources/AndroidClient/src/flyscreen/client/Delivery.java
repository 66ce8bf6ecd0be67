package flyscreen.client;

/** The place of an event in Kafka. Commands whose id begins with {@code topic/partition/offset/} come from this event. */
public final class Delivery {
  public final String topic;
  public final int partition;
  public final long offset;
  public final String eventId;

  Delivery(String topic, int partition, long offset, String eventId) {
    this.topic = topic;
    this.partition = partition;
    this.offset = offset;
    this.eventId = eventId;
  }
}
