import JSON

/// JSON of an event that is made from flags. Members stand in the order in which they came.
indirect enum EventJSON {
  case text(String)
  case integer(Int64)
  case list([EventJSON])
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
    case .text(let text): bytes.appendString(text)
    case .integer(let number): bytes.append(number)
    case .list(let elements): bytes.appendList(elements) { $1.write(into: &$0) }
    case .object(let members):
      bytes.appendObject { bytes in
        for member in members { bytes.appendMember(member.name) { member.value.write(into: &$0) } }
      }
    }
  }
}
