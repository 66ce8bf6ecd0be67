import Kafka
import Probes
import Settings
import Testing
import Worker

/// One worker, and what brokers tell it that no schedule does.
@Suite struct OneWorkerTests {
  private let world = SimulatedWorld(partitions: [3])
  private var kafka: SimulatedKafka { world.kafka }
  private let process: SimulatedProcess
  private let crowd = Crowd()

  private final class Crowd { var events = LogCrowd(seed: 1) }

  init() { process = Self.start(0, in: world) }

  private static func start(_ number: Int, in world: SimulatedWorld) -> SimulatedProcess {
    SimulatedProcess(
      world, number: number, id: number, isNamed: false,
      plan: world.plan(isNamed: false, begin: .beginning, LogSettings()), seed: 1)
  }

  private func append() {
    for partition in world.inputs {
      let (key, value) = crowd.events.event(on: partition.partition)
      kafka.append(.init(key: key, value: value, timestampMs: world.nowMs, status: .plain), to: partition)
    }
  }

  private func run(_ other: SimulatedProcess? = nil, ms: Int64, until isSo: () -> Bool = { false }) -> Bool {
    let process = other ?? process
    var chance = Chance(seed: 1)
    for _ in 0..<(ms / 20) where world.breach == nil && !isSo() {
      world.advance(ms: 20)
      kafka.progress(&chance, oneIn: 1)
      kafka.group.hear(Set(process.heartbeats), nowMs: world.nowMs)
      process.step()
    }
    return isSo()
  }

  private var isDone: Bool {
    world.inputs.allSatisfy { world.laws.next(of: $0) == kafka.log($0).end }
  }

  /// All that a partition had was deleted while nothing was read: that is told, and what comes then is worked off.
  @Test func aPositionThatTheLogNoLongerHasIsLookedAtAnew() {
    append()
    // Long enough for all rooms to be written, and for ids to be forgotten.
    _ = run(ms: 80_000)
    #expect(isDone)
    append()
    for partition in world.inputs { kafka.deleteAll(of: partition) }
    let joins = process.joins
    #expect(run(ms: 3000) { process.member!.running == world.inputs && told("records were deleted") == 3 })
    append()
    #expect(run(ms: 3000) { isDone })
    _ = run(ms: 100)
    #expect(world.breach == nil && world.laws.difference() == nil)
    #expect(process.joins == joins && told("the log no longer has the next record") == 1)
  }

  private func append(_ body: String) {
    let value = Array(#"{"roomId":"r",\#(body)}"#.utf8)
    kafka.append(
      .init(key: Array("r".utf8), value: value, timestampMs: world.nowMs, status: .plain), to: world.inputs[0])
  }

  /// Retention takes all that was written of a log to which nothing comes any more.
  @Test func whatARoomRemembersOutlivesTheLogsOfAnIdlePartition() {
    append(#""retract":{"userId":"7","muteMs":86400000}"#)
    #expect(run(ms: 3000) { isDone })
    _ = run(ms: 1000)
    let input = world.inputs[0]
    for log in [input, world.changelog(input), world.journal(input)] { kafka.deleteAll(of: log) }
    _ = run(ms: 12 * SimulatedWorld.checkpointMs)
    process.die()
    let next = Self.start(1, in: world)
    append(#""gift":{"sender":{"userId":"7"},"giftId":"rose"}"#)
    #expect(run(next, ms: 10_000) { isDone })
    #expect(world.breach == nil && told("level=error") == 0)
  }

  @Test func whatIsNotCommittedWhenAWorkerIsToldToStopIs() {
    append()
    #expect(run(ms: 3000) { isDone })
    // The first are committed at once, and so soon after that the next ones wait.
    for _ in 0..<2 {
      append()
      process.step()
    }
    var chance = Chance(seed: 1)
    kafka.progress(&chance, oneIn: 1)
    #expect(!isDone)
    process.stop()
    kafka.progress(&chance, oneIn: 1)
    #expect(isDone && process.member!.hasEnded && world.breach == nil && world.laws.difference() == nil)
  }

  /// Nothing but time mends it, and the log tells it once.
  @Test func aRestoreThatFailsBeginsAnewUntilItSucceeds() {
    var failures = 0
    let changelog = world.changelog(world.inputs[0])
    process.refuse = { what in
      guard what == "read \(changelog)", failures < 3 else { return nil }
      failures += 1
      return KafkaError(name: "UNKNOWN", code: -1, message: "a server error", kind: .other)
    }
    append()
    #expect(run(ms: 10_000) { isDone })
    #expect(failures == 3 && told("a restore fails and begins anew") == 1)
  }

  /// A worker that restores what an earlier one has left.
  private func successor() -> SimulatedProcess {
    append()
    #expect(run(ms: 3000) { isDone })
    _ = run(ms: 1000)
    process.die()
    return Self.start(1, in: world)
  }

  private var logsOfTheFirst: [TopicPartition] {
    [world.inputs[0], world.changelog(world.inputs[0]), world.journal(world.inputs[0])]
  }

  /// And once it has a leader again, a restore of it that fails leaves the others at work.
  @Test(arguments: 0..<3) func aPartitionWithoutALeaderHoldsUpNoOther(log: Int) {
    let next = successor()
    let others = Array(world.inputs.dropFirst())
    kafka.leaderless = [logsOfTheFirst[log]]
    append()
    #expect(run(next, ms: 3000) { others.allSatisfy { world.laws.next(of: $0) == kafka.log($0).end } })
    _ = run(next, ms: 5000)
    #expect(next.member!.running == others && told("no broker leads \(logsOfTheFirst[log])") == 1)
    #expect(world.registry.text().contains(#"flyscreen_unready{reason="failing"} 1"#))
    kafka.leaderless = []
    var failures = 0
    next.refuse = { what in
      guard what == "read \(logsOfTheFirst[1])", failures < 3 else { return nil }
      failures += 1
      return KafkaError(name: "UNKNOWN", code: -1, message: "a server error", kind: .other)
    }
    var haveStopped = false
    #expect(
      run(next, ms: 10_000) {
        haveStopped = haveStopped || !Set(next.member!.running).isSuperset(of: others)
        return isDone
      })
    #expect(failures == 3 && !haveStopped && world.breach == nil && world.laws.difference() == nil)
  }

  @Test(arguments: 0..<3) func aLeaderThatGoesAwayDuringARestoreHoldsUpNoOther(log: Int) {
    let next = successor()
    let others = Array(world.inputs.dropFirst())
    append()
    next.refuse = { what in
      if what == "read \(logsOfTheFirst[log])" { kafka.leaderless = [logsOfTheFirst[log]] }
      return nil
    }
    #expect(run(next, ms: 10_000) { others.allSatisfy { world.laws.next(of: $0) == kafka.log($0).end } })
    #expect(next.member!.running == others && told("no broker leads \(logsOfTheFirst[log])") == 1)
    next.refuse = { _ in nil }
    kafka.leaderless = []
    #expect(run(next, ms: 10_000) { isDone })
    #expect(world.breach == nil && world.laws.difference() == nil)
  }

  /// A worker that comes to a damaged batch, and one that meets such a batch in a restore. All goes on where it stood once
  /// the batch is mended, as by another leader.
  @Test(arguments: 0..<4) func aPartitionThatCantBeReadHoldsUpNoOther(log: Int) {
    let worker = log < 3 ? successor() : process
    let others = Array(world.inputs.dropFirst())
    if log == 3 {
      append()
      #expect(run(ms: 3000) { isDone })
    }
    kafka.unreadable = [logsOfTheFirst[log % 3]]
    append()
    #expect(run(worker, ms: 5000) { others.allSatisfy { world.laws.next(of: $0) == kafka.log($0).end } })
    _ = run(worker, ms: 5000)
    #expect(!isDone && told("\(logsOfTheFirst[log % 3]) can't be read") == 1)
    let metrics = world.registry.text()
    #expect(metrics.contains(#"flyscreen_unready{reason="unreadable"} 1"#))
    // Who restores does not know yet how far behind it is.
    if log == 3 {
      let lag = metrics.split(separator: "\n").first {
        $0.hasPrefix("flyscreen_lag_seconds") && $0.contains(#"partition="0""#)
      }
      #expect(lag.map { !$0.hasSuffix(" 0") } == true, "\(lag ?? "")")
    }
    kafka.unreadable = []
    #expect(run(worker, ms: 10_000) { isDone })
    _ = run(worker, ms: 1000)
    #expect(world.registry.text().contains(#"flyscreen_unready{reason="unreadable"} 0"#))
    #expect(world.breach == nil && world.laws.difference() == nil)
  }

  /// The marker of the last commit comes late to the changelog, and the broker that leads it since knows of nothing behind.
  @Test func aCommitThatALateMarkerHidesIsRestored() throws {
    append(#""gift":{"sender":{"userId":"7"},"giftId":"rose"}"#)
    let changelog = world.changelog(world.inputs[0])
    var chance = Chance(seed: 1)
    var hidden: Int?
    func step(_ process: SimulatedProcess) {
      world.advance(ms: 20)
      kafka.group.hear(Set(process.heartbeats), nowMs: world.nowMs)
      process.step()
    }
    for _ in 0..<100 where hidden == nil {
      step(process)
      // One with the state of the room.
      hidden =
        kafka.transactions.first { _, transaction in
          transaction.isCommit == true && transaction.places.contains(.log(changelog))
            && transaction.records.contains { $0.partition == changelog && $0.entry.key != nil }
        }?.key
      if hidden == nil { kafka.progress(&chance, oneIn: 1) }
    }
    let last = try #require(hidden)
    for place in kafka.transactions[last]!.places where place != .log(changelog) {
      kafka.end(last, in: place, isCommit: true)
    }
    process.die()
    let next = Self.start(1, in: world)
    next.haveNewLeaders = [changelog]
    for _ in 0..<150 { step(next) }
    #expect(told("assigned member=1") == 1 && !next.member!.running.contains(world.inputs[0]))
    #expect(run(next, ms: 3000) { next.member!.running == world.inputs })
    _ = run(next, ms: 10_000)
    #expect(world.breach == nil && world.laws.difference() == nil)
  }

  private func setPlaces(_ count: Int) {
    for topic in world.topics.beside("in") { kafka.partitionCounts[topic] = count }
  }

  /// The topic has grown, and those beside it grow later.
  @Test func aPartitionWithoutPlacesBeginsOnceThereAreSome() {
    let first = world.inputs
    kafka.group.partitions.append(TopicPartition("in", 3))
    kafka.partitionCounts["in"] = 4
    #expect(run(ms: 3000) { process.member!.running == first })
    setPlaces(4)
    append()
    #expect(run(ms: 10_000) { process.member!.running == world.inputs && isDone })
  }

  /// Somebody made one of the topics beside it anew, with as many as it had when the worker began.
  @Test func aRestoreSaysThatItWaitsForPlacesThatAreGone() {
    kafka.group.partitions.append(TopicPartition("in", 3))
    kafka.partitionCounts["in"] = 4
    setPlaces(4)
    #expect(run(ms: 10_000) { process.member!.running == world.inputs })
    let changelog = world.changelog(world.inputs[0]).topic
    kafka.partitionCounts[changelog] = 3
    // A transaction fails, so the member goes back to what is committed.
    kafka.maxBytes["commands"] = 400_000
    append()
    #expect(run(ms: 30_000) { told("helper topics of in have 3 partitions, and had 4") > 0 })
    _ = run(ms: 5000)
    #expect(told("helper topics of in have 3 partitions, and had 4") == 1)
    #expect(world.registry.text().contains(#"flyscreen_unready{reason="failing"} 1"#))
    kafka.partitionCounts[changelog] = 4
    #expect(run(ms: 10_000) { isDone } && told("all helper topics have their partitions") == 1)
    #expect(world.breach == nil)
  }

  /// For one there are no places yet, and of others more was known before than a broker tells.
  @Test func partitionsThatWaitForThisAndThatAllBegin() {
    let first = world.inputs
    kafka.partitionCounts["in"] = 5
    append()
    #expect(run(ms: 3000) { first.allSatisfy { world.laws.next(of: $0) == kafka.log($0).end } })
    process.die()
    kafka.group.partitions.append(TopicPartition("in", 3))
    kafka.partitionCounts["in"] = 4
    let next = Self.start(1, in: world)
    #expect(run(next, ms: 10_000) { told("assigned member=1") > 0 && told("the broker tells of 4") > 0 })
    _ = run(next, ms: 1000)
    #expect(next.member!.running == [])
    kafka.partitionCounts["in"] = 5
    setPlaces(5)
    #expect(run(next, ms: 10_000) { next.member!.running == first + [TopicPartition("in", 3)] })
    #expect(world.breach == nil)
  }

  /// A topic takes little at a time, which a worker learns by transactions that fail.
  @Test func aDeadLetterThatGoesOutAfterTriesThatFailIsCountedOnce() {
    #expect(run(ms: 3000) { process.member!.running == world.inputs })
    kafka.maxBytes["commands"] = 400_000
    append()
    kafka.append(
      .init(key: nil, value: Array("oops".utf8), timestampMs: world.nowMs, status: .plain), to: world.inputs[2])
    append()
    #expect(run(ms: 30_000) { isDone } && told("a transaction failed") > 0)
    let counted = #"flyscreen_dead_letters_total{reason="not_json"} 1"#
    #expect(world.registry.text().split(separator: "\n").contains(Substring(counted)))
  }

  private func told(_ what: String) -> Int { world.story.count { $0.contains(what) } }

  /// A worker that has never committed anything has wrong settings, so it ends and says why; another waits for the right.
  @Test(arguments: [false, true]) func aRightThatIsMissingInATransactionIsTold(hasCommitted: Bool) throws {
    if hasCommitted {
      append()
      #expect(run(ms: 3000) { process.hasCommitted })
    }
    kafka.unwritable = ["commands"]
    append()
    if hasCommitted {
      #expect(run(ms: 5000) { told("refuses us") > 0 })
      kafka.unwritable = []
      #expect(run(ms: 30_000) { isDone })
    } else {
      #expect(run(ms: 5000) { process.member!.hasEnded })
      let error = try #require(process.member!.error as? WorkerError)
      guard case .refused(let why, isOfTransaction: true) = error else { throw error }
      #expect(why.kind == .authorization)
    }
  }

  /// A password that a worker was never let in with is a wrong setting, so it ends and says why. One that has been at work,
  /// though nothing came, waits until it is right again.
  @Test(arguments: [false, true]) func aWrongPasswordEndsWhoWasNeverLetIn(hasBeenReady: Bool) throws {
    if hasBeenReady {
      #expect(run(ms: 3000) { process.member!.running == world.inputs })
      // A worker looks now and then how it stands.
      _ = run(ms: 3000)
    }
    kafka.isPasswordWrong = true
    if hasBeenReady {
      #expect(run(ms: 5000) { told("refuses us") > 0 || process.member!.hasEnded })
      #expect(!process.member!.hasEnded && !process.hasCommitted)
      let tries = process.joins
      _ = run(ms: 300_000)
      #expect(5..<50 ~= process.joins - tries, "it asks less and less often: brokers lock accounts")
      kafka.isPasswordWrong = false
      append()
      #expect(run(ms: 60_000) { isDone } && told("the broker accepts our credentials and rights again") == 1)
    } else {
      #expect(run(ms: 5000) { process.member!.hasEnded })
      let error = try #require(process.member!.error as? WorkerError)
      guard case .refused(let why, _) = error else { throw error }
      #expect(why.kind == .authentication)
    }
  }
}
