package import RoomModel

/// A field of an event's body as its list has it, for programs that make events from words.
package struct ListedField: Sendable {
  package enum Value: Sendable, Equatable {
    case id, text, integer
    /// A list.
    case integers
    /// A list of ids.
    case ids
    /// A list of points.
    case points
    /// A map of settings.
    case settings
  }

  /// The names from the body to the field: `sender`, `userId`.
  package let path: [String]
  package let value: Value
  package let isRequired: Bool
  /// The integer that holds where the event has none; nil: the list alone doesn't say.
  package let otherwise: Int64?
}

extension EventKind {
  /// The fields of its body, in the order of its list.
  package var fields: [ListedField] { Self.fields(of: body) }

  private static func fields<Body: EventBody>(of _: Body.Type) -> [ListedField] { FieldLister<Body>.all(in: []) }
}

/// Collects the fields of a list.
private struct FieldLister<Body: EventFieldList>: EventFieldCoder {
  private let path: [String]
  private var fields: [ListedField] = []

  static func all(in path: [String]) -> [ListedField] {
    var names = FieldLister(path: path)
    Body.list(&names)
    return names.fields
  }

  private mutating func add(
    _ name: StaticString, _ value: ListedField.Value, isRequired: Bool = false, otherwise: Int64? = nil
  ) {
    fields.append(
      ListedField(path: path + [name.description], value: value, isRequired: isRequired, otherwise: otherwise))
  }

  mutating func id(_ name: StaticString, _: UInt32, _: WritableKeyPath<Body, Text>, _ rule: TextRule) {
    add(name, .id, isRequired: rule.presence == .required)
  }

  mutating func text(_ name: StaticString, _: UInt32, _: WritableKeyPath<Body, Text>, _ rule: TextRule) {
    add(name, .text, isRequired: rule.presence == .required)
  }

  mutating func integer(_ name: StaticString, _: UInt32, _: WritableKeyPath<Body, Int64>, _ rule: IntegerRule) {
    add(
      name, .integer, isRequired: rule.presence == .required,
      otherwise: rule.presence == .optional ? nil : rule.absent != 0 ? rule.absent : rule.zero)
  }

  mutating func message<Inner: EventFieldList>(
    _ name: StaticString, _: UInt32, _: WritableKeyPath<Body, Inner>
  ) {
    fields += FieldLister<Inner>.all(in: path + [name.description])
  }

  mutating func integers(
    _ name: StaticString, _: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<Int64>>, _: ClosedRange<Int64>,
    limit: Int
  ) { add(name, .integers) }

  mutating func ids(
    _ name: StaticString, _: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<Text>>
  ) { add(name, .ids) }

  mutating func points(
    _ name: StaticString, _: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<Point>>
  ) { add(name, .points) }

  mutating func settings(
    _ name: StaticString, _: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<RoomSetting.Value>>
  ) { add(name, .settings) }

  private init(path: [String]) { self.path = path }
}
