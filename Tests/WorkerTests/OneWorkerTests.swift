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

  init() {
    process = SimulatedProcess(
      world, number: 0, id: 0, isNamed: false, plan: world.plan(isNamed: false, begin: .beginning, LogSettings()),
      seed: 1)
  }

  private func append() {
    for partition in world.inputs {
      let (key, value) = crowd.events.event(on: partition.partition)
      kafka.append(.init(key: key, value: value, timestampMs: world.nowMs, status: .plain), to: partition)
    }
  }

  private func run(ms: Int64, until isSo: () -> Bool = { false }) -> Bool {
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
    #expect(process.joins == joins && told("the log has moved on") == 1)
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
      kafka.isPasswordWrong = false
      append()
      #expect(run(ms: 30_000) { isDone } && told("the broker lets us go on") == 1)
    } else {
      #expect(run(ms: 5000) { process.member!.hasEnded })
      let error = try #require(process.member!.error as? WorkerError)
      guard case .refused(let why, _) = error else { throw error }
      #expect(why.kind == .authentication)
    }
  }
}
