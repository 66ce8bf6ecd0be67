/// Bytes of a `text/event-stream`, however they are cut, to events: by the letter of the HTML standard, section
/// "Parsing an event stream".
package struct EventStreamParser {
  /// The wait before a client comes again that the server asked for, in milliseconds; nil: it did not ask.
  package private(set) var retryMs: Int64?
  /// The id of the last whole event. A client names it when it comes again.
  package private(set) var lastEventId: String

  /// A server that means well sends no event of this size.
  package static let limit = 16 * 1024 * 1024

  package enum ParsingError: Error { case tooLarge }

  private var line: [UInt8] = []
  private var endedWithCR = false
  /// The number of bytes of a byte order mark that have come; nil once it is known whether there is one.
  private var markCount: Int? = 0
  private var type = ""
  private var data: [UInt8] = []
  private var id: String

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  package init(lastEventId: String = "") {
    self.lastEventId = lastEventId
    id = lastEventId
  }

  /// Takes what came next.
  ///
  /// - Returns: the events that are whole now.
  package mutating func parse(_ bytes: some Collection<UInt8>) throws(ParsingError) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    var rest = bytes[...]
    while markCount != nil, let byte = rest.first {
      if expectMark(byte) { rest = rest.dropFirst() }
    }
    while !rest.isEmpty {
      if endedWithCR {
        endedWithCR = false
        if rest.first == UInt8(ascii: "\n") {
          rest = rest.dropFirst()
          continue
        }
      }
      let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      line += rest[..<(end ?? rest.endIndex)]
      guard line.count + data.count <= Self.limit else { throw .tooLarge }
      guard let end else { break }
      endedWithCR = rest[end] == UInt8(ascii: "\r")
      rest = rest[rest.index(after: end)...]
      if let event = takeLine() { events.append(event) }
      line.removeAll(keepingCapacity: true)
    }
    return events
  }

  /// - Returns: whether the byte is of the mark. If it proves to be none, what seemed to be is text.
  private mutating func expectMark(_ byte: UInt8) -> Bool {
    let count = markCount!
    guard byte == Self.mark[count] else {
      line += Self.mark[..<count]
      markCount = nil
      return false
    }
    markCount = count + 1 < Self.mark.count ? count + 1 : nil
    return true
  }

  private mutating func takeLine() -> ServerSentEvent? {
    if line.isEmpty { return dispatch() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "data":
      data += value
      data.append(UInt8(ascii: "\n"))
    case "event": type = String(decoding: value, as: UTF8.self)
    case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case "retry":
      if !value.isEmpty, value.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
        retryMs = Int64(String(decoding: value, as: UTF8.self)) ?? .max
      }
    // A comment has no name before its colon.
    default: break
    }
    return nil
  }

  private mutating func dispatch() -> ServerSentEvent? {
    lastEventId = id
    defer {
      type = ""
      data.removeAll(keepingCapacity: true)
    }
    guard !data.isEmpty else { return nil }
    return ServerSentEvent(
      type: type.isEmpty ? "message" : type, data: String(decoding: data.dropLast(), as: UTF8.self), id: id)
  }
}
