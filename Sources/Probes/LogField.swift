/// A field of a line of the log. Every name is here, so that one thing has one name in all lines.
package struct LogField: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    case text(String)
    case number(Int64)
  }

  let key: String
  let value: Value

  private init(_ key: String, _ text: String) {
    self.key = key
    value = .text(text)
  }

  private init(_ key: String, _ number: some BinaryInteger) {
    self.key = key
    value = .number(Int64(clamping: number))
  }

  package static func worker(_ id: String) -> LogField { LogField("worker", id) }
  package static func members(_ count: Int) -> LogField { LogField("members", count) }
  package static func member(_ number: Int) -> LogField { LogField("member", number) }
  package static func topic(_ name: String) -> LogField { LogField("topic", name) }
  package static func partition(_ number: Int32) -> LogField { LogField("partition", number) }
  package static func partitions(_ names: String) -> LogField { LogField("partitions", names) }
  package static func offset(_ offset: Int64) -> LogField { LogField("offset", offset) }
  package static func offsets(_ offsets: String) -> LogField { LogField("offsets", offsets) }
  /// The offset after the last record that committed readers see.
  package static func lastStableOffset(_ offset: Int64) -> LogField { LogField("lastStableOffset", offset) }
  /// The offset after the last record.
  package static func end(_ offset: Int64) -> LogField { LogField("end", offset) }
  /// A command, ready to be typed.
  package static func command(_ text: String) -> LogField { LogField("command", text) }
  /// Records before, and after, what the line is about.
  package static func before(_ count: Int64) -> LogField { LogField("before", count) }
  package static func after(_ count: Int64) -> LogField { LogField("after", count) }
  package static func room(_ id: String) -> LogField { LogField("room", id) }
  package static func broker(_ address: String) -> LogField { LogField("broker", address) }
  package static func error(_ error: some Error) -> LogField { LogField("error", "\(error)") }
  package static func reason(_ words: String) -> LogField { LogField("reason", words) }
  package static func changes(_ changes: String) -> LogField { LogField("changes", changes) }
  package static func keys(_ names: String) -> LogField { LogField("keys", names) }
  package static func port(_ port: UInt16) -> LogField { LogField("port", port) }
  package static func rooms(_ count: Int) -> LogField { LogField("rooms", count) }
  package static func records(_ count: Int64) -> LogField { LogField("records", count) }
  package static func commandsPerSecond(_ count: Int64) -> LogField { LogField("commandsPerSecond", count) }
  package static func lines(_ count: Int64) -> LogField { LogField("lines", count) }
  package static func tookMs(_ milliseconds: Int64) -> LogField { LogField("tookMs", milliseconds) }
}
