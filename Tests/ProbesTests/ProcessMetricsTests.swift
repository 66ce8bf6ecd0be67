import Probes
import Testing

struct ProcessMetricsTests {
  private func value(_ name: String, _ metrics: Metrics) -> Double? {
    metrics.text().split(separator: "\n").first { $0.hasPrefix("\(name) ") || $0.hasPrefix("\(name){") }
      .flatMap { Double($0.split(separator: " ")[1]) }
  }

  @Test func theSystemTellsOfTheProcess() throws {
    let metrics = Metrics()
    ProcessMetrics.register(in: metrics)
    let resident = try #require(value("process_resident_memory_bytes", metrics))
    let virtual = try #require(value("process_virtual_memory_bytes", metrics))
    let files = try #require(value("process_open_fds", metrics))
    let mostFiles = try #require(value("process_max_fds", metrics))
    let started = try #require(value("process_start_time_seconds", metrics))
    let clock = try #require(value("flyscreen_clock_seconds", metrics))
    #expect(try #require(value("process_cpu_seconds_total", metrics)) > 0.0)
    #expect(try #require(value("process_threads", metrics)) >= 1.0)
    #expect(1_048_576.0 < resident && resident < virtual)
    #expect(3.0 <= files && files < mostFiles)
    #expect(started <= clock)
  }

  @Test func aThreadIsKnownByWhatItDoes() throws {
    let metrics = Metrics()
    let threads = ThreadTimes(metrics, ["busy", "absent"])
    #expect(metrics.text().contains(#"{thread="busy"} 0"#))
    threads.begin("busy")
    #expect(try #require(value("flyscreen_thread_cpu_seconds_total", metrics)) > 0.0)
    #expect(metrics.text().contains(#"{thread="absent"} 0"#))
  }
}
