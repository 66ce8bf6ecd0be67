import Kafka
import RoomModel
import Settings
import Wire

/// The word with which a line of `check` begins.
enum CheckVerdict: String {
  case ok, wrong, warning
  case notChecked = "not checked"
}

/// What `check` says of `topics.mapping`: whether the file can be read, and what becomes of the last records of each input.
struct MappingCheck {
  typealias Line = (verdict: CheckVerdict, what: String)

  /// The records of an input that are tried.
  private static let sample = 100
  private static let timeoutMs: Int32 = 10_000

  /// - Parameter partitions: The number of partitions, by topic, of topics that are there.
  static func lines(_ configuration: Configuration, _ properties: KafkaProperties, _ partitions: [String: Int])
    -> [Line]
  {
    let path = configuration.topics.mapping
    if path.isEmpty { return [] }
    let file: MappingFile
    do throws(SettingsError) { file = try MappingFile(path: path) } catch { return [(.wrong, error.description)] }
    var lines: [Line] = [(.ok, "\(path) can be read")] + file.warnings.map { (.warning, $0) }
    for topic in configuration.topics.input {
      guard let mapping = file[topic] else {
        lines.append((.ok, "\(path) has no entry for \(topic): its messages are the project's own"))
        continue
      }
      guard let count = partitions[topic] else { continue }
      do throws(KafkaError) {
        lines.append(try line(topic, Int32(count), mapping, configuration.logSettings.keyRule, properties))
      } catch {
        lines.append((.notChecked, "what becomes of messages of \(topic): \(error)"))
      }
    }
    return lines
  }

  private static func line(
    _ topic: String, _ partitions: Int32, _ mapping: Mapping, _ keyRule: KeyRule, _ properties: KafkaProperties
  ) throws(KafkaError) -> Line {
    var reader = try Reader(properties: properties, clientId: "flyscreen-check", staysAtEnd: false, log: { _ in })
    var counts = MappingCounts(mapping.shapeCount)
    var decoder = EventDecoder()
    for partition in 0..<partitions where counts.total < sample {
      let place = TopicPartition(topic, partition)
      let ends = try reader.queryWatermarks(of: place, timeoutMs: timeoutMs)
      let wanted = Int64(sample - counts.total) / Int64(partitions - partition) + 1
      let first = max(ends.low, ends.high - wanted)
      if first >= ends.high { continue }
      try reader.start(place, at: .at(first))
      var batch = RecordBatch()
      var events: [ConsumerEvent] = []
      var isDone = false
      for _ in 0..<50 where !isDone {
        reader.receive(into: &batch, events: &events, waitMs: 100)
        for i in 0..<batch.count where counts.total < sample {
          let record = batch[i]
          counts.add(
            decoder.map(
              key: record.key, value: record.value, contentType: record.lastHeader("content-type"), keyRule: keyRule,
              mapping: mapping, headers: record.allHeaders))
          isDone = isDone || record.offset >= ends.high - 1
        }
        isDone =
          isDone || counts.total >= sample || events.contains { if case .endOfPartition = $0 { true } else { false } }
        batch.removeAll()
        events.removeAll()
      }
      reader.stop(place)
    }
    return counts.line(topic)
  }
}

/// What became of a sample.
private struct MappingCounts {
  private(set) var total = 0
  private var shapes: [Int]
  private var refused = 0
  private var keys = 0
  private var unfit = 0
  private var first: String?

  init(_ count: Int) { shapes = Array(repeating: 0, count: count + 1) }

  mutating func add(_ record: MappedRecord) {
    total += 1
    switch record {
    case .event(_, let shape, let why):
      shapes[shape] += 1
      if let why { refuse(why) }
    case .ignored(let shape): shapes[shape] += 1
    case .refused(let why): refuse(why)
    case .own(let why):
      unfit += 1
      if let why { refuse(why) }
    }
  }

  private mutating func refuse(_ why: NotUnderstood) {
    if why.reason == .key { keys += 1 } else { refused += 1 }
    first = first ?? why.description
  }

  func line(_ topic: String) -> MappingCheck.Line {
    if total == 0 { return (.notChecked, "what becomes of messages of \(topic): there are none") }
    var parts = shapes.indices.dropFirst().filter { shapes[$0] > 0 }.map { "\(shapes[$0]) fit shape \($0)" }
    if shapes[0] > 0 { parts.append("\(shapes[0]) fit none and are passed over") }
    if unfit > 0 { parts.append("\(unfit) fit none and are read as they are") }
    if refused > 0 { parts.append("\(refused) are refused") }
    if keys > 0 { parts.append("\(keys) have another key than their room (topics.key)") }
    let what = "of \(total) messages of \(topic) \(parts.joined(separator: ", "))"
    return (refused + keys > 0 ? .warning : .ok, first.map { "\(what); the first: \($0)" } ?? what)
  }
}
