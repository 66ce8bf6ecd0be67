/// The producers of a member, in the order of their turns.
///
/// A broker refuses the first partition of a transaction until the markers of the same producer's last one are written,
/// which takes it some milliseconds; of another producer it takes it at once.
package enum ProducerTurn: Int, CaseIterable, Sendable {
  case first, second

  package var next: ProducerTurn { self == .first ? .second : .first }

  /// The end of its transactional id, after the member's.
  package var suffix: String {
    switch self {
    case .first: ""
    case .second: "-b"
    }
  }

  package func transactionalId(ofMember name: String, group: String) -> String { "\(group)-\(name)\(suffix)" }

  /// The transactional ids of the member that made a commit. The commit's name (``CommitMetadata/commit``) begins with the
  /// member's, then has a number of this start of it, and a count.
  package static func transactionalIds(ofCommit commit: String, group: String) -> [String] {
    let start = commit.prefix { $0 != "#" }
    guard let end = start.lastIndex(of: "-") else { return [] }
    return allCases.map { $0.transactionalId(ofMember: String(start[..<end]), group: group) }
  }
}
