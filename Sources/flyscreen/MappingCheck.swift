import Kafka
import Replay
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
      do {
        lines.append(try line(topic, count, mapping, configuration.logSettings.keyRule, properties))
      } catch {
        lines.append((.notChecked, "what becomes of messages of \(topic): \(error)"))
      }
    }
    return lines
  }

  private static func line(
    _ topic: String, _ partitions: Int, _ mapping: Mapping, _ keyRule: KeyRule, _ properties: KafkaProperties
  ) throws -> Line {
    let range = try TopicRange(topic, properties)
    var counts = MappingCounts(mapping.shapeCount)
    var decoder = EventDecoder()
    for partition in 0..<partitions where counts.total < sample {
      let share = (sample - counts.total + partitions - partition - 1) / (partitions - partition)
      try range.eachRecord(of: Int32(partition), from: .beginning, to: .end, last: Int64(share)) {
        counts.add(decoder.map($0, keyRule: keyRule, mapping: mapping))
      }
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
