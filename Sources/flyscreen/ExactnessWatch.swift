import Kafka
import Platform
import Probes
import Replay
import Settings

/// Looks now and then from where on it can be told exactly what was shown, so that an operator hears of a journal or a
/// changelog that is kept for a shorter time than the input before somebody asks.
struct ExactnessWatch: Sendable {
  private let properties: KafkaProperties
  private let helpers: HelperTopics
  private let log: Log
  private let gauges: [(topic: String, gauge: Gauge)]

  /// First the worker takes its rooms over.
  private static let firstMs: Int64 = 3000
  private static let everyMs: Int64 = 600_000
  /// The wait after a topic that could not be looked at.
  private static let againMs: Int64 = 60_000

  init(_ configuration: Configuration, _ metrics: Metrics) throws {
    properties = try KafkaProperties(configuration.kafka)
    helpers = configuration.topics.helpers
    log = Log(configuration.logging)
    gauges = Set(configuration.topics.input).sorted().map {
      (
        $0,
        metrics.gauge(
          "flyscreen_inexact_seconds",
          "Log time from an input's oldest record to the first from which it is known exactly what was shown: the longest"
            + " of its partitions, looked at every ten minutes.",
          [("topic", $0)])
      )
    }
  }

  /// Looks on a thread of its own until it is stopped.
  func start(until stop: StopSignal) {
    _ = SystemThread {
      stop.wait(ms: Self.firstMs)
      while !stop.isSet { stop.wait(ms: look(until: stop) ? Self.everyMs : Self.againMs) }
    }
  }

  /// Returns whether all inputs could be looked at.
  private func look(until stop: StopSignal) -> Bool {
    var isWhole = true
    for (topic, gauge) in gauges {
      do {
        let range = try TopicRange(topic, properties, helpers: helpers)
        var longest: Int64 = 0
        for partition in 0..<(try range.partitionCount()) where !stop.isSet {
          longest = max(longest, try range.inexactMs(of: partition, now: WallClock.nowMs()))
        }
        gauge.set(longest / 1000)
      } catch {
        log.debug("from where on \(topic) is known exactly can't be told: \(error)")
        isWhole = false
      }
    }
    return isWhole
  }
}
