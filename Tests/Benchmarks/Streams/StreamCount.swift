/// Counts of what came on the streams since counting began.
struct StreamCount {
  private let start = CommitTimes.now()
  private var latencies: [Int32] = []
  /// Commands that came before one that they come after, and those that did not come and were not made up for.
  private var repeated = 0
  private var lost = 0
  var snapshots = 0
  var ended = 0

  init() { latencies.reserveCapacity(1 << 22) }

  /// `committed` 0: it came before its commit had returned.
  mutating func add(committed: Int64, now: Int64, _ place: Int, _ last: Int) {
    latencies.append(committed == 0 ? 0 : Int32(clamping: (now - committed) / 1000))
    if last < 0 { return }
    if place <= last { repeated += 1 } else { lost += place - last - 1 }
  }

  /// Latencies in milliseconds.
  func json(streams: Int) -> String {
    let seconds = Double(CommitTimes.now() - start) / 1e9
    let sorted = latencies.sorted()
    func percentile(_ share: Double) -> Double {
      sorted.isEmpty ? 0 : Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1000
    }
    return #"{"streams":\#(streams),"seconds":\#(seconds),"deliveries":\#(sorted.count),"p50":\#(percentile(0.5)),"#
      + #""p95":\#(percentile(0.95)),"p99":\#(percentile(0.99)),"max":\#(percentile(1)),"lost":\#(lost),"#
      + #""repeated":\#(repeated),"snapshots":\#(snapshots),"ended":\#(ended)}"#
  }
}
