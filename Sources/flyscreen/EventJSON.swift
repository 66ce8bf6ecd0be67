import Wire

/// JSON of an event that is made from flags. Members stand in the order in which they came.
indirect enum EventJSON {
  case text(String)
  case integers([Int64], isList: Bool)
  case object([(name: String, value: EventJSON)])

  /// Sets what lies at `path` of an object.
  mutating func set(_ path: some Collection<String>, to value: EventJSON) {
    guard let name = path.first else {
      self = value
      return
    }
    guard case .object(var members) = self else { return }
    let place = members.firstIndex { $0.name == name } ?? members.endIndex
    if place == members.endIndex { members.append((name, .object([]))) }
    members[place].value.set(path.dropFirst(), to: value)
    self = .object(members)
  }

  func write(into bytes: inout ByteBuffer) {
    switch self {
    case .text(let text): Self.write(text, into: &bytes)
    case .integers(let numbers, let isList):
      if isList { bytes.append("[") }
      for (place, number) in numbers.enumerated() {
        if place > 0 { bytes.append(",") }
        bytes.append(number)
      }
      if isList { bytes.append("]") }
    case .object(let members):
      bytes.append("{")
      for (place, member) in members.enumerated() {
        if place > 0 { bytes.append(",") }
        Self.write(member.name, into: &bytes)
        bytes.append(":")
        member.value.write(into: &bytes)
      }
      bytes.append("}")
    }
  }

  private static func write(_ text: String, into bytes: inout ByteBuffer) {
    bytes.append(#"""#)
    bytes.appendEscaped(string: text)
    bytes.append(#"""#)
  }
}
