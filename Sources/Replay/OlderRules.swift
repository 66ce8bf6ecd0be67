import RoomModel
import Settings

/// A log with a line of doubt before the first that older rules worked through, in each partition: what comes of it now may
/// be something else.
package final class OlderRules: LogSource {
  private let source: any LogSource
  /// The rules of partitions of which no line was played under them yet.
  private var older: [String: Int64] = [:]
  /// The line that comes after the doubt.
  private var held: LogLine?

  package init(in source: any LogSource) { self.source = source }

  package func next() throws -> LogLine? {
    if let line = held {
      held = nil
      return line
    }
    guard let line = try source.next() else { return nil }
    switch line.content {
    case .settings(let settings): note(settings.rules, of: line)
    // Its warning may say it already.
    case .state(let state): note(state.warning == nil ? state.settings.rules : LogRules.current, of: line)
    case .doubt: break
    case .record, .firedTo:
      guard !older.isEmpty, let rules = older.removeValue(forKey: Self.name(line)) else { break }
      held = line
      return LogLine(topic: line.topic, partition: line.partition, content: .doubt(LogRules.changed(since: rules)))
    }
    return line
  }

  private func note(_ rules: Int64, of line: LogLine) {
    older[Self.name(line)] = rules < LogRules.current ? rules : nil
  }

  private static func name(_ line: LogLine) -> String { "\(line.topic)/\(line.partition)" }

  package var place: LinePlace { source.place }
  package var warnings: [String] { source.warnings }
  package var progress: Double { source.progress }
}
