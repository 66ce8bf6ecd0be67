import Probes
import Testing

struct MetricsTests {
  @Test func isWrittenAsPrometheusReadsIt() {
    let metrics = Metrics()
    let gifts = metrics.counter("flyscreen_records_total", "records read", [("topic", "im.gifts"), ("partition", "3")])
    metrics.counter("flyscreen_records_total", "records read", [("topic", "im.\"w\"\\\n"), ("partition", "0")]).add(2)
    let rooms = metrics.gauge("flyscreen_rooms", "rooms with state\nin memory")
    metrics.gauge("flyscreen_age_seconds", "since start") { 1.5 }
    let times = metrics.histogram("flyscreen_commit_seconds", "a transaction's", bounds: [0.01, 0.1])
    gifts.add()
    gifts.add(41)
    rooms.set(7)
    rooms.add(-2)
    for time in [0.005, 0.01, 0.05, 3] { times.observe(time) }
    #expect(
      metrics.text() == #"""
        # HELP flyscreen_records_total records read
        # TYPE flyscreen_records_total counter
        flyscreen_records_total{topic="im.gifts",partition="3"} 42
        flyscreen_records_total{topic="im.\"w\"\\\n",partition="0"} 2
        # HELP flyscreen_rooms rooms with state\nin memory
        # TYPE flyscreen_rooms gauge
        flyscreen_rooms 5
        # HELP flyscreen_age_seconds since start
        # TYPE flyscreen_age_seconds gauge
        flyscreen_age_seconds 1.5
        # HELP flyscreen_commit_seconds a transaction's
        # TYPE flyscreen_commit_seconds histogram
        flyscreen_commit_seconds_bucket{le="0.01"} 2
        flyscreen_commit_seconds_bucket{le="0.1"} 3
        flyscreen_commit_seconds_bucket{le="+Inf"} 4
        flyscreen_commit_seconds_sum 3.065
        flyscreen_commit_seconds_count 4

        """#)
  }

  @Test func aMeasureCountsAsOftenAsItWasTaken() {
    let metrics = Metrics()
    let times = metrics.histogram("h_seconds", "h", bounds: [1, 2])
    times.observe(1.5, times: 1000)
    times.observe(0.5)
    #expect(metrics.text().contains("le=\"1\"} 1\nh_seconds_bucket{le=\"2\"} 1001\n"))
    #expect(metrics.text().contains("h_seconds_sum 1500.5\nh_seconds_count 1001\n"))
  }

  @Test func whatAnotherHasCountedIsAdded() {
    let metrics = Metrics()
    let waits = metrics.histogram("h_seconds", "h", bounds: [1, 2])
    waits.observe(0.5)
    waits.add([1, 2, 3], sum: 20)
    #expect(metrics.text().contains("le=\"1\"} 2\nh_seconds_bucket{le=\"2\"} 4\nh_seconds_bucket{le=\"+Inf\"} 7\n"))
    #expect(metrics.text().contains("h_seconds_sum 20.5\nh_seconds_count 7\n"))
  }

  @Test func aCounterMayBeReadWhenItIsAskedFor() {
    let metrics = Metrics()
    metrics.counter("cpu_seconds_total", "c") { 2.25 }
    #expect(metrics.text() == "# HELP cpu_seconds_total c\n# TYPE cpu_seconds_total counter\ncpu_seconds_total 2.25\n")
  }

  @Test func theSameNameAndLabelsAreTheSameThing() {
    let metrics = Metrics()
    metrics.counter("a_total", "a", [("k", "1")]).add(1)
    metrics.counter("a_total", "a", [("k", "1")]).add(1)
    metrics.counter("a_total", "a", [("k", "2")]).add(1)
    #expect(metrics.counter("a_total", "a", [("k", "1")]).count == 2)
  }

  @Test func whatIsRemovedIsNoLongerShown() {
    let metrics = Metrics()
    metrics.gauge("lag", "l", [("partition", "1")]).set(5)
    metrics.gauge("lag", "l", [("partition", "2")]).set(6)
    metrics.remove("lag", [("partition", "1")])
    #expect(metrics.text() == "# HELP lag l\n# TYPE lag gauge\nlag{partition=\"2\"} 6\n")
    metrics.remove("lag", [("partition", "2")])
    #expect(metrics.text() == "")
  }

  @Test func nothingCountedIsLostBetweenThreads() async {
    let metrics = Metrics()
    let counter = metrics.counter("a_total", "a")
    let histogram = metrics.histogram("h", "h", bounds: [1])
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<1000 {
            counter.add()
            histogram.observe(0.5)
          }
        }
      }
    }
    #expect(counter.count == 8000)
    #expect(metrics.text().contains("h_sum 4000\nh_count 8000\n"))
  }
}
