import JSON
import Kafka
import Recovery
import RoomEngine
import RoomModel
import Settings
import Wire
import Worker

/// Holds each transaction that is committed against one undisturbed run over the input, with the lines of the journal
/// that were committed: it has all that comes of the records between its offsets and those before them, and no more.
final class CommittedOutput {
  private unowned let kafka: SimulatedKafka
  private let topics: TopicSettings
  private var runs: [TopicPartition: UndisturbedRun] = [:]
  private(set) var breach: String?
  /// The number of partitions of each topic when the world began.
  private let firstCounts: [String: Int]
  /// The partitions that rest, and to where a tool set them back.
  private(set) var resting: [TopicPartition: Int64] = [:]
  /// The partitions that a tool has ever set.
  private(set) var wereSet: Set<TopicPartition> = []
  /// The records that readers of committed data must find, by topic and key, in order.
  private var expected: [String: [String: [String]]] = [:]
  private var document = JSONDocument()

  init(_ kafka: SimulatedKafka, _ topics: TopicSettings) {
    self.kafka = kafka
    self.topics = topics
    firstCounts = kafka.partitionCounts
  }

  private func fail(_ what: String) { if breach == nil { breach = what } }

  /// The group's next offset; nil: it has not begun.
  func next(of partition: TopicPartition) -> Int64? { runs[partition]?.next }

  func figures(of partition: TopicPartition) -> RoomFigures? { runs[partition]?.figures }

  /// The least deadline of the timers; `.max`: there is none.
  func nextDeadline(of partition: TopicPartition) -> LogTime { runs[partition]?.nextDeadline ?? .max }

  /// A transaction is decided.
  func take(_ transaction: SimulatedKafka.Transaction) {
    var made = Made()
    let partitions = transaction.offsets.keys.sorted()
    let begun = Set(runs.keys.map(\.topic))
    for partition in partitions {
      let found = transaction.offsets[partition]!.offset
      let (offset, metadata) = (found.offset, found.metadata)
      if metadata == GroupBeginning.mark {
        if begun.contains(partition.topic) { fail("\(partition): the group begins a second time") }
        runs[partition] = UndisturbedRun(partition, from: offset)
        continue
      }
      if runs[partition] == nil {
        // One by which its topic has grown since the group began there.
        if !begun.contains(partition.topic) || partition.partition < firstCounts[partition.topic]! {
          fail("\(partition): committed before the group began there")
        }
        runs[partition] = UndisturbedRun(partition, from: 0)
      }
      let run = runs[partition]!
      if let place = resting[partition] { fail("\(partition) was set back to \(place), and doesn't rest") }
      if offset < run.next { return fail("\(partition): the offset goes back from \(run.next) to \(offset)") }
      let journal = TopicPartition(topics.helpers.journal(of: partition.topic), partition.partition)
      let lines = transaction.records.filter { $0.partition == journal }.map { record in
        record.entry.value!.withUnsafeBytes { try! JournalLine(json: $0, with: &document) }
      }
      if let what = run.go(to: offset, lines: lines, kafka.read(partition, from: run.next), into: &made) {
        fail("\(partition): \(what)")
      }
    }
    compare(transaction, made)
    for (partition, _) in transaction.records {
      guard partition.topic != topics.commands, partition.topic != topics.results else { continue }
      let isOwn = partitions.contains {
        topics.beside($0.topic).contains(partition.topic) && $0.partition == partition.partition
      }
      if !isOwn { fail("\(partition) is written to without an offset") }
    }
  }

  /// A tool has set the group's offset.
  func wasSet(_ partition: TopicPartition, to offset: Int64, rests: Bool) {
    wereSet.insert(partition)
    runs[partition] = UndisturbedRun(partition, from: offset)
    resting[partition] = rests ? offset : nil
  }

  /// Workers are told that it is meant.
  func mayGoOn() { resting = [:] }

  private func compare(_ transaction: SimulatedKafka.Transaction, _ made: Made) {
    var sent = Made()
    for (partition, entry) in transaction.records {
      let value = entry.value ?? []
      if partition.topic == topics.commands {
        sent.commands[text(entry.key), default: []].append(text(value))
      } else if partition.topic == topics.results {
        sent.results[text(entry.key), default: []].append(text(value))
      } else if topics.input.contains(where: { TopicSettings.deadLetters(of: $0) == partition.topic }) {
        sent.letters.append(entry.letter(to: partition))
      }
    }
    check("commands", sent.commands, made.commands)
    // A user's results are in the order of each log, and between logs in any.
    check("results", sent.results.mapValues { $0.sorted() }, made.results.mapValues { $0.sorted() })
    check("dead letters", ["": sent.letters.sorted()], ["": made.letters.sorted()])
    for (key, values) in sent.commands { expected[topics.commands, default: [:]][key, default: []] += values }
    for (key, values) in sent.results { expected[topics.results, default: [:]][key, default: []] += values }
  }

  private func check(_ what: String, _ sent: [String: [String]], _ made: [String: [String]]) {
    guard sent != made else { return }
    for key in Set(sent.keys).union(made.keys).sorted() {
      let (sent, made) = (sent[key] ?? [], made[key] ?? [])
      guard sent != made else { continue }
      let place = zip(sent, made).prefix { $0 == $1 }.count
      return fail(
        "\(what) of \(key), \(place) of \(made.count): an undisturbed run makes"
          + " \(place < made.count ? made[place] : "nothing"), committed was \(place < sent.count ? sent[place] : "nothing")"
      )
    }
  }

  /// The first difference between what readers of committed data find and what was decided; nil: none.
  func difference() -> String? {
    for (topic, keys) in expected.sorted(by: { $0.key < $1.key }) {
      var found: [String: [String]] = [:]
      for partition in Int32(0)..<2 {
        for (_, entry) in kafka.read(TopicPartition(topic, partition), from: 0) where !entry.isBlank {
          found[text(entry.key), default: []].append(text(entry.value))
        }
      }
      // A user's results may come in another order from two workers.
      if topic == topics.results { found = found.mapValues { $0.sorted() } }
      let keys = topic == topics.results ? keys.mapValues { $0.sorted() } : keys
      if found != keys {
        let key = keys.keys.sorted().first { found[$0] != keys[$0] }
        return "\(topic) \(key ?? ""): readers don't find what was committed, in that order"
      }
    }
    // What a tool set back is shown once more.
    guard wereSet.isEmpty else { return nil }
    return RainLedger.breach(of: (expected[topics.results] ?? [:]).sorted { $0.key < $1.key }.flatMap(\.value))
  }

  /// A line of the journal goes out.
  func wrote(_ bytes: [UInt8], _ journal: TopicPartition, by clients: SimulatedClients) {
    guard let line = bytes.withUnsafeBytes({ try? JournalLine(json: $0, with: &document) }) else {
      return fail("\(journal): not a line of a journal")
    }
    guard case .firedTo(let timeMs) = line.what else { return }
    if timeMs > clients.latestWallMs - LogSettings().graceMs {
      fail("\(journal): fired to \(timeMs), but the clock shows \(clients.latestWallMs)")
    }
    let input = topics.input.first { topics.helpers.journal(of: $0) == journal.topic }!
    let partition = TopicPartition(input, journal.partition)
    guard let end = clients.consumer?.ends[partition]?.first(where: { $0 >= line.offset }) else {
      return fail("\(journal): fired before offset \(line.offset), whose end was never told")
    }
    if kafka.read(partition, from: line.offset).contains(where: { $0.offset < end }) {
      fail("\(journal): fired before offset \(line.offset), which is not the end \(end)")
    }
  }
}

private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

extension SimulatedKafka.Entry {
  /// The record as a dead letter tells of it.
  fileprivate func letter(to partition: TopicPartition) -> String {
    let form = headers.last { $0.name == "content-type" }?.value
    return "\(partition) \(text(form)) \(text(key)) \(text(value))"
  }
}

/// The output of a stretch of a log.
private struct Made {
  var commands: [String: [String]] = [:]
  var results: [String: [String]] = [:]
  var letters: [String] = []
}

/// One run over a partition, without any disturbance.
private final class UndisturbedRun {
  private(set) var next: Int64
  private let partition: TopicPartition
  private var log: PartitionLog
  private var keyRule = KeyRule.roomId
  private var decoder = EventDecoder()
  private var batch = CommandBatch()
  private var bytes = ByteBuffer()
  private let encoder: CommandEncoder

  init(_ partition: TopicPartition, from offset: Int64) {
    self.partition = partition
    next = offset
    log = PartitionLog(
      settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "\(partition.topic)/\(partition.partition)")
    encoder = CommandEncoder(topic: partition.topic, partition: partition.partition, format: .json)
  }

  var nextDeadline: LogTime { log.nextDeadline }
  var figures: RoomFigures {
    RoomFigures(
      clock: log.clock, nextDeadline: log.nextDeadline, liveRooms: log.liveRoomCount, queued: log.queued,
      rooms: log.roomCount, eventIds: log.eventIdCount)
  }

  /// - Returns: The error in the lines; nil: there is none.
  func go(
    to end: Int64, lines: [JournalLine], _ records: [(offset: Int64, entry: SimulatedKafka.Entry)],
    into made: inout Made
  ) -> String? {
    var lines = lines[...]
    func take(upTo offset: Int64) {
      while let line = lines.first, line.offset <= offset {
        lines.removeFirst()
        switch line.what {
        case .firedTo(let time): _ = log.fireTimers(through: time, into: &batch)
        case .settings(let settings):
          log.change(to: settings.engine)
          keyRule = settings.keyRule
        case .passed(let last, let time):
          _ = log.apply(offset: last, timestampMs: time, event: nil, into: &batch)
        }
      }
    }
    if let line = lines.first(where: { $0.offset < next }) { return "a line before \(line.offset), which is long done" }
    for (offset, entry) in records where offset < end {
      take(upTo: offset)
      var told = entry
      if let meant = entry.meant { (told.value, told.headers) = (meant, []) }
      let record = SimulatedRecord(PartitionKey(topic: 0, partition: 0), offset, told)
      defer { record.free() }
      let event = try? decoder.decode(
        key: record.key, value: record.value, contentType: record.lastHeader("content-type"), keyRule: keyRule)
      if event == nil {
        made.letters.append(
          entry.letter(to: TopicPartition(TopicSettings.deadLetters(of: partition.topic), partition.partition)))
      }
      _ = log.apply(offset: offset, timestampMs: record.timestampMs, event: event, into: &batch)
    }
    take(upTo: end)
    next = end
    for command in batch.commands {
      bytes.removeAll()
      encoder.encode(command, into: &bytes)
      made.commands["\(command.roomId)", default: []].append(bytes.text.description)
    }
    for result in batch.results {
      bytes.removeAll()
      encoder.encode(result, into: &bytes)
      made.results["\(result.userId)", default: []].append(bytes.text.description)
    }
    batch.removeAll()
    return lines.first.map { "a line before \($0.offset), beyond the offset \(end)" }
  }
}
