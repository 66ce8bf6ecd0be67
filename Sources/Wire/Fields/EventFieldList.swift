import RoomModel

/// A message of an event whose fields stand in one list, with their rules (STAGES.md, section 2). All coders run it: those
/// of JSON and of Protobuf, and the one that checks what was read. The order is that of JSON; the numbers, which grow, are
/// Protobuf's.
protocol EventFieldList {
  /// A blank message, before its fields are read: absent fields are 0 or empty.
  init()

  static func list(_ fields: inout some EventFieldCoder<Self>)
}

/// A body of an event.
protocol EventBody: EventFieldList {
  /// Its field of the message `Event`.
  static var name: StaticString { get }
  static var number: UInt32 { get }

  /// Checks rules across fields, and fills in fields that depend on others. The rules of the list hold by then.
  mutating func complete(eventId: Text) throws(NotUnderstood)
}

extension EventBody {
  mutating func complete(eventId: Text) throws(NotUnderstood) {}
}

/// Runs a list. A field is given by its name in JSON, its number in Protobuf, and the property that holds it. They have to
/// be literals, and coders inlined, so that none of it is left at run time.
protocol EventFieldCoder<Body> {
  associatedtype Body: EventFieldList

  /// An id, which may be an integer in JSON, too.
  mutating func id(_ name: StaticString, _ number: UInt32, _ id: WritableKeyPath<Body, Text>, _ rule: TextRule)
  mutating func text(_ name: StaticString, _ number: UInt32, _ text: WritableKeyPath<Body, Text>, _ rule: TextRule)
  mutating func integer(
    _ name: StaticString, _ number: UInt32, _ integer: WritableKeyPath<Body, Int64>, _ rule: IntegerRule)
  mutating func message<Inner: EventFieldList>(
    _ name: StaticString, _ number: UInt32, _ message: WritableKeyPath<Body, Inner>)
  /// A list, of which an event has one. `limit`: how many at most.
  mutating func integers(
    _ name: StaticString, _ number: UInt32, _ integers: WritableKeyPath<Body, UnsafeBufferPointer<Int64>>,
    _ range: ClosedRange<Int64>, limit: Int)
  /// A list of ids, of which an event has one.
  mutating func ids(_ name: StaticString, _ number: UInt32, _ ids: WritableKeyPath<Body, UnsafeBufferPointer<Text>>)
  /// A list of points, of which an event has one.
  mutating func points(
    _ name: StaticString, _ number: UInt32, _ points: WritableKeyPath<Body, UnsafeBufferPointer<Point>>)
  /// A map of settings, of which an event has one.
  mutating func settings(
    _ name: StaticString, _ number: UInt32, _ settings: WritableKeyPath<Body, UnsafeBufferPointer<RoomSetting.Value>>)
}

/// The presence of a field.
enum FieldPresence {
  /// It must be there, and not be empty.
  case required
  /// JSON has it also when it is 0 or empty.
  case written
  /// It is left out where it is 0 or empty.
  case optional
}

struct TextRule {
  /// The most bytes of UTF-8.
  let limit: Int
  let presence: FieldPresence
  /// It is drawn, so control characters are left out of it.
  let drawn: DrawnText?

  @inline(__always) static func upTo(
    _ limit: Int, _ presence: FieldPresence = .written, drawn: DrawnText? = nil
  ) -> TextRule { TextRule(limit: limit, presence: presence, drawn: drawn) }

  @inline(__always) static var extra: TextRule { .upTo(EventRules.extraLimit, .optional) }
  @inline(__always) static var id: TextRule { .upTo(EventRules.idLimit) }
  @inline(__always) static var requiredId: TextRule { .upTo(EventRules.idLimit, .required) }
  @inline(__always) static var optionalId: TextRule { .upTo(EventRules.idLimit, .optional) }
}

/// Texts that are drawn. An event has up to one of each, which tells where it is kept when something is left out of it.
enum DrawnText {
  case name, text, receiver
  /// The event's text where line feeds stay.
  case lines
}

struct IntegerRule {
  let range: ClosedRange<Int64>
  /// The value of a field that is absent. Where it is not 0, Protobuf tells 0 from absent.
  let absent: Int64
  /// The value that 0 stands for.
  let zero: Int64
  let presence: FieldPresence

  @inline(__always) static func within(
    _ range: ClosedRange<Int64>, absent: Int64 = 0, zero: Int64 = 0, _ presence: FieldPresence = .written
  ) -> IntegerRule { IntegerRule(range: range, absent: absent, zero: zero, presence: presence) }
}

/// A message of an event as errors name it: `wish`, `wish.sender`.
struct MessagePath {
  let outer: StaticString
  let name: StaticString

  @inline(__always) init(_ name: StaticString) {
    outer = ""
    self.name = name
  }

  @inline(__always) private init(_ outer: StaticString, _ name: StaticString) {
    self.outer = outer
    self.name = name
  }

  @inline(__always) func inner(_ name: StaticString) -> MessagePath { MessagePath(self.name, name) }

  @inline(__always) func field(_ name: StaticString) -> FieldPath { FieldPath(outer, self.name, name) }

  /// The message as a field of the one that it stands in.
  @inline(__always) var whole: FieldPath { FieldPath(outer, name) }
}
