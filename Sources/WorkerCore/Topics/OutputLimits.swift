internal import RoomModel

/// The largest record and batch that each output topic takes, in bytes, as far as known. Pure.
///
/// A broker holds its limits against a batch as it stores it, which may be compressed or not; so nothing is counted on
/// that compression would save.
package struct OutputLimits: Equatable, Sendable {
  /// The most bytes of a command or a result, with likeBursts of so many points (`LargestCommandTests`).
  package static func largestOutput(points: Int64) -> Int {
    98_304 + 18 * Int(min(max(0, points), LikeBurst.pointLimit))
  }

  /// The producer takes no larger record for any topic.
  private let producerBytes: Int
  private var told: [String: Int] = [:]
  /// The limit of a topic that refused what it was said to take, or says nothing.
  private var learned: [String: Int] = [:]

  /// Kafka's default of `max.message.bytes`.
  private static let usualBytes = 1_048_588
  /// Less than this can't be what a topic refuses: even dead letters without key and value are longer.
  private static let leastBytes = 2_048

  package init(producerBytes: Int) { self.producerBytes = producerBytes }

  /// Takes over what the broker tells of topics, by topic and name.
  package mutating func read(_ settings: [String: [String: String]]) {
    // In any order: each topic has its own.
    for (topic, settings) in settings {
      // A segment holds at least one batch.
      let bytes = ["max.message.bytes", "segment.bytes"].compactMap { settings[$0].flatMap { Int($0) } }.min()
      guard let bytes, told[topic] != bytes else { continue }
      told[topic] = bytes
      learned[topic] = nil
    }
  }

  /// A topic refused something for its size; `settings` are what the broker tells since. Where that explains nothing,
  /// less is sent from now on.
  package mutating func refused(_ topic: String, _ settings: [String: [String: String]]) {
    let before = self[topic]
    read(settings)
    guard before <= self[topic] else { return }
    learned[topic] = max(Self.leastBytes, min(before / 2, Self.usualBytes))
  }

  private subscript(topic: String) -> Int { min(told[topic] ?? .max, learned[topic] ?? .max) }

  /// The most bytes of a record, with its headers and the frame of a batch.
  package func recordBytes(for topic: String) -> Int { min(producerBytes, Self.usable(self[topic])) }

  /// The most bytes of a batch for any topic.
  package var batchBytes: Int {
    Self.usable(min(told.values.min() ?? .max, learned.values.min() ?? .max))
  }

  /// A broker that compresses anew makes what can't be compressed a little longer.
  private static func usable(_ bytes: Int) -> Int { bytes == .max ? .max : max(1, bytes - bytes / 256 - 128) }
}
