import JSON
import RoomModel

/// The rows since the last block that was taken out, as JSON with a comma and a new line between them.
struct TimelineBlock {
  private var json: [UInt8] = []

  /// The size in bytes.
  var count: Int { json.count }

  mutating func row(_ kind: StaticString, _ members: (inout TimelineRow) -> Void) {
    var row = TimelineRow(kind)
    members(&row)
    if !json.isEmpty { json += ",\n".utf8 }
    json += row.json
    json += "}".utf8
  }

  mutating func take() -> [UInt8] {
    defer { json = [] }
    return json
  }
}

/// A thing that a timeline draws or finds: a JSON object of its kind `k` and its members in an order, not yet closed.
struct TimelineRow {
  fileprivate private(set) var json: [UInt8]

  fileprivate init(_ kind: StaticString) { json = Array("{\"k\":\"\(kind)\"".utf8) }

  mutating func member(_ name: StaticString, _ number: some BinaryInteger) { add(name, "\(number)") }
  mutating func member(_ name: StaticString, _ command: CommandName) { member(name, "\(command)") }

  mutating func member(_ name: StaticString, _ text: String) {
    var value = ByteBuffer(capacity: text.utf8.count + 2)
    value.appendString(text)
    add(name, "")
    json += value.bytes
  }

  /// Times with the count since each.
  mutating func member(_ name: StaticString, _ steps: [(at: LogTime, count: Int64)]) {
    add(name, "[" + steps.map { "[\($0.at),\($0.count)]" }.joined(separator: ",") + "]")
  }

  mutating func person(_ id: String, _ name: String) {
    member("u", id)
    member("n", name)
  }

  mutating func gift(_ id: String, _ name: String) {
    member("g", id)
    member("gn", name)
  }

  private mutating func add(_ name: StaticString, _ value: String) { json += ",\"\(name)\":\(value)".utf8 }
}
