import JSON
import Kafka
import RoomModel
import Settings
import Simulation
import Wire

/// Sends events to the topics that the settings name for their kind, keyed by their room.
final class EventSender {
  private let producer: Producer
  /// The topics of each kind.
  private var topics: [EventKind: [OutputTopic]] = [:]
  private let encoders = Format.allCases.map(EventEncoder.init)
  private var buffer = ByteBuffer()
  private(set) var sent: [EventKind: Int] = [:]

  init(configuration: Configuration, clientId: String) throws(KafkaError) {
    // A user who sends by hand wants to know soon that nothing arrives.
    let properties = try KafkaProperties(["message.timeout.ms": "10000"].merging(configuration.kafka) { $1 })
    producer = try Producer(properties: properties, clientId: clientId, log: { _ in })
    for kind in EventKind.allCases {
      for name in configuration.topics.produced(kind) {
        topics[kind, default: []].append(
          try MetadataGrace.ask { () throws(KafkaError) in try producer.topic(name, timeoutMs: 10_000) })
      }
    }
  }

  var sentCount: Int { sent.values.reduce(0, +) }

  func send(_ event: RoomEvent, as format: Format) throws(KafkaError) {
    let kind = event.body.kind
    buffer.removeAll()
    encoders.first { $0.format == format }!.encode(event, into: &buffer)
    let key = event.roomId.bytes
    let headers = format == .json ? [] : [OutputHeader("content-type", format.contentType.description)]
    for topic in topics[kind]! {
      try topic.produce(
        Murmur2.partition(key: key, partitions: Int32(topic.partitionCount)), key: key, value: buffer.bytes,
        headers: headers)
    }
    sent[kind, default: 0] += 1
  }

  /// Hears of the fate of sent events.
  func serve() throws(KafkaError) {
    producer.serve()
    if let failure = producer.deliveryFailure { throw failure }
  }

  /// Waits until the broker has everything.
  func finish() throws(KafkaError) { try producer.flush(timeoutMs: 15_000) }
}
