package import Platform
internal import Settings

/// The number of a worker's members, and its reason.
package struct MemberCount: Equatable, Sendable {
  package let count: Int
  /// The reason in words, for the log.
  package let reason: String

  /// - Parameters:
  ///   - asked: `worker.members`.
  ///   - partitions: of each input.
  package init(asked: Int?, cores: UsableCores, partitions: [String: Int32]) {
    if let asked {
      (count, reason) = (asked, "worker.members")
      return
    }
    let most = max(1, Int(partitions.values.max() ?? 1))
    count = min(cores.count, most, WorkerSettings.membersRange.upperBound)
    let bound =
      switch cores.bound {
      case .affinity: "CPU affinity"
      case .quota: "cgroup quota"
      }
    reason = "cores: \(cores.count) (\(bound)), most partitions of an input: \(most)"
  }
}
