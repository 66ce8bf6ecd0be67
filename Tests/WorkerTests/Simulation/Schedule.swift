import Kafka
import RoomEngine
import RoomModel
import Settings
import Worker

/// Whole workers over a Kafka of arrays, in one thread: what happens, and when, comes from a seed.
///
/// Others go on while a member is in any of its calls, where it may freeze or end, too.
final class Schedule {
  let world: SimulatedWorld
  private var kafka: SimulatedKafka { world.kafka }
  private var chance: Chance
  private var processes: [SimulatedProcess] = []
  /// Numbers of workers that are gone.
  private var dead: Set<Int> = []
  private var nextNumber = 0
  private var starts = 0
  /// The time at which the group last heard each process that is gone.
  private var gone: [Int: Int64] = [:]
  private var crowd: LogCrowd
  private var forms: RecordForms
  private let tool: OffsetTool?
  private let steps: Int
  private let lateRecords: Bool
  /// The mean number of steps that requests and markers are under way in Kafka.
  private let lateness: Int
  /// Whether workers have names for good.
  private let areNamed: Bool
  private let begin: GroupBegin
  /// The depth of calls in which others go on.
  private var depth = 0
  /// Since when something has hung.
  private var hangingFromMs: Int64?
  private var finished = false

  /// - Parameter features: What a schedule may have, if its seed says so.
  init(seed: UInt64, features: [Feature] = Feature.allCases) {
    func chances(_ feature: Feature) -> Chance? { features.contains(feature) ? feature.chance(seed: seed) : nil }
    chance = Chance(seed: seed)
    crowd = LogCrowd(seed: seed)
    forms = RecordForms(chances(.protobuf))
    let world = SimulatedWorld(partitions: chance.one(in: 3) ? [2, 1] : [3])
    self.world = world
    if seed % 2 == 0 { world.manyMarks = 5 }
    tool = chances(.setBack).map { OffsetTool(world, $0) }
    world.growth = chances(.growth).map { SimulatedGrowth(world, $0) }
    (world.repeats, world.newLeaders) = (chances(.repeats), tool == nil ? chances(.newLeaders) : nil)
    (steps, lateRecords) = (30 + chance.below(200), chance.one(in: 2))
    (lateness, areNamed) = (1 + chance.below(6), !chance.one(in: 3))
    begin =
      switch chance.below(6) {
      case 0: .end
      case 1: .time(SimulatedWorld.beganMs + 500, as: "then")
      default: .beginning
      }
    world.goesOn = { [unowned self] in goOn(during: $0) }
  }

  deinit { for process in processes { process.die() } }

  /// - Returns: The first error; nil: all is as it should be.
  func run() -> String? {
    if chance.one(in: 3) { for _ in 0..<10 { append() } }
    world.hasFaults = true
    for _ in 0...chance.below(2) { start() }
    for _ in 0..<steps where world.breach == nil { disturb() }
    if world.breach == nil { comeToRest() }
    return world.breach ?? (finished ? world.complaint ?? world.laws.difference() : "the workers never came to rest")
  }

  /// Quiet at last: one worker is left, and it comes to an end of its work.
  private func comeToRest() {
    world.hasFaults = false
    for process in processes { process.isFrozen = false }
    kafka.areRightsGone = false
    world.growth?.finish()
    kafka.timeOutTransactions { _ in true }
    kafka.stopLosing()
    if processes.isEmpty { start() }
    guard settle() else { return }
    if let tool, !world.laws.resting.isEmpty {
      restartAll { tool.tell() }
      guard settle() else { return }
    }
    if chance.one(in: 2) {
      for _ in 0..<3 {
        crashAll()
        start()
        for _ in 0..<chance.below(3) { append() }
        guard settle() else { return }
      }
    }
    finished = !chance.one(in: 3) || rest() && loseInput()
    kafka.progress(&chance, oneIn: 1)
  }

  /// Runs until everything that is due is done; false: that took too long.
  private func settle() -> Bool {
    for _ in 0..<8000 where world.breach == nil {
      tick()
      let isDone = world.inputs.allSatisfy { partition in
        if world.laws.resting[partition] != nil {
          return processes.contains { $0.member?.resting.contains(partition) ?? false }
        }
        guard let owner = processes.first(where: { $0.member?.running.contains(partition) ?? false }),
          let next = world.laws.next(of: partition), kafka.read(partition, from: next).isEmpty
        else { return false }
        return world.laws.nextDeadline(of: partition) > world.nowMs + owner.skewMs - LogSettings().graceMs
      }
      if isDone, processes.allSatisfy({ $0.member?.isAtRest(nowMs: world.nowMs) ?? false }) {
        if let excess = world.excess(of: processes) { world.breach(excess) }
        return world.breach == nil
      }
    }
    return false
  }

  /// Runs until nothing has happened for as long as it takes to write every room; false: that took too long.
  private func rest() -> Bool {
    var (fired, sinceMs) = (Int64(-1), world.nowMs)
    for _ in 0..<5000 where world.breach == nil {
      tick(ms: 40)
      let now = processes.reduce(0) { $0 + ($1.member?.timersFired ?? 0) }
      // A member that goes back to its commit fires nothing, and has rooms to write afterwards.
      let isSettled = processes.allSatisfy { $0.member?.isSettled ?? false }
      if now != fired || !isSettled { (fired, sinceMs) = (now, world.nowMs) }
      // Rooms that grow old are written now and then, in one partition or another.
      let isAtRest = processes.allSatisfy { $0.member?.isAtRest(nowMs: world.nowMs) ?? false }
      if world.nowMs - sinceMs > SimulatedWorld.checkpointMs + 200, isAtRest {
        if let excess = world.excess(of: processes, isWritten: true) { world.breach(excess) }
        return world.breach == nil
      }
    }
    return false
  }

  /// The changelog alone tells the next owner how the rooms stand; what still comes of them shows whether it does.
  private func loseInput() -> Bool {
    kafka.deleteProcessed()
    world.note("what was processed is deleted")
    crashAll()
    start()
    for _ in 0..<20 {
      guard settle() else { return false }
      world.advance(ms: 3000)
    }
    return settle()
  }

  private func crashAll() {
    while let process = processes.first { crash(process) }
    kafka.timeOutTransactions { _ in true }
  }

  /// - Parameter body: Done while nobody is in the group.
  private func restartAll(_ body: () -> Void) {
    crashAll()
    for place in kafka.group.silent(alive: []) { kafka.group.dropSilent(place, alive: []) }
    body()
    start()
  }

  private func tick(ms: Int64 = 7) {
    world.advance(ms: kafka.hangs ? 100 : ms)
    kafka.progress(&chance, oneIn: 2)
    hear()
    for process in processes { process.step() }
    removeEnded()
    // The last one may have ended for a namesake that crashed just before.
    if processes.isEmpty { start() }
    for place in kafka.group.silent(alive: heartbeats) { kafka.group.dropSilent(place, alive: heartbeats) }
    endHanging()
  }

  /// Those that know of their own see to these.
  private func endHanging() {
    let knowing = processes.compactMap(\.member).filter(\.knowsPast)
    kafka.endHanging(exceptOf: Set(knowing.map(\.clients).map(ObjectIdentifier.init)))
  }

  private var heartbeats: Set<Int> { Set(processes.flatMap(\.heartbeats)) }

  private func hear() { kafka.group.hear(heartbeats, nowMs: world.nowMs) }

  // MARK: Events

  private func goOn(during process: SimulatedProcess) {
    guard world.hasFaults, depth < 2, chance.one(in: depth == 0 ? 60 : 400) else { return }
    depth += 1
    defer { depth -= 1 }
    switch chance.below(8) {
    case 0:
      crash(process)
    case 1:
      world.note("\(process.name) freezes in a call")
      process.isFrozen = true
      for _ in 0...chance.below(20) { disturb() }
      if chance.one(in: 2) { world.advance(ms: SimulatedWorld.sessionMs) }
      for _ in 0...chance.below(10) { disturb() }
      process.isFrozen = false
      world.note("\(process.name) goes on")
    default:
      for _ in 0...chance.below(10) { disturb() }
    }
  }

  private func disturb() {
    world.growth?.disturb()
    if let tool, depth == 0, let deed = tool.next() {
      restartAll { deed == .set ? tool.set() : tool.tell() }
    }
    world.advance(ms: Int64(chance.below(chance.one(in: 10) ? 4000 : 60)))
    kafka.progress(&chance, oneIn: lateness)
    // Members go on in the end, whatever hangs: an operator is faster.
    hangingFromMs = kafka.hangs ? hangingFromMs ?? world.nowMs : nil
    if let fromMs = hangingFromMs, world.nowMs - fromMs > 15_000 {
      endHanging()
      hangingFromMs = nil
    }
    hear()
    switch chance.below(64) {
    case 0 where processes.count < 4: start(number: areNamed && chance.one(in: 2) ? dead.min() : nil)
    case 1: one(of: processes).map(crash)
    case 2 where processes.count > 1:
      guard let process = one(of: processes.filter { !$0.isBusy && !$0.isFrozen }) else { break }
      world.note("\(process.name) is told to stop")
      process.stop()
      removeEnded()
    case 3:
      guard let process = one(of: processes) else { break }
      process.isFrozen = true
      world.note("\(process.name) freezes")
    case 4, 5: for process in processes where !process.isBusy { process.isFrozen = false }
    case 6, 7:
      for place in kafka.group.silent(alive: heartbeats) where chance.one(in: 2) {
        kafka.group.dropSilent(place, alive: heartbeats)
        world.note("the group drops \(place)")
      }
    case 8, 9:
      let frozen = Set(processes.lazy.filter(\.isFrozen).map(\.number))
      kafka.timeOutTransactions { [dead] in dead.contains($0) || frozen.contains($0) }
    case 10...30: append()
    case 31, 32:
      guard let process = one(of: processes.filter { $0.isBusy && $0.member?.isBusy == true && !$0.isFrozen }) else {
        break
      }
      world.note("\(process.name) hangs in a call, and another member takes its place")
      process.handOver()
    case 33:
      let forgotten = areNamed && chance.one(in: 2) ? one(of: processes)?.number : nil
      kafka.group.failOver(forgetting: forgotten)
      world.note("another broker coordinates the group")
    case 34 where areNamed: one(of: processes)?.joinLate()
    case 35 where areNamed && processes.count < 4:
      if let twin = one(of: processes) { start(number: twin.number) }
    case 36 where chance.one(in: 3):
      kafka.areRightsGone = true
      world.note("rights are taken away")
    case 37, 38, 39: kafka.areRightsGone = false
    case 40:
      kafka.maxBytes = chance.one(in: 2) ? [:] : ["commands": 3000 + chance.below(100_000)]
    case 41: one(of: processes)?.skewMs = Int64(chance.below(20_000)) - 10_000
    case 42: appendForeign()
    case 43 where chance.one(in: 2):
      world.note("the brokers crash")
      kafka.crash(&chance)
    case 44 where chance.one(in: 4): endHanging()
    case 45 where chance.one(in: 3): hangForeign()
    default: break
    }
    for process in processes where !process.isFrozen && !chance.one(in: 4) { process.step() }
    removeEnded()
  }

  private func one(of processes: [SimulatedProcess]) -> SimulatedProcess? {
    processes.isEmpty ? nil : processes[chance.below(processes.count)]
  }

  /// - Parameter number: Of one that is gone, or has a namesake from now on; nil: a new one.
  private func start(number: Int? = nil) {
    if let number {
      dead.remove(number)
      if processes.contains(where: { $0.number == number }) { kafka.haveNamesakes.insert(number) }
    }
    starts += 1
    let process = SimulatedProcess(
      world, number: number ?? nextNumber, id: starts, isNamed: areNamed,
      plan: world.plan(isNamed: areNamed, begin: begin, settings(), rewind: tool?.rewind ?? []), seed: chance.next())
    if number == nil { nextNumber += 1 }
    processes.append(process)
    world.note("\(process.name) begins")
  }

  private func crash(_ process: SimulatedProcess) {
    guard !process.isDead else { return }
    world.note("\(process.name) crashes\(process.isBusy ? " in a call" : "")")
    process.die()
    if areNamed, chance.one(in: 4) { process.joinLate() }
    remove(process)
  }

  private func remove(_ process: SimulatedProcess) {
    processes.removeAll { $0 === process }
    gone[process.id] = world.nowMs
    if !processes.contains(where: { $0.number == process.number }) { dead.insert(process.number) }
  }

  /// Removes processes that were told to stop, and those that must not go on.
  private func removeEnded() {
    for process in processes where !process.isBusy {
      guard let member = process.member, member.hasEnded else { continue }
      if let error = member.error { judge(error, process) }
      process.die()
      remove(process)
    }
  }

  /// It need not have ended: then that is a breach.
  private func judge(_ error: any Error, _ process: SimulatedProcess) {
    world.note("\(process.name) ends: \(error)")
    switch error {
    case WorkerError.replaced:
      // Another must have been heard within a session.
      let told = process.member!.clients.told
      let holder = told.holder.flatMap { kafka.group.processes[$0] }
      if holder == process.id { world.breach("\(process.name) has ended for itself") }
      if let holder, let goneMs = gone[holder], told.atMs - goneMs > SimulatedWorld.sessionMs {
        world.breach("\(process.name) has ended for one that is gone")
      }
    case WorkerError.refused(let why, _) where why.kind == .authorization && !process.member!.hadCommitted: break
    default: world.breach("\(process.name) has ended, and need not: \(error)")
    }
  }

  private func settings() -> LogSettings {
    var settings = LogSettings()
    // Long enough in the air to be grabbed by several workers.
    settings.engine.rain.fallMinMs = 20_000
    switch chance.below(6) {
    case 0: settings.engine.gift.lanes = 1
    case 1: settings.engine.wish.durationMs = 2000
    case 2: settings.engine.dedupe.windowMs = 500
    case 3: settings.engine.gift.queueLimit = 2
    default: break
    }
    return settings
  }

  private func append() {
    for _ in 0...chance.below(5) {
      let partition = world.inputs[chance.below(world.inputs.count)]
      let late = lateRecords && chance.one(in: 4) ? Int64(chance.below(3000)) : 0
      let (key, value) = crowd.event(on: partition.partition + (partition.topic == "in" ? 0 : 10))
      world.note("\(partition) \(kafka.log(partition).end): \(String(decoding: value, as: UTF8.self))")
      kafka.append(forms.record(key: key, json: value, timestampMs: world.nowMs - late), to: partition)
      if chance.one(in: 20) {
        kafka.append(.init(key: nil, value: nil, timestampMs: 0, status: .marker), to: partition)
      }
    }
  }

  /// Another program's transaction hangs where workers write, until an operator ends it.
  private func hangForeign() {
    let outputs = kafka.partitionCounts.keys.sorted().filter { !world.topics.input.contains($0) }
    let topic = outputs[chance.below(outputs.count)]
    let partition = TopicPartition(topic, Int32(chance.below(kafka.partitionCounts[topic]!)))
    kafka.hang(in: partition)
    world.note("a transaction of another program hangs in \(partition)")
  }

  /// Another group writes to the same changelog and journal.
  private func appendForeign() {
    let partition = world.inputs[chance.below(world.inputs.count)]
    for log in [world.changelog(partition), world.journal(partition)] {
      let own = kafka.read(log, from: 0)
      guard !own.isEmpty else { continue }
      // One that was overtaken: to take it is to go back.
      var entry = own[own.count / 2].entry
      entry.headers = [(HelperTopics.groupHeader, Array("another".utf8))]
      entry.status = .plain
      kafka.append(entry, to: log)
    }
  }
}
