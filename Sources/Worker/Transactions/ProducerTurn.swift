/// The producers of a member, in the order of their turns.
package enum ProducerTurn: Int, CaseIterable, Sendable {
  case first

  package var next: ProducerTurn {
    let all = Self.allCases
    return all[(rawValue + 1) % all.count]
  }

  /// What its transactional id has after the member's.
  package var suffix: String {
    switch self {
    case .first: ""
    }
  }
}
