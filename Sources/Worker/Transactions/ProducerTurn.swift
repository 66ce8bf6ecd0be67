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
}
