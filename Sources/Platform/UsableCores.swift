/// The number of cores that this process may keep busy.
package struct UsableCores: Equatable, Sendable {
  package enum Bound: Equatable, Sendable {
    /// The CPUs that it may run on: those of the machine, or some of them.
    case affinity
    /// The CPU time that its cgroup, or one above, gets.
    case quota
  }

  package let count: Int
  /// The lesser of the two.
  package let bound: Bound

  /// - Parameter quota: in cores, maybe a part of one; nil: there is none.
  package init(affinity: Int, quota: Double?) {
    let affinity = max(1, affinity)
    // Half a core more is enough for a further thread to get on.
    let granted = quota.map { max(1, Int($0.rounded(.up))) } ?? affinity
    count = min(affinity, granted)
    bound = granted < affinity ? .quota : .affinity
  }

  /// - Parameter read: gives a file's text; nil: it can't be read.
  package init(reading read: (String) -> String?) {
    self.init(affinity: Self.affinity(read), quota: CgroupQuota(reading: read).cores)
  }

  package static func current() -> UsableCores {
    UsableCores { path in
      (try? ShortFile.read(path, mostBytes: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// CPUs that are there and that we may run on: the kernel also tells of such that could be plugged in.
  private static func affinity(_ read: (String) -> String?) -> Int {
    let name = "Cpus_allowed_list:"
    guard let line = read("/proc/self/status")?.split(separator: "\n").first(where: { $0.hasPrefix(name) })
    else { return 1 }
    let allowed = numbers(line.dropFirst(name.count))
    guard let online = read("/sys/devices/system/cpu/online") else { return allowed.count }
    return allowed.intersection(numbers(online[...])).count
  }

  /// `0-3,8`
  private static func numbers(_ list: Substring) -> Set<Int> {
    var numbers: Set<Int> = []
    for part in list.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      let ends = part.split(separator: "-").compactMap { Int($0) }
      if let first = ends.first, let last = ends.last, first <= last, last < 65_536 { numbers.formUnion(first...last) }
    }
    return numbers
  }
}
