import JSON
import RoomModel

/// What the fields of a shape come to in a message (MAPPING.md, "A field" and "As what a value counts").
struct MappedFields: ~Copyable {
  var message = MappedMessage()
  /// Texts that stand nowhere in the message. Those of an event have less bytes than this, so none moves.
  private var kept = ByteBuffer(capacity: 8192)
  /// The path of the value that was looked at last; -1: a constant.
  private var origin = -1

  private static var extraLimit: Int { EventRules.extraLimit }

  mutating func reset() { kept.removeAll() }

  // MARK: Conditions

  /// Whether all that is asked for holds.
  mutating func fits(_ conditions: [Mapping.Condition]) -> Bool {
    conditions.allSatisfy { condition in
      let value = message.value(of: condition.source)
      switch condition.wanted {
      case .present: if case .absent = value { return false } else { return true }
      case .absent: if case .absent = value { return true } else { return false }
      case .oneOf(let constants): return constants.contains { Self.isEqual(value, $0) }
      }
    }
  }

  private static func isEqual(_ value: MappedMessage.Value, _ constant: Mapping.Constant) -> Bool {
    switch (value, constant) {
    case (.text(let text), .text(let wanted)): text == wanted.text
    case (.integer(let value, _, let unsigned), .integer(let wanted, let digits)):
      // Beyond 64 bits with a sign all have the same bound.
      value == wanted && (value != .max || "\(unsigned ?? 0)" == digits.text.description)
    case (.bool(let word), .bool(let wanted)): word == wanted
    default: false
    }
  }

  // MARK: Fields

  /// A value of a field as section 2 takes it: a string, an integer, or absent.
  mutating func read(
    _ field: Mapping.Field, _ name: Mapping.MappedEvent.Name, _ mapping: Mapping
  ) throws(NotUnderstood) -> PatternValues.Value {
    origin = -1
    let value: MappedMessage.Value
    do throws(NoNumber) { value = try self.value(of: field) } catch {
      throw refusal(name, mapping, "is no number")
    }
    var result = PatternValues.Value()
    switch (value, name.value) {
    case (.absent, _): break
    case (.text(let text), .integer):
      guard text.integer != nil else { throw refusal(name, mapping, "is no integer") }
      result.text = text
    case (.text(let text), _): result.text = text
    case (.integer(let number, _, _), _):
      // Where it is to be an integer, its digits are for those who tell it as it came.
      result.text = keptDigits(value)
      result.integer = number
      result.isString = name.value != .integer
    case (.bool(let word), .text): result.text = word ? Text("true") : Text("false")
    case (.other(let json, let document), .text) where json.kind == .number:
      result.text = message.word(json, in: document)
    case (.other(let json, let document), .text) where name.isExtra:
      let begin = kept.count
      let isWhole = message.appendCompact(json, in: document, to: &kept, limit: Self.extraLimit)
      if isWhole { result.text = Text(start: kept.base + begin, count: kept.count - begin) }
    case (.other(let json, _), .id) where json.kind == .number: throw refusal(name, mapping, "is no integer")
    case (_, .integer): throw refusal(name, mapping, "is no integer")
    default: throw refusal(name, mapping, "is no string")
    }
    // An ornament stops no gift.
    if name.isExtra, result.text.count > Self.extraLimit { return PatternValues.Value() }
    return result
  }

  private func refusal(_ name: Mapping.MappedEvent.Name, _ mapping: Mapping, _ why: String) -> NotUnderstood {
    let place = origin < 0 ? "" : " (\(mapping.tree.texts[origin]))"
    return NotUnderstood(.wrongType, "\(name.text)\(place) \(why)")
  }

  /// A value that is to be a number, and is none.
  private struct NoNumber: Error {}

  private mutating func value(of field: Mapping.Field) throws(NoNumber) -> MappedMessage.Value {
    switch field {
    case .path(let source):
      origin = source
      return message.value(of: source)
    case .constant(let constant):
      origin = -1
      return Self.value(of: constant)
    case .list(let fields):
      for field in fields {
        let value = try value(of: field)
        if case .absent = value { continue }
        return value
      }
      return .absent
    case .changed(let inner, let changes):
      var value = try value(of: inner)
      if let words = changes.words { value = result(of: value, among: words) }
      if let scale = changes.scale { value = try scaled(value, scale) }
      if case .absent = value, let otherwise = changes.otherwise {
        origin = -1
        return Self.value(of: otherwise)
      }
      return value
    }
  }

  private static func value(of constant: Mapping.Constant) -> MappedMessage.Value {
    switch constant {
    case .text(let text): text.text.isEmpty ? .absent : .text(text.text)
    case .integer(let value, let digits): .integer(value: value, digits: digits.text, unsigned: nil)
    case .bool(let word): .bool(word)
    }
  }

  private mutating func result(
    of value: MappedMessage.Value, among words: [Mapping.Field.Word]
  ) -> MappedMessage.Value {
    let begin = kept.count
    guard let text = text(of: value), let word = words.first(where: { $0.text.text == text }) else {
      kept.removeAll(after: begin)
      return .absent
    }
    kept.removeAll(after: begin)
    return Self.value(of: word.result)
  }

  /// The text by which a value is looked up, or read as a number; nil: it has none.
  private mutating func text(of value: MappedMessage.Value) -> Text? {
    switch value {
    case .absent: nil
    case .text(let text): text
    case .integer: keptDigits(value)
    case .bool(let word): word ? Text("true") : Text("false")
    case .other(let json, let document): json.kind == .number ? message.word(json, in: document) : nil
    }
  }

  private mutating func keptDigits(_ value: MappedMessage.Value) -> Text {
    guard case .integer(let value, let digits, let unsigned) = value else { return .empty }
    if let digits { return digits }
    let begin = kept.count
    if let unsigned { kept.append(unsigned) } else { kept.append(value) }
    return Text(start: kept.base + begin, count: kept.count - begin)
  }

  private mutating func scaled(
    _ value: MappedMessage.Value, _ scale: Mapping.Field.Scale
  ) throws(NoNumber) -> MappedMessage.Value {
    switch value {
    case .absent: return .absent
    case .bool: throw NoNumber()
    case .other(let json, _) where json.kind != .number: throw NoNumber()
    case .text, .integer, .other: break
    }
    let begin = kept.count
    guard let text = text(of: value), let billionths = text.billionths else { throw NoNumber() }
    kept.removeAll(after: begin)
    let (quotient, rest) = (billionths * Int128(scale.times)).quotientAndRemainder(
      dividingBy: Int128(scale.per) * 1_000_000_000)
    let result = rest < 0 ? quotient - 1 : quotient
    if let small = Int64(exactly: result) {
      return .integer(value: small, digits: nil, unsigned: nil)
    }
    kept.append(string: "\(result)")
    return .integer(
      value: result < 0 ? .min : .max, digits: Text(start: kept.base + begin, count: kept.count - begin), unsigned: nil)
  }
}

extension Text {
  /// A number without an exponent, times 10⁹, of which digits beyond the ninth behind the point are dropped; nil: it is none,
  /// or has more than 18 digits before the point.
  fileprivate var billionths: Int128? {
    var rest = bytes[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    let whole = rest.prefix { 0x30...0x39 ~= $0 }
    let digits = whole.drop { $0 == 0x30 }
    guard !whole.isEmpty, digits.count <= 18 else { return nil }
    var value: Int128 = 0
    for digit in digits { value = value * 10 + Int128(digit & 15) }
    rest = rest.dropFirst(whole.count)
    var behind = rest
    if rest.first == UInt8(ascii: ".") {
      behind = rest.dropFirst()
      guard !behind.isEmpty else { return nil }
    } else if !rest.isEmpty {
      return nil
    }
    guard behind.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    var places = 0
    for digit in behind.prefix(9) {
      value = value * 10 + Int128(digit & 15)
      places += 1
    }
    while places < 9 {
      value *= 10
      places += 1
    }
    return isNegative ? -value : value
  }
}
