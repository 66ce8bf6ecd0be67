internal import Glibc
internal import Platform

/// The system's figures of this process, under the names that Prometheus' own clients use.
package enum ProcessMetrics {
  package static func register(in registry: Metrics) {
    let startedMs = WallClock.nowMs()
    registry.counter("process_cpu_seconds_total", "CPU time, of user and system.") {
      var usage = rusage()
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
    registry.gauge("process_resident_memory_bytes", "Memory that is in use.") { pages(1) }
    registry.gauge("process_virtual_memory_bytes", "Memory that is mapped.") { pages(0) }
    registry.gauge("process_open_fds", "Open files, connections among them.") {
      Double(count(in: "/proc/self/fd"))
    }
    registry.gauge("process_max_fds", "Files that may be open.") {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      return limit.rlim_cur == rlim_t.max ? .infinity : Double(limit.rlim_cur)
    }
    registry.gauge("process_threads", "Threads.") { Double(count(in: "/proc/self/task")) }
    registry.gauge("process_start_time_seconds", "Start time, in seconds since 1970.") { Double(startedMs) / 1000 }
    registry.gauge("flyscreen_clock_seconds", "The time of day here, in seconds since 1970.") {
      Double(WallClock.nowMs()) / 1000
    }
  }

  /// A number of /proc/self/statm, which counts pages.
  private static func pages(_ place: Int) -> Double {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 200)
    guard fgets(&line, 200, file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let words = text.split(separator: " ")
    return words.indices.contains(place) ? (Double(words[place]) ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) : 0
  }

  private static func count(in folder: String) -> Int {
    guard let directory = opendir(folder) else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    // Itself, its parent; of files that are open, this folder.
    return max(0, count - (folder.hasSuffix("fd") ? 3 : 2))
  }
}
