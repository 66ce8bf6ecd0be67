package import Kafka

/// The one client that all partitions of a replay are read with: a client has threads, and connections to all brokers.
package final class LogConnection {
  private let reader: Reader

  /// - Parameter streams: how many are read at once at most; the more, the less each reads ahead.
  package init(_ properties: KafkaProperties, streams: Int = 1) throws(KafkaError) {
    reader = try Reader(
      properties: properties, clientId: "flyscreen-replay", partitions: streams, staysAtEnd: false, log: { _ in })
  }

  /// Another reader of it.
  func newReader() -> Reader { Reader(beside: reader) }
}
