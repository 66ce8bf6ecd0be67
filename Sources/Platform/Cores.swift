internal import Glibc

/// How many threads of this process can run at once.
package enum Cores {
  /// The least of what affinity and the quotas of its control groups give, at least 1.
  package static var available: Int {
    let affinity = affinity(text(of: "/proc/self/status")) ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    return max(1, ([affinity] + folders.compactMap { quota(text(of: $0 + "/cpu.max")) }).min()!)
  }

  /// - Parameter words: A control group's `cpu.max`: a quota, or `max`, and a period, in microseconds.
  /// - Returns: So many cores, a part of one as a whole; nil: as many as there are.
  package static func quota(_ words: String) -> Int? {
    let numbers = words.split { $0 == " " || $0 == "\n" }.map { Int($0) }
    guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], quota > 0, period > 0 else { return nil }
    return (quota - 1) / period + 1
  }

  /// - Parameter status: A process's `/proc/PID/status`; its `Cpus_allowed` is a mask in hexadecimal.
  /// - Returns: So many cores it may run on; nil: it doesn't tell.
  package static func affinity(_ status: String) -> Int? {
    let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }
    return line?.dropFirst(13).reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount }
  }

  /// Its control group and those that this one is in: each may have a quota.
  private static var folders: [String] {
    let line = text(of: "/proc/self/cgroup").split(separator: "\n").first { $0.hasPrefix("0::/") }
    guard let names = line?.dropFirst(4).split(separator: "/") else { return [] }
    return (0...names.count).map { (["/sys/fs/cgroup"] + names.prefix($0)).joined(separator: "/") }
  }

  /// Empty if it can't be read.
  private static func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    return String(decoding: bytes.prefix(fread(&bytes, 1, bytes.count, file)), as: UTF8.self)
  }
}
