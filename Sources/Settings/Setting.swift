internal import RoomModel

/// A setting, declared once: flags, environment, files, help and README all come from this. `Root` is what it is a
/// part of; its default is what a new `Root` holds.
package struct Setting<Root>: Sendable {
  /// Its name in STAGES.md and INTERFACES.md: `gift.comboWindowMs`.
  package let name: String
  /// The values it takes, for people: `1…64`, `fifo`, `value`.
  package let values: String
  /// One line.
  package let help: String
  let isNumber: Bool
  /// Stores a value. Throws the mistake in it, with what to give instead.
  let store: @Sendable (SettingText, inout Root) throws(Refusal) -> Void
  /// The value as a flag spells it.
  package let text: @Sendable (Root) -> String

  /// `gift`.
  package var group: Substring { name.prefix { $0 != "." } }

  /// The same setting of something that holds a `Root`.
  func within<Outer>(_ path: any WritableKeyPath<Outer, Root> & Sendable) -> Setting<Outer> {
    Setting<Outer>(
      name: name, values: values, help: help, isNumber: isNumber,
      store: { text, outer throws(Refusal) in try store(text, &outer[keyPath: path]) },
      text: { text($0[keyPath: path]) })
  }

  func store(_ entry: SettingsFile.Entry, in root: inout Root) throws(SettingsError) {
    guard let text = entry.text else {
      throw SettingsError(entry.origin, "\(name) has no value; leave it out for the default")
    }
    do {
      try store(text, &root)
    } catch {
      throw SettingsError(entry.origin, (entry.origin.namesSetting ? "" : "\(name) ") + error.reason)
    }
  }
}

/// A value as it was written, before it is known to be one.
enum SettingText: Equatable, Sendable {
  case one(String)
  case list([String])

  func single() throws(Refusal) -> String {
    switch self {
    case .one(let text): return text
    case .list: throw Refusal("is a list; give one value")
    }
  }

  /// Lists have commas, or are lists where a file can say so.
  var many: [String] {
    switch self {
    case .one(let text):
      text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { trimmed(Substring($0)) }
    case .list(let items): items
    }
  }

  private func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// A sentence on what is wrong with a value, without its origin.
struct Refusal: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension Setting {
  typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable

  /// A value that `parse` makes of a text, or says what is wrong with it; `text` is the way back.
  private static func one<Value>(
    _ name: String, _ path: Path<Value>, _ values: String, _ help: String, isNumber: Bool = false,
    text: @escaping @Sendable (Value) -> String, _ parse: @escaping @Sendable (String) throws(Refusal) -> Value
  ) -> Setting {
    Setting(
      name: name, values: values, help: help, isNumber: isNumber,
      store: { text, root throws(Refusal) in root[keyPath: path] = try parse(try text.single()) },
      text: { text($0[keyPath: path]) })
  }

  /// Values of a list, none of them twice.
  ///
  /// - Parameter mayBeEmpty: a text without any is the empty list.
  private static func several<Value>(
    _ name: String, _ path: Path<[Value]>, _ values: String, _ help: String, mayBeEmpty: Bool = true,
    text: @escaping @Sendable (Value) -> String, _ parse: @escaping @Sendable (String) throws(Refusal) -> Value
  ) -> Setting {
    Setting(
      name: name, values: values, help: help, isNumber: false,
      store: { text, root throws(Refusal) in
        let items = mayBeEmpty && text.many.allSatisfy(\.isEmpty) ? [] : text.many
        if items.isEmpty, !mayBeEmpty { throw Refusal("is empty; give at least one") }
        var parsed: [Value] = []
        for item in items { parsed.append(try parse(item)) }
        for (place, item) in items.enumerated() where items[..<place].contains(item) {
          throw Refusal("'\(item)' is there twice; give it once")
        }
        root[keyPath: path] = parsed
      },
      text: { $0[keyPath: path].map(text).joined(separator: ",") })
  }

  static func integer<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ path: Path<Number>, _ range: ClosedRange<Number>, _ help: String
  ) -> Setting {
    let values = "\(range.lowerBound)…\(range.upperBound)"
    return one(name, path, values, help, isNumber: true, text: { "\($0)" }) { text throws(Refusal) in
      guard isWholeNumber(text) else { throw Refusal("'\(text)' is not a whole number; give one in \(values)") }
      guard let number = Number(text), range.contains(number) else {
        throw Refusal("\(text) is out of range; give one in \(values)")
      }
      return number
    }
  }

  /// A number, or nothing.
  static func optionalInteger<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ path: Path<Number?>, _ range: ClosedRange<Number>, _ help: String
  ) -> Setting {
    let values = "\(range.lowerBound)…\(range.upperBound), or empty"
    return one(name, path, values, help, text: { $0.map { "\($0)" } ?? "" }) { text throws(Refusal) in
      if text.isEmpty { return nil }
      guard let number: Number = wholeNumber(text), range.contains(number) else {
        throw Refusal("'\(text)' will not do; give one in \(values)")
      }
      return number
    }
  }

  /// Any number of numbers, or none; none of them twice.
  static func integers<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ path: Path<[Number]>, _ range: ClosedRange<Number>, _ help: String
  ) -> Setting {
    let values = "numbers in \(range.lowerBound)…\(range.upperBound)"
    return several(name, path, values, help, text: { "\($0)" }) { text throws(Refusal) in
      guard let number: Number = wholeNumber(text), range.contains(number) else {
        throw Refusal("'\(text)' will not do; give \(values)")
      }
      return number
    }
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: Path<Choice>, _ help: String
  ) -> Setting {
    let words = Choice.allCases.map(\.rawValue)
    return one(name, path, words.joined(separator: ", "), help, text: \.rawValue) { text throws(Refusal) in
      guard let choice = Choice(rawValue: text) else {
        throw Refusal("'\(text)' is not a choice; give \(words.joined(separator: " or "))")
      }
      return choice
    }
  }

  /// Any number of words, or none; none of them twice.
  static func choices<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: Path<[Choice]>, _ help: String
  ) -> Setting {
    let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    return several(name, path, words, help, text: \.rawValue) { text throws(Refusal) in
      guard let choice = Choice(rawValue: text) else {
        throw Refusal("'\(text)' is not a choice; give some of \(words)")
      }
      return choice
    }
  }

  /// A text that `rule` finds nothing wrong with.
  static func text(
    _ name: String, _ path: Path<String>, _ values: String, _ help: String,
    _ rule: @escaping @Sendable (String) throws(Refusal) -> Void
  ) -> Setting {
    one(name, path, values, help, text: { $0 }) { text throws(Refusal) in
      try rule(text)
      return text
    }
  }

  /// Texts, none of them twice; at least one.
  static func list(
    _ name: String, _ path: Path<[String]>, _ values: String, _ help: String, mayBeEmpty: Bool = false,
    _ rule: @escaping @Sendable (String) throws(Refusal) -> Void
  ) -> Setting {
    several(name, path, values, help, mayBeEmpty: mayBeEmpty, text: { $0 }) { text throws(Refusal) in
      try rule(text)
      return text
    }
  }

  /// Any number of texts, or none; none of them twice.
  static func texts(
    _ name: String, _ path: Path<[String]>, _ values: String, _ help: String,
    _ rule: @escaping @Sendable (String) throws(Refusal) -> Void
  ) -> Setting { list(name, path, values, help, mayBeEmpty: true, rule) }

  /// `streams:ms`, with commas between.
  static func gatherSteps(_ name: String, _ path: Path<[GatherStep]>, _ help: String) -> Setting {
    let values = "streams:ms, or empty"
    return several(name, path, values, help, text: { "\($0.streams):\($0.ms)" }) { text throws(Refusal) in
      let halves = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard halves.count == 2, let streams: Int = wholeNumber(halves[0]), let ms: Int64 = wholeNumber(halves[1]),
        streams > 0, 0...10_000 ~= ms
      else { throw Refusal("'\(text)' will not do; give \(values), as 5000:300,50000:800") }
      return GatherStep(streams: streams, ms: ms)
    }
  }

  /// `worth:holdMs`, with commas between; a file may have a list.
  static func tiers(_ name: String, _ path: Path<GiftTiers>, _ help: String) -> Setting {
    let values = "up to 16 times worth:holdMs, the worths rising, or empty"
    return Setting(
      name: name, values: values, help: help, isNumber: false,
      store: { text, root throws(Refusal) in
        var words: String
        switch text {
        case .one(let text): words = text
        case .list(let items): words = items.joined(separator: ",")
        }
        let tiers = words.withUTF8 { utf8 in
          utf8.isEmpty ? GiftTiers() : GiftTiers(Text(start: utf8.baseAddress!, count: utf8.count))
        }
        guard let tiers else { throw Refusal("'\(words)' will not do; give \(values), as 500:2000,5000:4000") }
        root[keyPath: path] = tiers
      },
      text: { $0[keyPath: path].description })
  }

  /// An address in digits, or nothing.
  static func address(_ name: String, _ path: Path<String>, _ help: String) -> Setting {
    .text(name, path, "an address", help) { text throws(Refusal) in
      guard text.isEmpty || Network.isAddress(text) else {
        throw Refusal("'\(text)' is no address; give one in digits, like 127.0.0.1 or ::1")
      }
    }
  }
}

/// Digits, with a `-` before them or not. Texts that readers of YAML and JSON take for different numbers (`010`,
/// `1_000`, `+1`) are none here.
func wholeNumber<Number: FixedWidthInteger>(_ text: String) -> Number? {
  isWholeNumber(text) ? Number(text) : nil
}

private func isWholeNumber(_ text: String) -> Bool {
  let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
  guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
  return digits.utf8.count == 1 || digits.first != "0"
}
