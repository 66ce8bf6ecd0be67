import Glibc
import Platform
import Synchronization

/// The log of the process: one line an event, to stderr unless told otherwise, whole lines whatever
/// threads they come from. The subject of a line goes in its fields, so that the message stays the same text.
package final class Log: Sendable {
  package enum Level: String, CaseIterable, Comparable, Sendable {
    case debug, info, warning, error

    package static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

    private var rank: Int {
      switch self {
      case .debug: 0
      case .info: 1
      case .warning: 2
      case .error: 3
      }
    }
  }

  package enum Format: String, CaseIterable, Sendable { case logfmt, json }

  private let level: Level
  private let format: Format
  private let sink: @Sendable ([UInt8]) -> Void
  private let state = Mutex(State())

  private struct State {
    var reported: Set<String> = []
    var libraries: [String: LineBound] = [:]
  }

  /// `sink` gets a line with its line feed; one at a time.
  package init(
    level: Level = .info, format: Format = .logfmt, sink: @escaping @Sendable ([UInt8]) -> Void = Log.toStandardError
  ) {
    self.level = level
    self.format = format
    self.sink = sink
  }

  package func debug(_ message: @autoclosure () -> String, _ fields: LogField...) {
    if level <= .debug { write(.debug, message(), fields) }
  }

  package func info(_ message: String, _ fields: LogField...) { write(.info, message, fields) }

  package func warning(_ message: String, _ fields: LogField...) { write(.warning, message, fields) }

  package func error(_ message: String, _ fields: LogField...) { write(.error, message, fields) }

  /// Writes it unless this subject was reported and is not `over` yet: what lasts is written once, not once a try.
  package func once(_ subject: String, _ level: Level = .warning, _ message: String, _ fields: LogField...) {
    if state.withLock({ $0.reported.insert(subject).inserted }) { write(level, message, fields) }
  }

  /// Ends a subject that was reported once; true if there was one.
  @discardableResult
  package func over(_ subject: String) -> Bool { state.withLock { $0.reported.remove(subject) != nil } }

  /// A line that a library in C wrote, which may write it again and again: of each library some lines a minute are
  /// written, and then how many were not.
  package func library(
    _ name: String, _ level: Level, _ text: @autoclosure () -> String, _ fields: LogField...,
    nowMs: Int64 = MonotonicClock.nowMs()
  ) {
    guard level >= self.level else { return }
    let answer = state.withLock { $0.libraries[name, default: LineBound()].ask(nowMs: nowMs) }
    if answer.leftOut > 0 { write(.warning, "lines of \(name) were left out", [.lines(answer.leftOut)]) }
    if answer.isAllowed { write(level, "\(name): \(text())", fields) }
  }

  /// For a server that can't accept connections, with the reason, or can again.
  package var ofAccepting: (String?) -> Void {
    { [self] reason in
      if let reason {
        once("accepting", .error, "connections wait until another has gone", .reason(reason))
      } else if over("accepting") {
        info("connections are accepted again")
      }
    }
  }

  package func write(_ level: Level, _ message: String, _ fields: [LogField]) {
    guard level >= self.level else { return }
    var line = LogEntry(format)
    line.add("time", .text(LogEntry.now()))
    line.add("level", .text(level.rawValue))
    line.add("message", .text(message))
    for field in fields { line.add(field.key, field.value) }
    let bytes = line.finish()
    state.withLock { _ in sink(bytes) }
  }

  /// Uses one `write`, so that lines of several processes on one terminal don't mix either.
  package static let toStandardError: @Sendable ([UInt8]) -> Void = { line in
    line.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let written = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
        if written < 0 && errno == EINTR { continue }
        if written <= 0 { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      }
    }
  }
}
