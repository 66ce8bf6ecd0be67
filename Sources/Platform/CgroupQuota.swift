/// The CPU time that this process' cgroup and those above it grant, in cores: the least of them, of both versions.
package struct CgroupQuota {
  /// Nil: none grants less than all.
  package private(set) var cores: Double?

  /// - Parameter read: gives a file's text; nil: it can't be read.
  package init(reading read: (String) -> String?) {
    let mounts = (read("/proc/self/mountinfo") ?? "").split(separator: "\n").compactMap(Mount.init)
    for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
      // `0::/a/b`, `4:cpu,cpuacct:/a/b`
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let isSecond = parts[0] == "0" && parts[1].isEmpty
      guard isSecond || parts[1].split(separator: ",").contains("cpu") else { continue }
      guard let mount = mounts.first(where: { $0.isSecond == isSecond }) else { continue }
      for folder in mount.folders(upFrom: parts[2]) {
        guard let quota = isSecond ? Self.second(folder, read) : Self.first(folder, read) else { continue }
        cores = min(cores ?? quota, quota)
      }
    }
  }

  /// Version 2's form, `150000 100000`: microseconds of CPU, and the period in microseconds; `max` for no bound.
  private static func second(_ folder: String, _ read: (String) -> String?) -> Double? {
    let words = (read("\(folder)/cpu.max") ?? "").split(whereSeparator: \.isWhitespace)
    guard words.count == 2 else { return nil }
    return cores(words[0], words[1])
  }

  /// Version 1's form, in two files; -1 for no bound.
  private static func first(_ folder: String, _ read: (String) -> String?) -> Double? {
    guard let quota = read("\(folder)/cpu.cfs_quota_us")?.split(whereSeparator: \.isWhitespace).first,
      let period = read("\(folder)/cpu.cfs_period_us")?.split(whereSeparator: \.isWhitespace).first
    else { return nil }
    return cores(quota, period)
  }

  private static func cores(_ quota: Substring, _ period: Substring) -> Double? {
    guard let quota = Double(quota), let period = Double(period), quota > 0, period > 0 else { return nil }
    return quota / period
  }

  /// The place of a hierarchy of cgroups with the controller of CPU time.
  private struct Mount {
    /// True of cgroups version 2.
    let isSecond: Bool
    /// The cgroup that is at `folder`: a container sees its own alone.
    private let root: Substring
    private let folder: Substring

    /// `32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu`
    init?(_ line: Substring) {
      let words = line.split(separator: " ")
      guard let dash = words.firstIndex(of: "-"), dash >= 6, words.count > dash + 3 else { return nil }
      switch words[dash + 1] {
      case "cgroup2": isSecond = true
      case "cgroup" where words[dash + 3].split(separator: ",").contains("cpu"): isSecond = false
      default: return nil
      }
      (root, folder) = (words[3], words[4])
    }

    /// The folders of a cgroup and of all above it that can be seen.
    func folders(upFrom cgroup: Substring) -> [String] {
      let above = root.split(separator: "/")
      var names = cgroup.split(separator: "/")
      // A cgroup outside of this mount, as seen from within a container.
      if names.contains("..") || !names.starts(with: above) { names = above }
      names.removeFirst(above.count)
      return (0...names.count).map { "\(folder)" + names.prefix($0).map { "/\($0)" }.joined() }
    }
  }
}
