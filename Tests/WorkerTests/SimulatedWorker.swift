import Kafka
import Recovery
import RoomEngine
import RoomModel
import Settings
import Wire
import Worker

/// A worker's member, driven against ``SimulatedKafka`` as the real one is against Kafka, a few steps at a time.
final class SimulatedWorker {
  static let layout = TopicLayout(
    input: ["in"], inputPartitions: ["in": 3], commandPartitions: 2, resultPartitions: 2, format: .json)

  let name: Int
  private let kafka: SimulatedKafka
  private var random: Chance
  private var member: Member
  private var transactions = TransactionStateMachine(pace: .init(commitMs: 10, catchUpCommitMs: 100))
  private var session: Int
  private var generation = 0
  private var hasPartitions = false
  private var positions: [TopicPartition: Int64] = [:]
  private var pending: [Member.Action] = []
  private var open: Int?
  /// How far its clock is off.
  private let skewMs: Int64
  private(set) var inexact = 0
  private(set) var restores = 0
  var timersFired: Int64 { member.counts.timersFired }

  static let checkpointMs: Int64 = 500

  init(name: Int, kafka: SimulatedKafka, settings: LogSettings, seed: UInt64) {
    self.name = name
    self.kafka = kafka
    random = Chance(seed: seed)
    skewMs = Int64(random.below(400)) - 200
    member = Member(
      name: "\(name)", layout: Self.layout, settings: settings, checkpointMs: Self.checkpointMs, hashSeed: seed)
    session = kafka.initTransactions(producer: name)
    kafka.join(name)
  }

  /// Whether everything that was there has been read and committed.
  func isQuiet(nowMs: Int64) -> Bool {
    guard pending.isEmpty, open == nil, !member.isRestoring, !member.hasWork(nowMs: nowMs) else {
      return false
    }
    for (partition, position) in positions where position < kafka.lastStableOffset(of: partition) { return false }
    return true
  }

  /// By the clock of the simulation.
  var nextIdleDeadline: Int64 { member.nextIdleDeadline - (member.nextIdleDeadline == .max ? 0 : skewMs) }

  func step(nowMs: Int64, faults: Bool) {
    // One that was frozen doesn't know what has happened meanwhile.
    if random.one(in: 3) { transact(nowMs: nowMs, faults: faults) }
    if let action = pending.first {
      if perform(action, nowMs: nowMs) { pending.removeFirst() }
    }
    receive()
    switch kafka.poll(name, hasPartitions: hasPartitions) {
    case .nothing: break
    case .revoked(let isLost):
      if isLost {
        rollBack(isFatal: false)
      } else if member.hasWork(nowMs: nowMs) || open != nil {
        commit(nowMs: nowMs, faults: faults)
      }
      hasPartitions = false
      follow(member.revoked(isLost: isLost))
    case .assigned(let partitions):
      hasPartitions = !partitions.isEmpty
      generation = kafka.generation
      follow(member.assigned(partitions))
    }
    member.fireIdleTimers(nowMs: nowMs + skewMs)
    transact(nowMs: nowMs, faults: faults)
    if open != nil, random.one(in: 2) { try? send() }
  }

  private func transact(nowMs: Int64, faults: Bool) {
    switch transactions.next(nowMs: nowMs, hasWork: member.hasWork(nowMs: nowMs), isBehind: random.one(in: 3)) {
    case .wait: break
    case .begin: begin(nowMs: nowMs)
    case .commit: commit(nowMs: nowMs, faults: faults)
    }
  }

  /// Its process is gone; whatever it had open stays open until Kafka ends it.
  func crash() { pending = [] }

  /// SIGTERM: commits what it has and leaves.
  func leave(nowMs: Int64) {
    if member.hasWork(nowMs: nowMs) || open != nil { commit(nowMs: nowMs, faults: false) }
    kafka.remove(name)
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
      if partitions.contains(where: kafka.isUnstable) { return stale(round) }
      let answers = partitions.map { partition in
        let found = kafka.committed[partition]
        return Member.Committed(
          partition: partition, offset: found?.offset, metadata: found?.metadata,
          firstOffset: kafka.firstOffsets[partition] ?? 0)
      }
      next(try! member.committedFetched(answers, round: round))
    case .readLogs(let reads, let round):
      for read in reads {
        for log in [Self.changelog(read.partition), Self.journal(read.partition)]
        where kafka.lastStableOffset(of: log) < kafka.end(of: log) { return stale(round) }
      }
      for read in reads {
        if let from = read.changelogFrom {
          for (offset, entry) in kafka.read(Self.changelog(read.partition), from: from) {
            withBytes(entry) {
              if let room = $0 { try! member.found(read.partition, room: room, checkpoint: $1!, at: offset) }
            }
          }
        }
        if let from = read.journalFrom {
          for (offset, entry) in kafka.read(Self.journal(read.partition), from: from) {
            withBytes(entry) { try! member.found(read.partition, journalLine: $1!, at: offset) }
          }
        }
      }
      let ends = reads.map {
        Member.LogEnds(
          partition: $0.partition, changelogEnd: kafka.end(of: Self.changelog($0.partition)),
          journalEnd: kafka.end(of: Self.journal($0.partition)))
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
      case .inexact, .restarted, .lost, .stale: inexact += 1
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
      let most = random.below(6)
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

  private func begin(nowMs: Int64) {
    do {
      open = try kafka.begin(producer: name, session: session)
      transactions.began(nowMs: nowMs)
    } catch {
      failed(error, nowMs: nowMs)
    }
  }

  private func send() throws(SimulatedKafka.Refused) {
    defer { member.scratch.outbox.removeAll() }
    for i in member.scratch.outbox.entries.indices {
      let entry = member.scratch.outbox.entries[i]
      try kafka.produce(
        .init(
          key: member.scratch.outbox.key(of: entry).map(Array.init),
          value: member.scratch.outbox.value(of: entry).map(Array.init), timestampMs: 0, status: .plain),
        to: Self.target(entry), in: open!)
    }
  }

  private func commit(nowMs: Int64, faults: Bool) {
    do throws(SimulatedKafka.Refused) {
      if open == nil {
        begin(nowMs: nowMs)
        if open == nil { return }
      }
      let commit = member.prepareCommit(nowMs: nowMs)
      if faults, random.one(in: 40) { throw SimulatedKafka.Refused(isFatal: random.one(in: 2)) }
      try send()
      var offsets: [TopicPartition: SimulatedKafka.Offset] = [:]
      for offset in commit.offsets {
        offsets[offset.partition] = .init(offset: offset.offset, metadata: offset.metadata)
      }
      if faults, random.one(in: 40) { throw SimulatedKafka.Refused(isFatal: random.one(in: 2)) }
      try kafka.sendOffsets(offsets, generation: generation, in: open!)
      if faults, random.one(in: 40) { throw SimulatedKafka.Refused(isFatal: random.one(in: 2)) }
      try kafka.commit(open!)
      open = nil
      // The answer is lost: nobody here knows that it went through.
      if faults, random.one(in: 40) { throw SimulatedKafka.Refused(isFatal: true) }
      transactions.ended(nowMs: nowMs)
      member.committed(commit) { [kafka] partition in
        (kafka.end(of: Self.changelog(partition)) - 1, kafka.end(of: Self.journal(partition)) - 1)
      }
    } catch {
      failed(error, nowMs: nowMs)
    }
  }

  private func failed(_ refusal: SimulatedKafka.Refused, nowMs: Int64) {
    rollBack(isFatal: refusal.isFatal)
    if transactions.isOpen { transactions.ended(nowMs: nowMs) }
    pending = []
    follow(member.rolledBack())
  }

  /// Its producer goes on, unless it is of no use any more.
  private func rollBack(isFatal: Bool) {
    var isFatal = isFatal
    if let open {
      do { try kafka.abort(open) } catch { isFatal = true }
    }
    open = nil
    if isFatal { session = kafka.initTransactions(producer: name) }
    if transactions.isOpen { transactions.ended(nowMs: 0) }
    member.scratch.outbox.removeAll()
  }

  // MARK: Topics

  static func changelog(_ partition: TopicPartition) -> TopicPartition {
    TopicPartition("changelog", partition.partition)
  }
  static func journal(_ partition: TopicPartition) -> TopicPartition { TopicPartition("journal", partition.partition) }

  private static func target(_ entry: Outbox.Entry) -> TopicPartition {
    switch entry.target {
    case .commands: TopicPartition("commands", entry.partition)
    case .results: TopicPartition("results", entry.partition)
    case .deadLetters: TopicPartition("dlq", entry.partition)
    case .changelog: TopicPartition("changelog", entry.partition)
    case .journal: TopicPartition("journal", entry.partition)
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
struct Chance {
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
