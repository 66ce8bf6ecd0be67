/// Called with what librdkafka tells of a client, some times a minute: a JSON document (its STATISTICS.md), good for the
/// call alone. It comes on the thread that serves the client.
package typealias ClientStatistics = @Sendable (UnsafeRawBufferPointer) -> Void

extension KafkaProperties {
  private static let statisticsInterval = "statistics.interval.ms"

  /// Has the client told of as often as the user set, or each 10 s, if somebody wants to know.
  static func with(
    _ statistics: ClientStatistics?, _ properties: [(name: String, value: String)]
  ) -> [(name: String, value: String)] {
    guard statistics != nil, !properties.contains(where: { $0.name == statisticsInterval }) else { return properties }
    return properties + [(statisticsInterval, "10000")]
  }
}
