import Kafka
import Settings
import Testing
import Worker

/// The offsets at which a group begins, checked against the broker's logs at that time. Each member goes on while
/// another is in a call.
@Suite struct GroupStartTests {
  /// The last two seeds have found a member that began at 0, since it had asked right before the group began.
  @Test(arguments: Array(1...24) + [176, 186] as [UInt64]) func aGroupBeginsOnceWhereItsSettingSays(seed: UInt64) {
    let start = StartingGroup(seed: seed)
    start.run()
    #expect(start.world.breach == nil, "\(start.world.story.joined(separator: "\n"))")
    #expect(start.begun == Set(start.world.inputs))
  }

  /// The group begins while a member asks, for the second time, what is committed.
  @Test func whoAskedBeforeAnotherBeganAsksAgain() {
    let world = SimulatedWorld(partitions: [2])
    var (chance, crowd) = (Chance(seed: 1), LogCrowd(seed: 1))
    func append() {
      for partition in world.inputs {
        let (key, value) = crowd.event(on: partition.partition)
        world.kafka.append(.init(key: key, value: value, timestampMs: world.nowMs, status: .plain), to: partition)
      }
    }
    let processes = (0..<2).map { number in
      SimulatedProcess(
        world, number: number, id: number, isNamed: false,
        plan: world.plan(isNamed: false, begin: .end, LogSettings()), seed: 1)
    }
    func tick(_ some: [SimulatedProcess]) {
      world.advance(ms: 7)
      world.kafka.progress(&chance, oneIn: 1)
      world.kafka.group.hear(Set(processes.flatMap(\.heartbeats)), nowMs: world.nowMs)
      for process in some { process.step() }
    }
    func place(of process: SimulatedProcess) -> [TopicPartition] { process.consumers.first?.assigned ?? [] }
    var (asks, hasBegun) = (0, false)
    for (process, other) in zip(processes, processes.reversed()) {
      process.refuse = { what in
        guard what == "what is committed", !hasBegun else { return nil }
        guard processes.allSatisfy({ place(of: $0).count == 1 }) else { return .timedOut }
        // The owner of the first partition begins for all.
        if place(of: process) == [world.inputs[0]] { return asks < 2 ? .timedOut : nil }
        asks += 1
        if asks == 2 {
          for _ in 0..<500 where world.laws.next(of: world.inputs[1]) == nil { tick([other]) }
          hasBegun = true
        }
        return nil
      }
    }
    for _ in 0..<3 { append() }
    for _ in 0..<1000 where !hasBegun { tick(processes) }
    append()
    for _ in 0..<200 { tick(processes) }
    #expect(world.breach == nil && world.laws.difference() == nil)
    #expect(world.inputs.allSatisfy { world.laws.next(of: $0) == 4 })
  }

  /// The coordinator drops members without a name, which go on, again and again.
  @Test(arguments: UInt64(1)...60) func whatIsLostInTheMiddleIsNotCommitted(seed: UInt64) {
    let group = StartingGroup(seed: seed)
    group.run(isNamed: false)
    group.losePartitions()
    #expect(group.world.breach == nil, "\(group.world.story.joined(separator: "\n"))")
    #expect(group.world.laws.difference() == nil)
  }
}

/// Members of a group that has committed nothing yet, and inputs that grow.
private final class StartingGroup {
  let world: SimulatedWorld
  private(set) var begun: Set<TopicPartition> = []
  private var chance: Chance
  private var crowd: LogCrowd
  private let begin: GroupBegin
  private var processes: [SimulatedProcess] = []
  /// The offset at which each partition would have begun when the first member came.
  private var first: [TopicPartition: Int64] = [:]
  private var depth = 0

  init(seed: UInt64) {
    chance = Chance(seed: seed)
    crowd = LogCrowd(seed: seed)
    world = SimulatedWorld(partitions: chance.one(in: 2) ? [2, 1] : [3])
    begin =
      switch chance.below(4) {
      case 0: .beginning
      case 1: .end
      default: .time(SimulatedWorld.beganMs + Int64(chance.below(80)), as: "then")
      }
    let commit = world.kafka.onCommit
    world.kafka.onCommit = { [unowned self] in
      check($0)
      commit($0)
    }
    world.goesOn = { [unowned self] in goOn(during: $0) }
  }

  deinit { for process in processes { process.die() } }

  func run(isNamed: Bool? = nil) {
    for _ in 0..<chance.below(10) { append() }
    for partition in world.inputs { first[partition] = place(in: partition) }
    let isNamed = isNamed ?? chance.one(in: 2)
    for number in 0..<(1 + chance.below(3)) {
      processes.append(
        SimulatedProcess(
          world, number: number, id: number, isNamed: isNamed,
          plan: world.plan(isNamed: isNamed, begin: begin, LogSettings()), seed: chance.next()))
    }
    for _ in 0..<2000 where world.breach == nil && begun.count < world.inputs.count { tick(ms: 7) }
    for _ in 0..<40 where world.breach == nil { tick(ms: 7) }
  }

  func losePartitions() {
    for _ in 0..<250 where world.breach == nil {
      tick(ms: 1 + Int64(chance.below(4)))
      let places = world.kafka.group.silent(alive: [])
      if chance.one(in: 25), !places.isEmpty {
        world.kafka.group.dropSilent(places[chance.below(places.count)], alive: [])
      }
    }
    // An open transaction would hide later records from readers.
    world.kafka.timeOutTransactions { _ in true }
    world.kafka.progress(&chance, oneIn: 1)
  }

  private func tick(ms: Int64) {
    world.advance(ms: ms)
    world.kafka.progress(&chance, oneIn: 2)
    world.kafka.group.hear(Set(processes.flatMap(\.heartbeats)), nowMs: world.nowMs)
    if chance.one(in: 4) { append() }
    for process in processes.shuffled(using: &chance) { process.step() }
  }

  private func goOn(during process: SimulatedProcess) {
    guard depth < 2, chance.one(in: 3) else { return }
    depth += 1
    defer { depth -= 1 }
    if chance.one(in: 2) { append() }
    world.kafka.progress(&chance, oneIn: 2)
    for other in processes where other !== process && !other.isBusy { other.step() }
  }

  private func append() {
    world.advance(ms: Int64(chance.below(5)))
    let partition = world.inputs[chance.below(world.inputs.count)]
    let (key, value) = crowd.event(on: partition.partition + (partition.topic == "in" ? 0 : 10))
    world.kafka.append(.init(key: key, value: value, timestampMs: world.nowMs, status: .plain), to: partition)
  }

  /// The offset at which the group would begin in a partition now.
  private func place(in partition: TopicPartition) -> Int64 {
    switch begin {
    case .beginning: 0
    case .end: world.kafka.log(partition).stable
    case .time(let timeMs, _):
      world.kafka.read(partition, from: 0).first { $0.entry.timestampMs >= timeMs }?.offset
        ?? world.kafka.log(partition).stable
    }
  }

  private func check(_ transaction: SimulatedKafka.Transaction) {
    for (partition, found) in transaction.offsets where found.offset.metadata == GroupBeginning.mark {
      begun.insert(partition)
      let offset = found.offset.offset
      // It was asked for some time between the two.
      if offset < first[partition]! || offset > place(in: partition) {
        world.breach("\(partition): begins at \(offset), and not from \(first[partition]!) to \(place(in: partition))")
      }
    }
  }
}
