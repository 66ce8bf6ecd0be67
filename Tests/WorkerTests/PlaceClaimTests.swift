import Kafka
import Settings
import Testing
import Worker

/// A member waits, joins again or ends, by what the coordinator says.
@Suite struct PlaceClaimTests {
  private static func held(by id: String, coordinator: Int32 = 1) -> PlaceClaim.Answer {
    .init(coordinator: coordinator, holder: .init(id: id, instanceId: "w1-0", clientId: "flyscreen-w1-0", host: "/h"))
  }

  private static let free = PlaceClaim.Answer(coordinator: 1, holder: nil)
  private var claim = PlaceClaim(ownIds: ["own", "hung"], sessionMs: 8000)

  @Test mutating func aFreePlaceIsTakenAtOnce() {
    #expect(claim.decide(Self.free, nowMs: 0) == .join)
  }

  @Test mutating func soIsAPlaceThatIsItsOwnStill() {
    #expect(claim.decide(Self.held(by: "own"), nowMs: 0) == .join)
    #expect(claim.decide(Self.held(by: "hung"), nowMs: 500) == .join)
  }

  @Test mutating func aPlaceThatNobodyUsesIsTakenOnceTheCoordinatorHasDroppedIt() {
    for nowMs in stride(from: Int64(0), through: 8000, by: 500) {
      #expect(claim.decide(Self.held(by: "other"), nowMs: nowMs) == .wait)
    }
    #expect(claim.decide(Self.free, nowMs: 8500) == .join)
  }

  @Test mutating func anotherThatOutlastsASessionLives() {
    #expect(claim.decide(Self.held(by: "other"), nowMs: 0) == .wait)
    #expect(claim.decide(Self.held(by: "other"), nowMs: 12_999) == .wait)
    #expect(claim.decide(Self.held(by: "other"), nowMs: 13_000) == .end(Self.held(by: "other").holder!))
  }

  @Test mutating func eachHolderHasItsOwnTime() {
    #expect(claim.decide(Self.held(by: "other"), nowMs: 0) == .wait)
    #expect(claim.decide(Self.held(by: "third"), nowMs: 8000) == .wait)
    #expect(claim.decide(Self.held(by: "third"), nowMs: 20_999) == .wait)
    #expect(claim.decide(Self.held(by: "third"), nowMs: 21_000) == .end(Self.held(by: "third").holder!))
  }

  @Test mutating func anotherCoordinatorBeginsSessionsAnew() {
    #expect(claim.decide(Self.held(by: "other"), nowMs: 0) == .wait)
    #expect(claim.decide(Self.held(by: "other", coordinator: 2), nowMs: 12_000) == .wait)
    #expect(claim.decide(Self.held(by: "other", coordinator: 2), nowMs: 24_999) == .wait)
    #expect(
      claim.decide(Self.held(by: "other", coordinator: 2), nowMs: 25_000) == .end(Self.held(by: "other").holder!))
  }

  @Test mutating func soMayOneThatGaveNoAnswer() {
    #expect(claim.decide(Self.held(by: "other"), nowMs: 0) == .wait)
    #expect(claim.decide(nil, nowMs: 6000) == .wait)
    #expect(claim.decide(Self.held(by: "other"), nowMs: 6500) == .wait)
    #expect(claim.decide(Self.held(by: "other"), nowMs: 19_499) == .wait)
    #expect(claim.decide(Self.held(by: "other"), nowMs: 19_500) == .end(Self.held(by: "other").holder!))
  }
}

/// The same with whole workers, and a group whose coordinator errs.
@Suite struct LostPlaceTests {
  private let world = SimulatedWorld(partitions: [3])
  private let kafka: SimulatedKafka
  private final class Count { var starts = 0 }
  private let count = Count()

  init() { kafka = world.kafka }

  private func start() -> SimulatedProcess {
    world.advance(ms: 20)
    count.starts += 1
    return SimulatedProcess(
      world, number: 1, id: count.starts, isNamed: true,
      plan: world.plan(isNamed: true, begin: .beginning, LogSettings()), seed: UInt64(count.starts))
  }

  /// False: not within that time.
  private func run(_ processes: SimulatedProcess..., ms: Int64, until isSo: () -> Bool) -> Bool {
    let endMs = world.nowMs + ms
    while world.nowMs < endMs {
      world.advance(ms: 20)
      kafka.group.hear(Set(processes.flatMap(\.heartbeats)), nowMs: world.nowMs)
      for process in processes { process.step() }
      deliverLateRequests()
      if isSo() { return true }
    }
    return false
  }

  private func isAtWork(_ process: SimulatedProcess) -> Bool { process.member?.running == world.inputs }

  /// The process that has taken its place for good; nil: it goes on.
  private func replacing(_ process: SimulatedProcess) -> Int? {
    guard let error = process.member?.error as? WorkerError, error == .replaced(id: "w") else { return nil }
    return kafka.group.place(of: 1).holder.flatMap { kafka.group.processes[Int($0.id)!] }
  }

  private func deliverLateRequests() {
    var chance = Chance(seed: 1)
    kafka.progress(&chance, oneIn: 1)
  }

  @Test func aCoordinatorThatForgetsTheLastJoin() {
    let first = start()
    #expect(run(first, ms: 3000) { isAtWork(first) })
    first.die()
    let second = start()
    #expect(run(second, ms: 3000) { isAtWork(second) })
    kafka.group.failOver(forgetting: 1)
    #expect(run(second, ms: 1000) { second.heartbeats.isEmpty }, "it is fenced")
    #expect(run(second, ms: 4000) { isAtWork(second) }, "it has its place again once the first is dropped")
    #expect(second.joins == 2 && replacing(second) == nil)
  }

  /// The client of the one that hangs is still heard, so the coordinator doesn't drop it.
  @Test func aCoordinatorThatGivesThePlaceBackToAMemberThatHangs() {
    let only = start()
    #expect(run(only, ms: 3000) { isAtWork(only) })
    world.goesOn = { [world, kafka] process in
      world.goesOn = { _ in }
      process.handOver()
      #expect(run(process, ms: 3000) { isAtWork(process) })
      kafka.group.failOver(forgetting: 1)
      #expect(run(process, ms: 3000) { !isAtWork(process) })
      #expect(run(process, ms: 15_000) { isAtWork(process) })
    }
    _ = run(only, ms: 100) { false }
    #expect(replacing(only) == nil && isAtWork(only))
  }

  @Test func aCoordinatorThatTakesALateJoin() {
    let only = start()
    #expect(run(only, ms: 3000) { isAtWork(only) })
    only.joinLate()
    deliverLateRequests()
    #expect(run(only, ms: 1000) { only.heartbeats.isEmpty }, "it is fenced")
    #expect(run(only, ms: 4000) { isAtWork(only) })
    #expect(only.joins == 2 && replacing(only) == nil)
  }

  @Test func theOlderOfTwoNamesakesEndsAndTheYoungerGoesOnUntouched() {
    let older = start()
    #expect(run(older, ms: 3000) { isAtWork(older) })
    kafka.haveNamesakes = [1]
    let younger = start()
    #expect(run(older, younger, ms: 60_000) { replacing(older) != nil })
    #expect(replacing(older) == younger.id && isAtWork(younger) && younger.joins == 1)
  }

  @Test func whereBothHaveLostThePlaceOneOfThemEnds() {
    let older = start()
    #expect(run(older, ms: 3000) { isAtWork(older) })
    kafka.haveNamesakes = [1]
    let younger = start()
    younger.joinLate()
    deliverLateRequests()
    #expect(run(older, younger, ms: 60_000) { replacing(older) != nil || replacing(younger) != nil })
    let (left, ended) = replacing(older) == nil ? (older, younger) : (younger, older)
    #expect(replacing(left) == nil && replacing(ended) == left.id && isAtWork(left))
  }

  @Test func soItIsWhereTheCoordinatorChangesMeanwhile() {
    let older = start()
    #expect(run(older, ms: 3000) { isAtWork(older) })
    kafka.haveNamesakes = [1]
    let younger = start()
    #expect(run(older, younger, ms: 3000) { false } == false)
    kafka.group.failOver(forgetting: nil)
    #expect(run(older, younger, ms: 60_000) { replacing(older) != nil })
    #expect(replacing(older) == younger.id && isAtWork(younger) && younger.joins == 1)
  }

  @Test func anOlderOneTakesThePlaceOfANamesakeThatIsGone() {
    let older = start()
    #expect(run(older, ms: 3000) { isAtWork(older) })
    kafka.haveNamesakes = [1]
    let younger = start()
    #expect(run(older, younger, ms: 3000) { older.heartbeats.isEmpty && isAtWork(younger) })
    younger.die()
    #expect(run(older, ms: 20_000) { isAtWork(older) })
    #expect(replacing(older) == nil)
  }
}
