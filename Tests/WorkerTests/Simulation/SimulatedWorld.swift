import Kafka
import Probes
import Settings
import Wire
import Worker

/// Kafka, a clock and the topics that simulated workers share.
final class SimulatedWorld {
  let kafka = SimulatedKafka()
  let laws: CommittedOutput
  let topics: TopicSettings
  private(set) var log = Log()
  private(set) var nowMs = SimulatedWorld.beganMs
  /// Calls fail, and processes end within them.
  var hasFaults = false
  /// Nil: topics stay as they are.
  var growth: SimulatedGrowth?
  /// The chance from which consumers derive their own for answers that come twice; nil: none do.
  var repeats: Chance?
  /// With so many events remembered their marks are written.
  var manyMarks = Int.max
  /// The chance of ends that are none; nil: there are none.
  var newLeaders: Chance?
  private let format: Format
  /// Has others go on while a process is in a call.
  var goesOn: (SimulatedProcess) -> Void = { _ in }
  private let lines = Lines()
  private var breachFound: String?

  static let beganMs: Int64 = 1_700_000_000_000
  static let sessionMs: Int64 = 2000
  static let checkpointMs: Int64 = 500
  private static let outputPartitions: Int32 = 2

  private final class Lines: @unchecked Sendable { var all: [String] = [] }

  init(partitions: [Int32], format: Format = .json) {
    var topics = TopicSettings()
    topics.input = partitions.indices.map { ["in", "wishes"][$0] }
    topics.commands = "commands"
    topics.results = "results"
    self.topics = topics
    self.format = format
    for (topic, count) in zip(topics.input, partitions) {
      for name in [topic] + topics.beside(topic) { kafka.partitionCounts[name] = Int(count) }
    }
    for name in [topics.commands, topics.results] { kafka.partitionCounts[name] = Int(Self.outputPartitions) }
    laws = CommittedOutput(kafka, topics)
    log = Log(level: .debug) { [lines] line in
      // The time in it is this machine's.
      let text = String(decoding: line.dropLast(), as: UTF8.self)
      lines.all.append(text.firstIndex(of: " ").map { String(text[$0...]) } ?? text)
    }
    kafka.group.partitions = inputs
    kafka.onCommit = { [laws] in laws.take($0) }
  }

  var inputs: [TopicPartition] {
    topics.input.flatMap { topic in
      (0..<kafka.partitionCounts[topic]!).map { TopicPartition(topic, Int32($0)) }
    }
  }

  /// The number of partitions that one of the brokers tells.
  func partitionCount(of topic: String) -> Int { growth?.count(of: topic) ?? kafka.partitionCounts[topic]! }

  /// The number of partitions of each input that have places beside it, as one of the brokers tells it.
  func places() -> [String: Int32] {
    var places: [String: Int32] = [:]
    for input in topics.input { places[input] = topics.beside(input).map { Int32(partitionCount(of: $0)) }.min() }
    return places
  }

  func plan(isNamed: Bool, begin: GroupBegin, _ settings: LogSettings, rewind: [String] = []) -> WorkerPlan {
    let counts = topics.input.map { ($0, Int32(partitionCount(of: $0))) }
    let layout = TopicLayout(
      input: topics.input, inputPartitions: Dictionary(uniqueKeysWithValues: counts), places: places(),
      commandPartitions: Self.outputPartitions, resultPartitions: Self.outputPartitions, format: format)
    // The name of a worker's member ends with its number.
    var plan = WorkerPlan(
      properties: Self.properties, group: "g", name: "w", isNamed: isNamed, topics: topics, layout: layout,
      limits: OutputLimits(producerBytes: 1_000_000), settings: settings,
      pace: .init(commitMs: 10, catchUpCommitMs: 100), checkpointMs: Self.checkpointMs, begin: begin, rewind: rewind,
      servers: "simulated", clientLog: { _ in })
    plan.manyMarks = manyMarks
    return plan
  }

  private static let properties = try! KafkaProperties([
    "bootstrap.servers": "simulated:9092", "session.timeout.ms": "\(sessionMs)",
  ])

  /// What the last member counts.
  private(set) var registry = Metrics()

  func metrics() -> WorkerMetrics {
    registry = Metrics()
    return WorkerMetrics(registry, topics: topics, settings: LogSettings(), log)
  }

  func advance(ms: Int64) { nowMs += ms }

  func goOn(during process: SimulatedProcess) { goesOn(process) }

  // MARK: Story

  var story: [String] { lines.all }

  func note(_ what: @autoclosure () -> String) { lines.all.append("\(nowMs - Self.beganMs) ms: \(what())") }

  func breach(_ what: String) {
    note("BREACH: \(what)")
    if breachFound == nil { breachFound = what }
  }

  /// Something that may never happen, but did; nil: nothing did.
  var breach: String? { breachFound ?? kafka.breach ?? laws.breach }

  /// Restores that were not exact, and rooms that began anew, though nothing was lost; a group that tells of one beginning
  /// twice.
  var complaint: String? {
    var begun: Set<Substring> = []
    return story.first { line in
      if line.contains("the group begins here"), let topic = line.firstMatch(of: /topic=\S+/) {
        return !begun.insert(topic.output).inserted
      }
      if !laws.wereSet.isEmpty, line.contains("something set the group back") || line.contains("was set by something") {
        return false
      }
      return line.contains("level=error") && !line.contains("refuses us") || line.contains("rooms begin anew")
    }
  }

  // MARK: Topics

  func changelog(_ input: TopicPartition) -> TopicPartition {
    TopicPartition(topics.helpers.changelog(of: input.topic), input.partition)
  }

  func journal(_ input: TopicPartition) -> TopicPartition {
    TopicPartition(topics.helpers.journal(of: input.topic), input.partition)
  }

  func target(_ entry: Outbox.Entry) -> TopicPartition {
    let input = TopicPartition(topics.input[Int(entry.topic)], entry.partition)
    return switch entry.target {
    case .commands: TopicPartition(topics.commands, entry.partition)
    case .results: TopicPartition(topics.results, entry.partition)
    case .deadLetters: TopicPartition(TopicSettings.deadLetters(of: input.topic), entry.partition)
    case .changelog: changelog(input)
    case .journal: journal(input)
    }
  }
}
