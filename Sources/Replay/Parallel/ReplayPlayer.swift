import Platform

/// A thread that plays its share of each round.
///
/// Sendable since its replayer is that of its thread while there is a round that it has to play, and else that of the
/// one that hands them over.
final class ReplayPlayer: @unchecked Sendable {
  private(set) var replayer: Replayer
  private var thread: SystemThread?

  init(
    _ number: Int, from first: Int, _ replayer: consuming Replayer, _ rounds: [ReplayRound],
    _ turns: Monitor<ReplayTurns>
  ) {
    self.replayer = replayer
    thread = SystemThread { [unowned self] in
      var round = first
      var isWhole = true
      while turns.wait(for: { $0.areOver ? false : $0.filled > round ? true : nil }) {
        let shares = rounds[round % rounds.count].shares
        if isWhole, number < shares.count { isWhole = shares[number].play(with: &self.replayer) }
        round += 1
        turns.change { $0.played[number] = round }
      }
    }
  }

  func join() { thread?.join() }
}

/// The progress of the rounds.
struct ReplayTurns: Sendable {
  /// Rounds that players may play.
  var filled = 0
  /// The number of rounds that each player has done with.
  var played: [Int] = []
  var areOver = false

  func arePlayed(_ round: Int) -> Bool { round < filled && played.allSatisfy { $0 > round } }
}
