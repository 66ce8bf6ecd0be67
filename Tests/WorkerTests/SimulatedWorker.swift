import Kafka
import Recovery
import RoomEngine
import RoomModel
import Settings
import Wire
import Worker

/// A worker's member and its transactions, driven against ``SimulatedKafka`` as `MemberLoop` does it against Kafka, a turn
/// at a time.
final class SimulatedWorker {
  static let layout = TopicLayout(
    input: ["in"], inputPartitions: ["in": 3], commandPartitions: 2, resultPartitions: 2, format: .json)

  let name: Int
  private let kafka: SimulatedKafka
  private let trouble: Trouble
  private var member: Member
  private var turns: ProducerTurns<SimulatedProducer>
  private var generation = 0
  /// What the group calls it.
  private var memberId = 0
  let process: Int
  /// Whether its name is for good.
  private let isNamed: Bool
  private let settings: LogSettings
  private let seed: UInt64
  /// How often it has joined again with new clients.
  private(set) var lives = 0
  /// While it has lost its place.
  private var claim: PlaceClaim?
  /// Who has its place for good.
  private(set) var replacedBy: Int?
  private var hasPartitions = false
  private var positions: [TopicPartition: Int64] = [:]
  private var pending: [Member.Action] = []
  /// How far its clock is off.
  private let skewMs: Int64
  private(set) var inexact = 0
  private(set) var restores = 0
  var timersFired: Int64 { member.counts.timersFired }

  static let checkpointMs: Int64 = 500

  init(
    name: Int, kafka: SimulatedKafka, settings: LogSettings, seed: UInt64, process: Int, isNamed: Bool = true
  ) {
    self.name = name
    self.kafka = kafka
    self.settings = settings
    self.seed = seed
    self.process = process
    self.isNamed = isNamed
    trouble = Trouble(seed: seed)
    skewMs = Int64(trouble.random.below(400)) - 200
    member = Self.makeMember("\(name)-\(seed)", settings, seed)
    turns = Self.makeTurns(trouble, isNamed: isNamed)
    memberId = kafka.join(name, process: process)
  }

  private static func makeMember(_ name: String, _ settings: LogSettings, _ seed: UInt64) -> Member {
    Member(name: name, layout: layout, settings: settings, checkpointMs: checkpointMs, hashSeed: seed)
  }

  private static func makeTurns(_ trouble: Trouble, isNamed: Bool) -> ProducerTurns<SimulatedProducer> {
    ProducerTurns(pace: .init(commitMs: 10, catchUpCommitMs: 100), isNamed: isNamed) { [trouble] in trouble.nowMs }
  }

  private var group: SimulatedKafka.Membership { .init(member: name, id: memberId, generation: generation) }
  /// By which it is heard in the group; nil: it is in none.
  var heartbeat: Int? { claim == nil ? memberId : nil }

  /// Whether everything that was there has been read and committed.
  func isQuiet(nowMs: Int64) -> Bool {
    guard claim == nil, pending.isEmpty, !turns.isOpen, !member.isRestoring, !member.hasWork(nowMs: nowMs) else {
      return false
    }
    for (partition, position) in positions where position < kafka.lastStableOffset(of: partition) { return false }
    return true
  }

  /// By the clock of the simulation.
  var nextIdleDeadline: Int64 { member.nextIdleDeadline - (member.nextIdleDeadline == .max ? 0 : skewMs) }

  func step(nowMs: Int64, faults: Bool) {
    (trouble.nowMs, trouble.isOn) = (nowMs, faults)
    guard claim == nil || claimPlace() else { return }
    // One that was frozen doesn't know what has happened meanwhile.
    if trouble.random.one(in: 3) { transact() }
    if member.hasPartitions {
      do throws(PlaceLost) {
        try turns.confirmPlace(memberId: "\(memberId)", nowMs: nowMs) { [trouble, kafka, name] in
          Self.ask(kafka, name, trouble)
        }
      } catch {
        return lose()
      }
      try? turns.connect(nowMs: nowMs) { [kafka, trouble, name] turn throws(KafkaError) in
        try SimulatedProducer(.init(member: name, turn: turn), of: kafka, trouble)
      }
    }
    if let action = pending.first {
      if perform(action, nowMs: nowMs) { pending.removeFirst() }
    }
    receive()
    switch kafka.poll(name, id: memberId, hasPartitions: hasPartitions) {
    case .nothing: break
    case .fenced: return lose()
    case .revoked(isLost: true) where isNamed: return lose()
    case .revoked(isLost: true) where !hasPartitions: memberId = kafka.join(name, process: process)
    case .revoked(let isLost):
      if !isLost { _ = try? turns.finish(&member, of: group, nowMs: nowMs) }
      if isLost || turns.hasFailed { rollBack() }
      hasPartitions = false
      follow(member.revoked(isLost: isLost))
    case .assigned(let partitions):
      hasPartitions = !partitions.isEmpty
      generation = kafka.generation
      follow(member.assigned(partitions))
    }
    member.fireIdleTimers(nowMs: nowMs + skewMs)
    transact()
  }

  // MARK: Its place in the group

  private func lose() {
    claim = PlaceClaim(ownId: "\(memberId)", sessionMs: SimulatedKafka.sessionMs)
    turns.abandon()
    turns.close()
    pending = []
    positions = [:]
    hasPartitions = false
  }

  /// Nil: no answer.
  private static func ask(_ kafka: SimulatedKafka, _ name: Int, _ trouble: Trouble) -> PlaceClaim.Answer? {
    trouble.strikes(oneIn: 5) ? nil : kafka.place(of: name)
  }

  /// Whether it has joined again.
  private func claimPlace() -> Bool {
    switch claim!.decide(Self.ask(kafka, name, trouble), nowMs: trouble.nowMs) {
    case .wait: return false
    case .end(let holder):
      replacedBy = kafka.processes[Int(holder.id)!]
      return false
    case .join:
      claim = nil
      lives += 1
      member = Self.makeMember("\(name)-\(seed)-\(lives)", settings, seed)
      turns = Self.makeTurns(trouble, isNamed: isNamed)
      memberId = kafka.join(name, process: process)
      return true
    }
  }

  /// One more request to join, which nobody waits for any more.
  func joinLate() { kafka.deliverLate { [kafka, name, process] in kafka.join(name, process: process) } }

  // MARK: Its transactions

  private func transact() {
    let isBehind = trouble.random.one(in: 3)
    _ = try? turns.step(&member, of: group, isBehind: isBehind, nowMs: trouble.nowMs)
    if turns.hasFailed { rollBack() }
  }

  private func rollBack() {
    turns.abort()
    pending = []
    follow(member.rolledBack())
  }

  /// It comes back from a call, and another has its place.
  func endTurn(nowMs: Int64) {
    (trouble.nowMs, trouble.isOn) = (nowMs, false)
    transact()
  }

  /// Its process is gone; whatever it had open stays open until Kafka ends it.
  func crash() { pending = [] }

  /// SIGTERM: commits what it has and leaves.
  func leave(nowMs: Int64) {
    trouble.nowMs = nowMs
    _ = try? turns.finish(&member, of: group, nowMs: nowMs)
    turns.abandon()
    kafka.remove(name, id: memberId)
    turns.close()
  }

  // MARK: Restoring

  private func follow(_ actions: [Member.Action]) { pending += count(actions) }

  /// False: not yet.
  private func perform(_ action: Member.Action, nowMs: Int64) -> Bool {
    switch action {
    case .read(let positions):
      self.positions = positions
    case .giveUp:
      positions = [:]
    case .stopRestoring, .report, .fetchLater:
      break
    case .fetchCommitted(let partitions, let round):
      guard turns.isReady(nowMs: nowMs) else { return stale(round) }
      kafka.noteRestore(by: name)
      if partitions.contains(where: kafka.isUnstable) { return stale(round) }
      let answers = partitions.map { partition in
        let found = kafka.committed(partition)
        return Member.Committed(
          partition: partition, offset: found?.offset, metadata: found?.metadata,
          firstOffset: kafka.firstOffsets[partition] ?? 0)
      }
      next(try! member.committedFetched(answers, round: round))
    case .readLogs(let reads, let round):
      for read in reads {
        for log in [SimulatedKafka.changelog(read.partition), SimulatedKafka.journal(read.partition)]
        where kafka.lastStableOffset(of: log) < kafka.end(of: log) { return stale(round) }
      }
      for read in reads {
        if let from = read.changelogFrom {
          for (offset, entry) in kafka.read(SimulatedKafka.changelog(read.partition), from: from) {
            withBytes(entry) {
              if let room = $0 { try! member.found(read.partition, room: room, checkpoint: $1!, at: offset) }
            }
          }
        }
        if let from = read.journalFrom {
          for (offset, entry) in kafka.read(SimulatedKafka.journal(read.partition), from: from) {
            withBytes(entry) { try! member.found(read.partition, journalLine: $1!, at: offset) }
          }
        }
      }
      let ends = reads.map {
        Member.LogEnds(
          partition: $0.partition, changelogEnd: kafka.end(of: SimulatedKafka.changelog($0.partition)),
          journalEnd: kafka.end(of: SimulatedKafka.journal($0.partition)))
      }
      next(try! member.logsRead(ends: ends, round: round, nowMs: nowMs))
    case .replayInput(let ranges, let round):
      for (partition, range) in ranges {
        for (offset, entry) in kafka.read(partition, from: range.lowerBound) where offset < range.upperBound {
          withRecord(offset, entry) { member.replay($0, of: partition) }
        }
      }
      next(member.inputReplayed(round: round))
    }
    return true
  }

  /// Answers come before what was asked for later.
  private func next(_ actions: [Member.Action]) {
    pending.insert(contentsOf: count(actions), at: min(1, pending.count))
  }

  /// Reports are taken at once; the other actions are left.
  private func count(_ actions: [Member.Action]) -> [Member.Action] {
    actions.filter {
      guard case .report(let notice) = $0 else { return true }
      switch notice {
      case .restored: restores += 1
      case .inexact, .restarted, .otherRules, .lost, .stale: inexact += 1
      case .settingsChanged: break
      }
      return false
    }
  }

  /// Keeps waiting, unless nobody waits any more.
  private func stale(_ round: Int) -> Bool { round != member.round }

  func has(_ partition: TopicPartition) -> Bool { positions[partition] != nil }

  // MARK: Working

  private func receive() {
    for (partition, position) in positions.sorted(by: { $0.key < $1.key }) {
      guard let task = member.runningTask(topic: 0, partition: partition.partition) else { continue }
      let most = trouble.random.below(6)
      let found = kafka.read(partition, from: position, most: most)
      for (offset, entry) in found {
        withRecord(offset, entry) { record in
          if let reason = task.process(record, scratch: &member.scratch) {
            task.sendToDeadLetters(record, headers: [], reason: reason, scratch: &member.scratch)
          }
        }
        positions[partition] = offset + 1
      }
      let stable = kafka.lastStableOffset(of: partition)
      if found.count < most { positions[partition] = max(positions[partition]!, stable) }
      if positions[partition]! >= stable { task.reachedEnd(at: stable) }
    }
  }
}

func withBytes(_ entry: SimulatedKafka.Entry, _ body: (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?) -> Void) {
  (entry.key ?? []).withUnsafeBytes { key in
    (entry.value ?? []).withUnsafeBytes { value in
      body(entry.key == nil ? nil : key, entry.value == nil ? nil : value)
    }
  }
}

func withRecord(_ offset: Int64, _ entry: SimulatedKafka.Entry, _ body: (InputRecord) -> Void) {
  withBytes(entry) {
    body(InputRecord(offset: offset, timestampMs: entry.timestampMs, key: $0, value: $1, contentType: nil))
  }
}

/// Small seeded chances.
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
  mutating func one(in count: Int) -> Bool { below(count) == 0 }
}
