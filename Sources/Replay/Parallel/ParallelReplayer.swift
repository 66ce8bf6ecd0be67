package import JSON
internal import Platform
package import RoomModel
package import RoomScreen
package import Settings

/// Runs a log through the engine as ``Replayer`` does, by several threads: lines in, commands out, each in the same
/// order and to the same byte. A partition is one thread's, so as many are busy as there are partitions near each other
/// in the log. At most some thousand lines are not yet played, or their output not yet taken away.
package final class ParallelReplayer {
  /// The output so far, one item a line, for the caller to take away.
  @exclusivity(unchecked) package var output = ByteBuffer()
  /// Lines that were handed over.
  @exclusivity(unchecked) package private(set) var records = 0

  private let threads: Int
  private let newReplayer: () -> Replayer
  private var players: [ReplayPlayer] = []
  /// The partitions' seats, in the order in which they first came.
  @exclusivity(unchecked) private var seats: [Seat] = []
  /// They are filled in turn.
  private let rounds = (0..<4).map { _ in ReplayRound() }
  @exclusivity(unchecked) private var taken = 0
  private let turns = Monitor(ReplayTurns())
  /// Nothing more comes of it.
  private var hasFailed = false

  /// The player of a partition, and the partition's number there.
  private struct Seat {
    let topic: [UInt8]
    let number: Int32
    let player: Int
    let index: Int
  }

  /// - Parameters:
  ///   - settings: those in force before the first line.
  ///   - room: if given, only its commands come out; the records of the others count all the same.
  ///   - kept: what comes out: commands or results.
  ///   - threads: at most; 1 or more.
  package init(settings: LogSettings, room: ID? = nil, keeping kept: Replayer.Kept, threads: Int) {
    precondition(kept != .all, "one output has one of the two")
    self.threads = max(1, threads)
    keepsText = settings.mapping != nil || settings.mappings != nil
    newReplayer = { Replayer(settings: settings, room: room, keeping: kept, hashSeed: .random(in: .min ... .max)) }
  }

  deinit {
    turns.change { $0.areOver = true }
    for player in players { player.join() }
  }

  /// Whether the text of values counts: a mapping may look at how a number is written.
  @exclusivity(unchecked) private var keepsText: Bool

  /// Has one line played, before long.
  ///
  /// - Throws: the error of this line or of one before, with its place; `output` has the output before it.
  package func play(_ line: LogLine, at place: LinePlace) throws(BrokenLog) {
    switch line.content {
    case .record: records += 1
    case .settings(let settings): keepsText = keepsText || settings.mapping != nil
    case .state(let state): keepsText = keepsText || state.settings.mapping != nil
    case .firedTo, .doubt: break
    }
    filling.keepsText = keepsText
    filling.append(.line(line), at: place, for: player(of: line.topic, line.partition))
    if filling.isFull { try handOver() }
  }

  /// Has every timer fired with a deadline up to then, that one included.
  package func fire(to time: LogTime) throws(BrokenLog) {
    for seat in seats { filling.append(.fire(inPartition: seat.index, time), at: .nowhere, for: seat.player) }
    if filling.isFull { try handOver() }
  }

  /// Waits until all is played.
  package func finish() throws(BrokenLog) {
    if hasFailed { return }
    if !filling.isEmpty { try handOver() }
    while taken < handedOver { try take() }
  }

  /// The sum of what is played; that is all after `finish()`.
  package var summary: ReplaySummary {
    var sum = ReplaySummary()
    for player in players { sum.add(player.replayer.summary) }
    return sum
  }

  @exclusivity(unchecked) private var handedOver = 0

  private var filling: ReplayRound { rounds[handedOver % rounds.count] }

  private func handOver() throws(BrokenLog) {
    handedOver += 1
    turns.change { $0.filled += 1 }
    // The next to be filled is the one that was filled first.
    while taken < handedOver, handedOver - taken == rounds.count || turns.read({ $0.arePlayed(taken) }) { try take() }
  }

  private func take() throws(BrokenLog) {
    turns.wait { $0.arePlayed(taken) ? () : nil }
    do { try rounds[taken % rounds.count].take(into: &output) } catch {
      hasFailed = true
      throw error
    }
    taken += 1
  }

  private func player(of topic: Text, _ number: Int32) -> Int {
    for seat in seats where seat.number == number && topic.bytes.isSame(as: seat.topic) { return seat.player }
    let player = seats.count % threads
    if player == players.count {
      turns.change { $0.played.append($0.filled) }
      players.append(ReplayPlayer(player, from: handedOver, newReplayer(), rounds, turns))
    }
    seats.append(Seat(topic: Array(topic.bytes), number: number, player: player, index: seats.count / threads))
    return player
  }
}
