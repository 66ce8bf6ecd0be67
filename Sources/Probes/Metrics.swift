import Synchronization

/// Metrics by name, in the order in which they were declared. Asking again for the same name and
/// labels gives the same thing, so whoever bumps one keeps it.
package final class Metrics: Sendable {
  /// `[("topic", "im.gifts"), ("partition", "3")]`.
  package typealias Labels = [(name: String, value: String)]

  private let families = Mutex<[MetricFamily]>([])

  package init() {}

  /// A number that only goes up; its name ends with `_total`.
  package func counter(_ name: String, _ help: String, _ labels: Labels = []) -> Counter {
    series(name, help, .counter, labels) { .counter(Counter()) }.counter
  }

  /// Read when somebody asks for the metrics, on the thread that serves them.
  package func counter(
    _ name: String, _ help: String, _ labels: Labels = [], reading: @escaping @Sendable () -> Double
  ) {
    _ = series(name, help, .counter, labels) { .reading(reading) }
  }

  package func gauge(_ name: String, _ help: String, _ labels: Labels = []) -> Gauge {
    series(name, help, .gauge, labels) { .gauge(Gauge()) }.gauge
  }

  /// Read when somebody asks for the metrics, on the thread that serves them.
  package func gauge(
    _ name: String, _ help: String, _ labels: Labels = [], reading: @escaping @Sendable () -> Double
  ) {
    _ = series(name, help, .gauge, labels) { .reading(reading) }
  }

  /// `bounds` are the upper ends of its buckets, from low to high; the last one, without end, is added.
  package func histogram(
    _ name: String, _ help: String, _ labels: Labels = [], bounds: [Double]
  ) -> Histogram {
    series(name, help, .histogram, labels) { .histogram(Histogram(bounds: bounds)) }.histogram
  }

  /// Removes the metrics of something that is no more: a partition that has moved.
  package func remove(_ name: String, _ labels: Labels) {
    let text = MetricFamily.text(of: labels)
    families.withLock { families in
      guard let family = families.firstIndex(where: { $0.name == name }) else { return }
      families[family].series.removeAll { $0.labels == text }
    }
  }

  /// Prometheus' text format, 0.0.4.
  package func text() -> String {
    let families = families.withLock { $0 }
    return families.map(\.text).joined()
  }

  private func series(
    _ name: String, _ help: String, _ kind: MetricFamily.Kind, _ labels: Labels,
    _ make: () -> MetricFamily.Series.Value
  ) -> MetricFamily.Series.Value {
    precondition(MetricFamily.isName(name), "\(name) is no name for a metric")
    let text = MetricFamily.text(of: labels)
    return families.withLock { families in
      let family: Int
      if let known = families.firstIndex(where: { $0.name == name }) {
        family = known
      } else {
        family = families.count
        families.append(MetricFamily(name: name, help: help, kind: kind))
      }
      precondition(families[family].kind == kind, "\(name) is a \(families[family].kind) elsewhere")
      if let known = families[family].series.first(where: { $0.labels == text }) { return known.value }
      let value = make()
      families[family].series.append(MetricFamily.Series(labels: text, value: value))
      return value
    }
  }
}

package final class Counter: Sendable {
  private let value = Atomic<Int64>(0)

  package init() {}

  package func add(_ count: Int64 = 1) { value.add(count, ordering: .relaxed) }

  package var count: Int64 { value.load(ordering: .relaxed) }
}

package final class Gauge: Sendable {
  private let value = Atomic<Int64>(0)

  package init() {}

  package func set(_ level: Int64) { value.store(level, ordering: .relaxed) }

  package func add(_ difference: Int64) { value.add(difference, ordering: .relaxed) }

  package var level: Int64 { value.load(ordering: .relaxed) }
}

/// Counts how often a measure fell below each of some bounds. Fit for some hundred measures a second.
package final class Histogram: Sendable {
  struct State {
    /// One more than bounds: the last counts measures above all of them.
    var counts: [Int64]
    var sum = 0.0
  }

  let bounds: [Double]
  private let state: Mutex<State>

  init(bounds: [Double]) {
    precondition(bounds.sorted() == bounds && !bounds.isEmpty, "bounds go from low to high")
    self.bounds = bounds
    state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
  }

  /// - Parameter times: the number of times that it was measured.
  package func observe(_ measure: Double, times: Int64 = 1) {
    let bucket = bounds.firstIndex { measure <= $0 } ?? bounds.count
    state.withLock { state in
      state.counts[bucket] += times
      state.sum += measure * Double(times)
    }
  }

  /// Takes counts of somebody else, by the same bounds.
  ///
  /// - Parameters:
  ///   - counts: one more than bounds, as each has of its own.
  ///   - sum: of all those measures.
  package func add(_ counts: some Collection<Int64>, sum: Double) {
    precondition(counts.count == bounds.count + 1, "a count for each bucket")
    state.withLock { state in
      for (bucket, count) in counts.enumerated() { state.counts[bucket] += count }
      state.sum += sum
    }
  }

  func read() -> State { state.withLock { $0 } }
}
