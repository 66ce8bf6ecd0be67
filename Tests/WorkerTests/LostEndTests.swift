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

extension LostEndTests {
  /// What is lost there an operator ends.
  @Test(arguments: [true, false], [~0, ~1])
  func aPartitionWithoutALeaderHoldsNobodyUp(isAcknowledged: Bool, lost: Int) {
    var count = 0
    // One of them has the dead letter.
    for transaction in 2...8 {
      let run = LostEndRun(
        .init(
          transaction: transaction, isCommit: true, isAcknowledged: isAcknowledged, lost: lost,
          leaderless: TopicSettings.deadLetters(of: "in")))
      let difference = run.runWithoutLeaders()
      #expect(difference == nil, "transaction \(transaction)")
      if difference != nil { return print(run.world.story.joined(separator: "\n")) }
      #expect(run.tellsOfPlacesWithoutLeaders == run.hasMissedLeader)
      if run.hasMissedLeader { count += 1 }
    }
    #expect(count == 1)
  }

  /// It can't know what its predecessor left there.
  @Test(arguments: [true, false]) func aNamedWorkerThatStartsGoesOnInTheEnd(hasLeaders: Bool) {
    let run = LostEndRun(nil, isNamed: true)
    let topic = hasLeaders ? "commands" : TopicSettings.deadLetters(of: "in")
    let difference = run.run(behindWhatStandsIn: topic, hasLeaders)
    #expect(difference == nil)
    #expect(run.tellsOfPlacesWithoutLeaders == !hasLeaders)
    if difference != nil { print(run.world.story.joined(separator: "\n")) }
  }

  /// Nobody but viewers has seen it, and a worker may not read what they do.
  @Test func aKnownCommitOfWhichViewersHaveSeenTheCommandsAloneStays() {
    let whole = LostEndRun(.init(transaction: 3, isCommit: true, isAcknowledged: true, lost: 0))
    #expect(whole.run() == nil)
    let places = whole.world.kafka.plannedEnds.sorted { "\($0)" < "\($1)" }
    var lost = 0
    for (i, place) in places.enumerated() {
      if case .log(let partition) = place, partition.topic == "commands" { continue }
      lost |= 1 << i
    }
    let run = LostEndRun(.init(transaction: 3, isCommit: true, isAcknowledged: true, lost: lost))
    let difference = run.run()
    #expect(difference == nil && lost != 0 && lost + 1 < 1 << places.count)
    if difference != nil { print(run.world.story.joined(separator: "\n")) }
  }

  /// A member that ends by an error leaves what hangs to the next one in its place.
  @Test func whatHangsWhereAMemberEndsIsDecidedByTheNext() {
    let run = LostEndRun(.init(transaction: 3, isCommit: true, isAcknowledged: true, lost: ~0))
    let difference = run.runWithAnError()
    #expect(difference == nil)
    if difference != nil { print(run.world.story.joined(separator: "\n")) }
  }

  /// Before, brokers would keep the answer back, for seconds in which nothing else is done.
  @Test(arguments: [true, false]) func whatIsCommittedIsAskedForOnceWhatHangsIsDecided(isCommit: Bool) {
    let run = LostEndRun(.init(transaction: 3, isCommit: isCommit, isAcknowledged: false, lost: ~0))
    let difference = run.runListening()
    #expect(difference == nil)
    if difference != nil { print(run.world.story.joined(separator: "\n")) }
  }

  /// Another of its name may use its ids from then on, so to decide something again might decide that one's.
  @Test func whoseOwnPlaceIsTakenDecidesNothingAgain() {
    let run = LostEndRun(.init(transaction: 3, isCommit: true, isAcknowledged: true, lost: ~0), isNamed: true)
    let difference = run.runUntilItsPlaceIsTaken()
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

  init(_ loss: SimulatedKafka.PlannedLoss?, isNamed: Bool = false) {
    self.loss = loss
    world.kafka.plannedLoss = loss
    process = SimulatedProcess(
      world, number: 0, id: 1, isNamed: isNamed,
      plan: world.plan(isNamed: isNamed, begin: .beginning, LogSettings()), seed: 7)
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
    if hasWaited, let loss, !loss.isCommit || loss.isAcknowledged || isTold {
      return "what is known waits for an operator"
    }
    return world.breach ?? world.complaint ?? world.laws.difference()
  }

  /// Whether something that is not lost tells the end. Of the logs a worker reads only those from which it restores.
  private var isTold: Bool {
    let input = world.inputs[0]
    return !kafka.plannedEnds.isDisjoint(with: [.group, .log(world.changelog(input)), .log(world.journal(input))])
  }

  /// - Returns: What should not be; nil: the worker goes on, and ends once more what it can.
  func runWithoutLeaders() -> String? {
    append(deadLetters: 1)
    for _ in 0..<3 {
      guard rest() else { return world.breach ?? "the worker doesn't go on" }
      append(deadLetters: 0)
    }
    kafka.progress(&chance, oneIn: 1)
    let others = Set(kafka.transactions.values.flatMap(\.lost)).subtracting(kafka.leaderless.map { .log($0) })
    if let place = others.first { return "a transaction hangs in \(place)" }
    return difference()
  }

  /// It is refused when it looks what hangs.
  func runWithAnError() -> String? {
    var isRefused = false
    process.refuse = { what in
      guard what == "ends of partitions", !isRefused else { return nil }
      isRefused = true
      return .wrongPassword
    }
    let difference = run()
    return isRefused ? difference : "it looked at nothing"
  }

  /// - Returns: What should not be; nil: it never asks what is committed while it has not decided what hangs.
  func runListening() -> String? {
    var asked = 0
    process.refuse = { [unowned self] what in
      if what == "what is committed", kafka.hangs, !hasDecided { asked += 1 }
      return nil
    }
    let difference = run()
    return asked > 0 ? "it asks \(asked) times" : hasDecided ? difference : "nothing hung"
  }

  private var hasDecided: Bool { world.story.contains { $0.contains("lost the end of a transaction") } }

  /// Another takes its place when it asks for that, which it does right before it would decide what hangs.
  func runUntilItsPlaceIsTaken() -> String? {
    var isTaken = false
    process.refuse = { [unowned self] what in
      if what == "describe the group", !isTaken {
        isTaken = true
        kafka.group.join(0, process: 2)
      }
      return nil
    }
    for _ in 0..<4 {
      append()
      guard rest() else { return world.breach ?? "the worker never came to rest" }
    }
    if !isTaken { return "it never asks who has its place" }
    kafka.progress(&chance, oneIn: 1)
    let again = world.story.first { $0.contains("lost the end of a transaction") }
    return again ?? world.breach ?? world.complaint ?? world.laws.difference()
  }

  /// The topic has no leaders, or another's transaction hangs in all of it, before the worker starts.
  func run(behindWhatStandsIn topic: String, _ hasLeaders: Bool) -> String? {
    let partitions = kafka.partitions(of: topic)
    if hasLeaders { partitions.forEach(kafka.hang) } else { kafka.leaderless = Set(partitions) }
    append(deadLetters: 0)
    guard rest(untilCommitted: true) else { return world.breach ?? "the worker doesn't go on" }
    return difference()
  }

  /// Leaders come back, and an operator ends what hangs.
  private func difference() -> String? {
    (kafka.plannedLoss, kafka.leaderless) = (nil, [])
    kafka.endHanging(exceptOf: [])
    append()
    guard rest() else { return world.breach ?? "no rest at last" }
    kafka.progress(&chance, oneIn: 1)
    if kafka.hangs { return "a transaction hangs" }
    return world.breach ?? world.complaint ?? world.laws.difference()
  }

  var tellsOfPlacesWithoutLeaders: Bool {
    world.story.contains { $0.contains("waits for partitions without a leader") }
  }

  var hasMissedLeader: Bool { process.member?.clients.hasMissedLeader ?? false }

  /// Another's transaction hangs in the topic, behind it lie the worker's own, and brokers go away and come again.
  ///
  /// - Returns: What should not be; nil: the worker goes on, and nothing of its own is decided again.
  func run(behindAnotherIn topic: String) -> String? {
    append()
    guard rest() else { return world.breach ?? "the worker never came to rest" }
    kafka.partitions(of: topic).forEach(kafka.hang)
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

  /// - Parameter deadLetters: How many records nobody understands; nil: at least one.
  private func append(deadLetters: Int? = nil) {
    for _ in 0..<6 {
      var (key, value) = crowd.event(on: 0)
      while deadLetters != nil, String(decoding: value, as: UTF8.self).contains("nothing") {
        (key, value) = crowd.event(on: 0)
      }
      kafka.append(.init(key: key, value: value, timestampMs: world.nowMs, status: .plain), to: world.inputs[0])
    }
    guard deadLetters != 0 else { return }
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
