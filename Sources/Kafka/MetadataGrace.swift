import Glibc
import Platform

/// Asks again for 5 s where a broker doesn't know a topic: its metadata may be stale. News of a topic reaches brokers one
/// by one, and each question may reach another broker.
package enum MetadataGrace {
  /// The time in milliseconds after which such an answer is believed.
  package static let limitMs: Int64 = 5000
  private static let pauseMicroseconds: UInt32 = 20_000

  /// Asks until the answer is as it is expected, or the time is over: then the last answer counts.
  package static func ask<R>(
    limitMs: Int64 = limitMs, _ question: () throws -> R, until isExpected: (R) -> Bool
  ) rethrows -> R {
    let endMs = MonotonicClock.nowMs() + limitMs
    while true {
      let answer = try question()
      if isExpected(answer) || MonotonicClock.nowMs() >= endMs { return answer }
      usleep(pauseMicroseconds)
    }
  }

  /// Asks until the answer is another than that a topic isn't there, or the time is over.
  package static func ask<R>(_ question: () throws(KafkaError) -> R) throws(KafkaError) -> R {
    try ask {
      Result { () throws(KafkaError) in try question() }
    } until: { answer in
      if case .failure(let error) = answer { error.kind != .unknownTopic } else { true }
    }.get()
  }
}
