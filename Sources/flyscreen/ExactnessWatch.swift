import Kafka
import Platform
import Probes
import Replay
import Settings

/// Looks now and then from where on it can be told exactly what was shown, so that an operator hears of a journal or a
/// changelog that is kept for a shorter time than the input before somebody asks.
struct ExactnessWatch: Sendable {
  private let properties: KafkaProperties
  private let topics: TopicSettings
  private let log: Log
  private let gauges: [String: Gauge]

  private static let everyMs: Int64 = 600_000
  private static let againMs: Int64 = 30_000

  init(_ configuration: Configuration, _ metrics: Metrics) throws {
    properties = try KafkaProperties(configuration.kafka)
    topics = configuration.topics
    log = Log(configuration.logging)
    gauges = Dictionary(
      topics.input.map {
        (
          $0,
          metrics.gauge(
            "flyscreen_inexact_seconds",
            "Log time from an input's oldest record to the first from which it is known exactly what was shown: the longest"
              + " of its partitions, looked at every ten minutes.",
            [("topic", $0)])
        )
      }
    ) { first, _ in first }
  }

  /// Looks on a thread of its own until the process ends.
  func start() {
    _ = SystemThread {
      let never = StopSignal()
      while true { never.wait(ms: look() ? Self.everyMs : Self.againMs) }
    }
  }

  /// Returns whether all inputs could be looked at.
  private func look() -> Bool {
    do {
      for (topic, gauge) in gauges {
        let range = try TopicRange(topic, properties, helpers: topics.helpers)
        let longest = try (0..<range.partitionCount()).map { try range.inexactMs(of: $0, now: WallClock.nowMs()) }.max()
        gauge.set((longest ?? 0) / 1000)
      }
      return true
    } catch {
      log.debug("from where on inputs are known exactly is not known: \(error)")
      return false
    }
  }
}
