import RoomModel

/// A thing that a timeline draws or finds: a kind, and members in an order.
struct TimelineRow {
  enum Value {
    case number(Int64)
    /// A time, told by how long it is after the row's own.
    case after(LogTime)
    /// One that hardly comes twice.
    case text(String)
    /// Some that come again and again, together: a user's id and name, say.
    case shared([String])
    case command(CommandName)
    case steps([(at: LogTime, count: Int64)])
  }

  let kind: StaticString
  private(set) var members: [(name: StaticString, value: Value)] = []

  init(_ kind: StaticString) { self.kind = kind }

  mutating func member(_ name: StaticString, _ number: some BinaryInteger) { add(name, .number(Int64(number))) }
  mutating func member(_ name: StaticString, _ text: String) { add(name, .text(text)) }
  mutating func member(_ name: StaticString, shared text: String) { add(name, .shared([text])) }
  mutating func member(_ name: StaticString, after time: LogTime) { add(name, .after(time)) }
  mutating func member(_ name: StaticString, _ command: CommandName) { add(name, .command(command)) }
  mutating func member(_ name: StaticString, _ steps: [(at: LogTime, count: Int64)]) { add(name, .steps(steps)) }
  mutating func person(_ id: String, _ name: String) { add("u,n", .shared([id, name])) }
  mutating func gift(_ id: String, _ name: String) { add("g,gn", .shared([id, name])) }

  private mutating func add(_ name: StaticString, _ value: Value) { members.append((name, value)) }

  /// The time at which it began or happened.
  var time: LogTime {
    for (name, value) in members {
      if case .number(let time) = value, "\(name)" == "s" || "\(name)" == "t" { return time }
    }
    return 0
  }
}

extension TimelineRow.Value {
  /// The way in which a column of such is read.
  var sign: String {
    switch self {
    case .number: "#"
    case .after: "+"
    case .text: "="
    case .shared: "$"
    case .command: "@"
    case .steps: "%"
    }
  }
}
