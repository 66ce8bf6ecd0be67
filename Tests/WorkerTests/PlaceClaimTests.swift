import Kafka
import Settings
import Testing
import Worker

/// Who waits, who joins again and who ends, by what the coordinator says.
@Suite struct PlaceClaimTests {
  private static func held(by id: String, coordinator: Int32 = 1) -> PlaceClaim.Answer {
    .init(coordinator: coordinator, holder: .init(id: id, instanceId: "w1-0", clientId: "flyscreen-w1-0", host: "/h"))
  }

  private static let free = PlaceClaim.Answer(coordinator: 1, holder: nil)
  private var claim = PlaceClaim(ownId: "own", sessionMs: 8000)

  @Test mutating func aFreePlaceIsTakenAtOnce() {
    #expect(claim.decide(Self.free, nowMs: 0) == .join)
  }

  @Test mutating func soIsAPlaceThatIsItsOwnStill() {
    #expect(claim.decide(Self.held(by: "own"), nowMs: 0) == .join)
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
  private let kafka = SimulatedKafka()
  private final class Time {
    var nowMs: Int64 = 1_700_000_000_000
    var processes = 0
  }
  private let time = Time()

  init() { kafka.groupPartitions = (0..<3).map { TopicPartition("in", $0) } }

  private func start(_ name: Int = 1) -> SimulatedWorker {
    time.nowMs += 20
    time.processes += 1
    return SimulatedWorker(
      name: name, kafka: kafka, settings: LogSettings(), seed: UInt64(time.nowMs),
      process: time.processes)
  }

  /// False: not within that time.
  private func run(_ workers: SimulatedWorker..., ms: Int64, until isSo: () -> Bool) -> Bool {
    let endMs = time.nowMs + ms
    while time.nowMs < endMs {
      time.nowMs += 20
      kafka.hear(Set(workers.filter { $0.replacedBy == nil }.compactMap(\.heartbeat)), nowMs: time.nowMs)
      for worker in workers where worker.replacedBy == nil { worker.step(nowMs: time.nowMs, faults: false) }
      if isSo() { return true }
    }
    return false
  }

  private func isAtWork(_ worker: SimulatedWorker) -> Bool {
    worker.heartbeat != nil && kafka.groupPartitions.allSatisfy { worker.has($0) }
  }

  private func deliverLateRequests() {
    var chance = Chance(seed: 1)
    kafka.progress(&chance, oneIn: 1)
  }

  @Test func aCoordinatorThatForgetsTheLastJoin() {
    let first = start()
    #expect(run(first, ms: 1000) { isAtWork(first) })
    first.crash()
    let second = start()
    #expect(run(second, ms: 1000) { isAtWork(second) })
    kafka.failOver(forgetting: 1)
    #expect(run(second, ms: 1000) { second.heartbeat == nil }, "it is fenced")
    #expect(run(second, ms: 3000) { isAtWork(second) }, "it has its place again once the first is dropped")
    #expect(second.lives == 1 && second.replacedBy == nil)
  }

  @Test func aCoordinatorThatTakesALateJoin() {
    let only = start()
    #expect(run(only, ms: 1000) { isAtWork(only) })
    only.joinLate()
    deliverLateRequests()
    #expect(run(only, ms: 1000) { only.heartbeat == nil }, "it is fenced")
    #expect(run(only, ms: 3000) { isAtWork(only) })
    #expect(only.lives == 1 && only.replacedBy == nil)
  }

  @Test func theOlderOfTwoNamesakesEndsAndTheYoungerGoesOnUntouched() {
    let older = start()
    #expect(run(older, ms: 1000) { isAtWork(older) })
    let younger = start()
    #expect(run(older, younger, ms: 60_000) { older.replacedBy != nil })
    #expect(older.replacedBy == younger.process && isAtWork(younger) && younger.lives == 0)
  }

  @Test func whereBothHaveLostThePlaceOneOfThemEnds() {
    let older = start()
    #expect(run(older, ms: 1000) { isAtWork(older) })
    let younger = start()
    younger.joinLate()
    deliverLateRequests()
    #expect(run(older, younger, ms: 60_000) { older.replacedBy != nil || younger.replacedBy != nil })
    let (left, ended) = older.replacedBy == nil ? (older, younger) : (younger, older)
    #expect(left.replacedBy == nil && ended.replacedBy == left.process && isAtWork(left))
  }

  @Test func soItIsWhereTheCoordinatorChangesMeanwhile() {
    let older = start()
    #expect(run(older, ms: 1000) { isAtWork(older) })
    let younger = start()
    #expect(run(older, younger, ms: 3000) { false } == false)
    kafka.failOver(forgetting: nil)
    #expect(run(older, younger, ms: 60_000) { older.replacedBy != nil })
    #expect(older.replacedBy == younger.process && isAtWork(younger) && younger.lives == 0)
  }

  @Test func anOlderOneTakesThePlaceOfANamesakeThatIsGone() {
    let older = start()
    #expect(run(older, ms: 1000) { isAtWork(older) })
    let younger = start()
    #expect(run(older, younger, ms: 1000) { older.heartbeat == nil && isAtWork(younger) })
    younger.crash()
    #expect(run(older, ms: 20_000) { isAtWork(older) })
    #expect(older.replacedBy == nil)
  }
}
