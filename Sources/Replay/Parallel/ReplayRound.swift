import JSON
import RoomModel

/// Some lines that follow each other in a log, and what came of them. The reading thread fills it, each player then
/// plays its share of it, and when all have, the reading thread takes what came of it, in the order of the lines.
///
/// Sendable since one thread at a time has a part of it, as `ParallelReplayer` hands them on; so accesses are not held
/// against each other each time.
final class ReplayRound: @unchecked Sendable {
  /// One for each player there was when it was filled.
  @exclusivity(unchecked) private(set) var shares: [Share] = []
  /// The player of each step, in their order.
  @exclusivity(unchecked) private var runs: [(player: Int, steps: Int)] = []
  @exclusivity(unchecked) private var steps = 0

  /// The most steps: more would have other threads wait.
  private static let mostSteps = 1024
  private static let mostBytes = 1 << 18

  /// Whether values are kept as they are written.
  @exclusivity(unchecked) var keepsText = false

  var isEmpty: Bool { steps == 0 }

  /// Whether it is to be handed on.
  var isFull: Bool { steps >= Self.mostSteps || shares.contains { $0.bytes >= Self.mostBytes } }

  func append(_ step: Step, at place: LinePlace, for player: Int) {
    while shares.count <= player { shares.append(Share()) }
    shares[player].append(step, at: place, keepsText: keepsText)
    steps += 1
    if runs.last?.player == player {
      runs[runs.count - 1].steps += 1
    } else {
      runs.append((player, 1))
    }
  }

  /// Takes the round's output. All players have played their shares; the next round is filled afterwards.
  ///
  /// - Throws: the error of the first line that could not be played; `output` has the output before it.
  func take(into output: inout ByteBuffer) throws(BrokenLog) {
    for run in runs { try shares[run.player].take(run.steps, into: &output) }
    for share in shares { share.removeAll() }
    runs.removeAll(keepingCapacity: true)
    steps = 0
  }

  enum Step {
    /// One of copies that the share keeps.
    case line(LogLine)
    /// A time to which timers fire, in one partition of the player's.
    case fire(inPartition: Int, LogTime)
  }

  /// One player's part of the round.
  final class Share {
    @exclusivity(unchecked) private var steps: [(step: Step, place: LinePlace)] = []
    @exclusivity(unchecked) private var copies = LineCopies()
    @exclusivity(unchecked) private var output = ByteBuffer()
    /// The length of the output after each step.
    @exclusivity(unchecked) private var ends: [Int] = []
    /// The error of the step after them.
    private var failure: BrokenLog?
    /// The lines as far as they were taken.
    @exclusivity(unchecked) private var taken = 0

    var bytes: Int { copies.bytes }

    fileprivate func append(_ step: Step, at place: LinePlace, keepsText: Bool) {
      copies.keepsText = keepsText
      switch step {
      case .line(let line): steps.append((.line(copies.keep(line)), place))
      case .fire: steps.append((step, place))
      }
    }

    /// - Returns: whether all of it could be played.
    func play(with replayer: inout Replayer) -> Bool {
      for index in steps.indices {
        do throws(BrokenLog) {
          switch steps[index].step {
          case .line(let line): try replayer.play(line)
          case .fire(let partition, let time): replayer.fire(inPartition: partition, to: time)
          }
        } catch {
          failure = error
          break
        }
        ends.append(replayer.kept == .results ? replayer.results.count : replayer.output.count)
      }
      if replayer.kept == .results { swap(&output, &replayer.results) } else { swap(&output, &replayer.output) }
      return failure == nil
    }

    /// Takes the output of the next `count` steps.
    fileprivate func take(_ count: Int, into output: inout ByteBuffer) throws(BrokenLog) {
      let start = taken == 0 ? 0 : ends[taken - 1]
      taken += count
      let played = min(taken, ends.count)
      let end = played == 0 ? 0 : ends[played - 1]
      if end > start { output.append(UnsafeRawBufferPointer(rebasing: self.output.bytes[start..<end])) }
      if taken > played, let failure { throw BrokenLog("\(steps[played].place): \(failure)") }
    }

    fileprivate func removeAll() {
      steps.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      copies.removeAll()
      output.removeAll()
      taken = 0
    }
  }
}
