import JSON

/// The kinds of events, or of commands, by their fields of the schema.
struct KindTable<Kind: Sendable>: Sendable {
  private let kinds: [(kind: Kind, name: JSONName, number: UInt32)]

  init(_ kinds: [(kind: Kind, name: StaticString, number: UInt32)]) {
    self.kinds = kinds.map { ($0.kind, JSONName($0.name), $0.number) }
  }

  /// Nil: the kind isn't known here.
  subscript(name: JSONName) -> Kind? {
    for known in kinds where known.name == name { return known.kind }
    return nil
  }

  subscript(number: UInt32) -> Kind? {
    for known in kinds where known.number == number { return known.kind }
    return nil
  }
}
