import Kafka
import Settings
import TestSupport
import Testing
import Wire
import Worker

/// A broker that comes up loses markers of a transaction's end: whichever these are, whichever way it was decided, and
/// whether the member has heard of it, nothing is torn and nothing hangs.
@Suite struct LostEndTests {
  struct End: CustomTestStringConvertible, Sendable {
    var isCommit: Bool
    var isAcknowledged: Bool
    var isFollowed = false
    var testDescription: String {
      "\(isCommit ? "committed" : "aborted"), \(isAcknowledged ? "and known" : "and not known")"
        + (isFollowed ? ", and the next one has begun" : "")
    }
  }

  static let ends =
    [true, false].flatMap { isCommit in [true, false].map { End(isCommit: isCommit, isAcknowledged: $0) } }
    + [End(isCommit: true, isAcknowledged: true, isFollowed: true)]

  /// Of the subsets only so many are tried each time, others with each run; where more schedules are asked for, all.
  private static let share = 6
  private static let seeds = Seeds(count: UInt64(share))

  @Test(arguments: ends) func everySubsetOfMarkersMayBeLost(end: End) {
    // The first one says where the group begins.
    for transaction in 1...4 {
      let step = Self.seeds.count > Self.share ? 1 : Self.share
      var (lost, places) = (Int(Self.seeds.first) % step, 0)
      repeat {
        let run = LostEndRun(
          .init(
            transaction: transaction, isCommit: end.isCommit, isAcknowledged: end.isAcknowledged, lost: lost,
            isFollowed: end.isFollowed))
        let difference = run.run()
        guard let count = run.world.kafka.plannedPlaces else {
          Issue.record("transaction \(transaction) was never decided")
          return
        }
        places = count
        #expect(difference == nil, "transaction \(transaction), lost \(String(lost, radix: 2)) of \(places)")
        if difference != nil { return print(run.world.story.joined(separator: "\n")) }
        lost += step
      } while lost < 1 << places
    }
  }

  /// Of topics that no restore reads: the others keep a worker that has to go back waiting.
  @Test(arguments: ["commands", "results", TopicSettings.deadLetters(of: "in")])
  func whatHangsOfOthersIsNotDecided(topic: String) {
    let run = LostEndRun(nil)
    let difference = run.run(behindAnotherIn: topic)
    #expect(difference == nil)
    if difference != nil { print(run.world.story.joined(separator: "\n")) }
  }
}

/// A worker that meets a planned loss, and goes on.
private final class LostEndRun {
  let world = SimulatedWorld(partitions: [1])
  private var kafka: SimulatedKafka { world.kafka }
  private var crowd = LogCrowd(seed: 7)
  private var chance = Chance(seed: 7)
  private let process: SimulatedProcess
  private let loss: SimulatedKafka.PlannedLoss?
  private var hasWaited = false

  init(_ loss: SimulatedKafka.PlannedLoss?) {
    self.loss = loss
    world.kafka.plannedLoss = loss
    process = SimulatedProcess(
      world, number: 0, id: 1, isNamed: false,
      plan: world.plan(isNamed: false, begin: .beginning, LogSettings()), seed: 7)
  }

  deinit { process.die() }

  /// - Returns: What should not be; nil: all is as it should be.
  func run() -> String? {
    for _ in 0..<4 {
      append()
      guard rest() else { return world.breach ?? "the worker never came to rest" }
    }
    kafka.progress(&chance, oneIn: 1)
    if kafka.hangs { return "a transaction hangs" }
    // Where readers have passed only what a worker may not read, nothing tells it.
    if hasWaited, let loss, !loss.isCommit || loss.isAcknowledged { return "what is known waits for an operator" }
    return world.breach ?? world.complaint ?? world.laws.difference()
  }

  /// Another's transaction hangs in the topic, behind it lie the worker's own, and brokers go away and come again.
  ///
  /// - Returns: What should not be; nil: the worker goes on, and nothing of its own is decided again.
  func run(behindAnotherIn topic: String) -> String? {
    append()
    guard rest() else { return world.breach ?? "the worker never came to rest" }
    for partition in 0..<kafka.partitionCounts[topic]! { kafka.hang(in: TopicPartition(topic, Int32(partition))) }
    for _ in 0..<3 {
      append()
      guard rest(untilCommitted: true) else { return world.breach ?? "the worker doesn't go on" }
      kafka.blink(nowMs: world.nowMs)
    }
    if process.member?.knowsPast == false { return "what the worker did is not known any more" }
    let again = world.story.first { $0.contains("lost the end of a transaction") }
    kafka.endHanging(exceptOf: [])
    guard rest() else { return again ?? world.breach ?? "no rest at last" }
    kafka.progress(&chance, oneIn: 1)
    return again ?? world.breach ?? world.complaint ?? world.laws.difference()
  }

  private func append() {
    for _ in 0..<6 {
      let (key, value) = crowd.event(on: 0)
      kafka.append(.init(key: key, value: value, timestampMs: world.nowMs, status: .plain), to: world.inputs[0])
    }
    // One that nobody understands.
    kafka.append(.init(key: [1], value: [1], timestampMs: world.nowMs, status: .plain), to: world.inputs[0])
  }

  /// - Parameter untilCommitted: All that was appended is committed, and that is enough.
  private func rest(untilCommitted: Bool = false) -> Bool {
    for _ in 0..<5000 where world.breach == nil {
      world.advance(ms: kafka.hangs ? 200 : 20)
      kafka.progress(&chance, oneIn: 2)
      kafka.group.hear(Set(process.heartbeats), nowMs: world.nowMs)
      process.step()
      if loss != nil, kafka.hangs, process.member?.knowsPast == false {
        hasWaited = true
        kafka.endHanging(exceptOf: [])
      }
      let isDone = world.laws.next(of: world.inputs[0]) == kafka.log(world.inputs[0]).end
      if isDone, untilCommitted || process.member?.isAtRest(nowMs: world.nowMs) == true { return true }
    }
    return false
  }
}
