import Foundation
import Kafka
import Recovery
import RoomEngine
import RoomModel
import Settings
import Testing
import Wire
import Worker

/// Workers that crash, freeze, lose their partitions and their transactions at any moment: what readers of committed
/// data see is what one undisturbed run over the log and its journal gives. After a worker has been idle for
/// `checkpointMs`, also where its input is gone.
@Suite struct ScheduleTests {
  /// More of them: `FLYSCREEN_SCHEDULES=1000000 FLYSCREEN_SEED=1 swift test -c release --filter ScheduleTests`.
  private static let schedules = ProcessInfo.processInfo.environment["FLYSCREEN_SCHEDULES"].flatMap(UInt64.init) ?? 300
  private static let firstSeed = ProcessInfo.processInfo.environment["FLYSCREEN_SEED"].flatMap(UInt64.init) ?? 1

  /// Stretches of the seeds, which are run at once on as many cores as there are.
  static let stretches: [Range<UInt64>] = {
    let end = firstSeed + schedules
    let length = schedules / 10 + 1
    return stride(from: firstSeed, to: end, by: Int(length)).map { $0..<min($0 + length, end) }
  }()

  @Test(arguments: stretches)
  func committedOutputIsThatOfAnUndisturbedRun(seeds: Range<UInt64>) {
    for seed in seeds {
      let schedule = Schedule(seed: seed)
      schedule.run()
      if let difference = schedule.difference() {
        Issue.record("SWIFT_DETERMINISTIC_HASHING=1 FLYSCREEN_SEED=\(seed) FLYSCREEN_SCHEDULES=1: \(difference)")
        return
      }
    }
  }
}

final class Schedule {
  private let kafka = SimulatedKafka()
  private var chance: Chance
  private var nowMs: Int64 = 1_700_000_000_000
  private var workers: [SimulatedWorker] = []
  private var frozen: Set<ObjectIdentifier> = []
  private var dead: Set<Int> = []
  /// Those that hung until another had their place, and may come back.
  private var replaced: [SimulatedWorker] = []
  private var nextName = 0
  private var crowd: LogCrowd
  private let partitions = (0..<3).map { TopicPartition("in", $0) }
  private let steps: Int
  private let lateRecords: Bool
  /// Of what is under way in Kafka, one in so many is through at each step.
  private let lateness: Int
  private(set) var finished = false
  /// Whether workers have names for good.
  private let areNamed: Bool
  private var starts = 0
  /// When each process that is gone was heard in the group for the last time.
  private var gone: [Int: Int64] = [:]
  private var wrongEnd: String?
  /// Restores of workers that are gone.
  private var inexact = 0

  init(seed: UInt64) {
    chance = Chance(seed: seed)
    crowd = LogCrowd(seed: seed)
    steps = 30 + chance.below(250)
    lateRecords = chance.one(in: 2)
    lateness = 1 + chance.below(6)
    areNamed = !chance.one(in: 3)
    kafka.groupPartitions = partitions
  }

  func run() {
    for _ in 0...chance.below(2) { start() }
    for _ in 0..<steps { disturb() }
    // Quiet at last: one worker is left, and it comes to an end of its work.
    frozen = []
    endReplaced()
    kafka.timeOutTransactions { _ in true }
    if workers.isEmpty { start() }
    guard settle() else { return }
    finished = !chance.one(in: 3) || rest() && loseInput()
    kafka.progress(&chance, oneIn: 1)
  }

  /// Until everything is done that is due; false: that took too long.
  private func settle() -> Bool {
    for _ in 0..<5000 {
      tick()
      let isOwned = partitions.allSatisfy { partition in workers.contains { $0.has(partition) } }
      if isOwned, workers.allSatisfy({ $0.isQuiet(nowMs: nowMs) && $0.nextIdleDeadline > nowMs }) { return true }
    }
    return false
  }

  /// Until nothing has happened for as long as it takes to write every room.
  private func rest() -> Bool {
    var (fired, sinceMs) = (Int64(-1), nowMs)
    for _ in 0..<5000 {
      tick(ms: 40)
      let now = workers.reduce(0) { $0 + $1.timersFired }
      if now != fired { (fired, sinceMs) = (now, nowMs) }
      if nowMs - sinceMs > SimulatedWorker.checkpointMs + 200 { return true }
    }
    return false
  }

  /// The changelog alone tells the next owner how the rooms stand; what still comes of them shows whether it does.
  private func loseInput() -> Bool {
    kafka.deleteProcessed()
    while !workers.isEmpty { crash() }
    kafka.timeOutTransactions { _ in true }
    start()
    for _ in 0..<20 {
      guard settle() else { return false }
      nowMs += 3000
    }
    return settle()
  }

  private func tick(ms: Int64 = 7) {
    nowMs += ms
    kafka.progress(&chance, oneIn: 2)
    hear()
    for worker in workers { worker.step(nowMs: nowMs, faults: false) }
    removeReplaced()
    for name in dead { kafka.dropSilent(name, alive: heartbeats) }
  }

  /// Of those that are not frozen.
  private var heartbeats: Set<Int> {
    Set(workers.lazy.filter { !self.frozen.contains(ObjectIdentifier($0)) }.compactMap(\.heartbeat))
  }

  private func hear() { kafka.hear(heartbeats, nowMs: nowMs) }

  /// Those that have ended because another has their name: it must have been heard within a session.
  private func removeReplaced() {
    for worker in workers {
      guard let other = worker.replacedBy else { continue }
      if let goneMs = gone[other], nowMs - goneMs > SimulatedKafka.sessionMs {
        wrongEnd = "\(worker.name) has ended for one that is gone"
      }
      if other == worker.process { wrongEnd = "\(worker.name) has ended for itself" }
      inexact += worker.inexact
      gone[worker.process] = nowMs
      frozen.remove(ObjectIdentifier(worker))
    }
    workers.removeAll { $0.replacedBy != nil }
  }

  private func disturb() {
    nowMs += Int64(chance.below(chance.one(in: 10) ? 4000 : 60))
    kafka.progress(&chance, oneIn: lateness)
    hear()
    switch chance.below(60) {
    case 0 where workers.count < 4: start(named: chance.one(in: 2) ? dead.min() : nil)
    case 1 where !workers.isEmpty: crash()
    case 2 where workers.count > 1:
      let worker = workers.remove(at: chance.below(workers.count))
      worker.leave(nowMs: nowMs)
      frozen.remove(ObjectIdentifier(worker))
      gone[worker.process] = nowMs
      inexact += worker.inexact
    case 3 where !workers.isEmpty: frozen.insert(ObjectIdentifier(workers[chance.below(workers.count)]))
    case 4, 5: frozen = []
    case 6, 7:
      for name in dead.union(frozenNames) where chance.one(in: 2) { kafka.dropSilent(name, alive: heartbeats) }
    case 8, 9:
      kafka.timeOutTransactions { dead.contains($0) || frozenNames.contains($0) }
    case 10...30: append()
    case 31: replaceFrozen()
    case 32: endReplaced()
    case 33:
      kafka.failOver(forgetting: areNamed && chance.one(in: 2) ? workers.randomElement(using: &chance)?.name : nil)
    case 34 where areNamed: workers.randomElement(using: &chance)?.joinLate()
    case 35 where areNamed && workers.count < 4:
      if let twin = workers.randomElement(using: &chance) { start(named: twin.name) }
    default: break
    }
    for worker in workers where !frozen.contains(ObjectIdentifier(worker)) && !chance.one(in: 4) {
      worker.step(nowMs: nowMs, faults: true)
    }
    removeReplaced()
  }

  private var frozenNames: [Int] { workers.filter { frozen.contains(ObjectIdentifier($0)) }.map(\.name) }

  /// - Parameters:
  ///   - name: Of one that is gone, or has a namesake from now on; nil: a new one.
  ///   - process: Of the process that it is in; nil: of its own.
  private func start(named name: Int? = nil, process: Int? = nil) {
    if let name {
      dead.remove(name)
      if workers.contains(where: { $0.name == name }) { kafka.haveNamesakes.insert(name) }
    }
    starts += 1
    workers.append(
      SimulatedWorker(
        name: name ?? nextName, kafka: kafka, settings: settings(), seed: chance.next(),
        process: process ?? starts, isNamed: areNamed))
    if name == nil { nextName += 1 }
  }

  /// One that hangs in a call loses its place to another of its name.
  private func replaceFrozen() {
    guard let i = workers.firstIndex(where: { frozen.contains(ObjectIdentifier($0)) && $0.heartbeat != nil }) else {
      return
    }
    let worker = workers.remove(at: i)
    inexact += worker.inexact
    frozen.remove(ObjectIdentifier(worker))
    replaced.append(worker)
    start(named: worker.name, process: worker.process)
  }

  private func endReplaced() {
    for worker in replaced { worker.endTurn(nowMs: nowMs) }
    replaced = []
  }

  private func crash() {
    let worker = workers.remove(at: chance.below(workers.count))
    worker.crash()
    if areNamed, chance.one(in: 4) { worker.joinLate() }
    gone[worker.process] = nowMs
    frozen.remove(ObjectIdentifier(worker))
    inexact += worker.inexact
    if !workers.contains(where: { $0.name == worker.name }) { dead.insert(worker.name) }
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
      let partition = partitions[chance.below(partitions.count)]
      let late = lateRecords && chance.one(in: 4) ? Int64(chance.below(3000)) : 0
      let (key, value) = crowd.event(on: partition.partition)
      kafka.append(.init(key: key, value: value, timestampMs: nowMs - late, status: .plain), to: partition)
      if chance.one(in: 20) {
        kafka.append(.init(key: nil, value: nil, timestampMs: 0, status: .marker), to: partition)
      }
    }
  }

  // MARK: What must be true

  /// Nil: nothing differs.
  func difference() -> String? {
    if let breach = kafka.breach ?? wrongEnd { return breach }
    guard finished else { return "the workers never came to rest" }
    if workers.reduce(inexact, { $0 + $1.inexact }) > 0 { return "a restore was not exact" }
    var expected = Output()
    var letters = 0
    for partition in partitions { letters += replay(partition, into: &expected) }
    let commands = published("commands", SimulatedWorker.layout.commandPartitions)
    if let difference = Self.difference(of: commands, from: expected.commands) { return difference }
    // A user's results are in the order of each log, and between logs in any.
    let results = published("results", SimulatedWorker.layout.resultPartitions)
    if let difference = Self.difference(of: results.mapValues { $0.sorted() }, from: expected.results) {
      return difference
    }
    if let breach = RainLedger.breach(of: results.values.joined()) { return breach }
    let buried = partitions.reduce(0) { $0 + kafka.read(TopicPartition("dlq", $1.partition), from: 0).count }
    return buried == letters ? nil : "\(letters) dead letters expected, \(buried) published"
  }

  /// By key.
  private struct Output {
    var commands: [String: [String]] = [:]
    var results: [String: [String]] = [:]
  }

  private func published(_ topic: String, _ partitions: Int32) -> [String: [String]] {
    var published: [String: [String]] = [:]
    for partition in 0..<partitions {
      for (_, entry) in kafka.read(TopicPartition(topic, partition), from: 0) {
        published[String(decoding: entry.key!, as: UTF8.self), default: []].append(
          String(decoding: entry.value!, as: UTF8.self))
      }
    }
    return published
  }

  private static func difference(of got: [String: [String]], from expected: [String: [String]]) -> String? {
    for (key, values) in expected {
      let published = got[key] ?? []
      for (i, value) in values.enumerated() where i >= published.count || published[i] != value {
        let other = i < published.count ? published[i] : "nothing"
        return "\(key), \(i) of \(values.count): expected \(value), published \(other)"
      }
      if published.count > values.count { return "\(key): one too many: \(published[values.count])" }
    }
    for key in got.keys where expected[key] == nil { return "\(key) was never there" }
    return nil
  }

  private func replay(_ partition: TopicPartition, into expected: inout Output) -> Int {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    var decoder = EventDecoder()
    var batch = CommandBatch()
    var bytes = ByteBuffer()
    var keyRule = KeyRule.roomId
    var letters = 0
    let encoder = CommandEncoder(topic: "in", partition: partition.partition, format: .json)
    var document = JSONDocument()
    var lines = kafka.read(SimulatedKafka.journal(partition), from: 0).map { _, entry in
      entry.value!.withUnsafeBytes { try! JournalLine(json: $0, with: &document) }
    }[...]
    func take(upTo offset: Int64) {
      while let line = lines.first, line.offset <= offset {
        lines.removeFirst()
        switch line.what {
        case .firedTo(let time): _ = log.fireTimers(through: time, into: &batch)
        case .settings(let settings):
          log.change(to: settings.engine)
          keyRule = settings.keyRule
        }
      }
    }
    for (offset, entry) in kafka.read(partition, from: 0) {
      take(upTo: offset)
      withRecord(offset, entry) { record in
        let event = try? decoder.decode(key: record.key, value: record.value, contentType: nil, keyRule: keyRule)
        if event == nil { letters += 1 }
        _ = log.apply(offset: offset, timestampMs: record.timestampMs, event: event, into: &batch)
      }
    }
    take(upTo: .max)
    for command in batch.commands {
      bytes.removeAll()
      encoder.encode(command, into: &bytes)
      expected.commands["\(command.roomId)", default: []].append(bytes.text.description)
    }
    for result in batch.results {
      bytes.removeAll()
      encoder.encode(result, into: &bytes)
      expected.results["\(result.userId)", default: []].append(bytes.text.description)
    }
    for user in expected.results.keys { expected.results[user]!.sort() }
    return letters
  }
}
