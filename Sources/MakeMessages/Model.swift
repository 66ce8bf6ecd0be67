// The engine's values: texts are somebody else's.

extension Schema {
  var model: String {
    let (events, commands) = (kinds(of: "Event"), kinds(of: "Command"))
    let parts = parts(of: events + commands).filter { Self.alike[$0.name] == nil }
    let engineEvents = events.map(\.message).filter { !Self.byHand.contains($0.name) }
    let structures =
      parts.map { structure($0, ": BitwiseCopyable, Equatable, Sendable", hasDefaults: true) }
      + engineEvents.map { structure($0, ": BitwiseCopyable", hasDefaults: true) }
      + commands.map { structure($0.message, ": BitwiseCopyable", hasDefaults: false) }
    return structures.joined(separator: "\n") + eventKinds(events) + commandKinds(commands)
  }

  private func structure(_ message: Message, _ conformances: String, hasDefaults: Bool) -> String {
    let fields = message.fields
    let parameters = fields.map { field in
      let hasDefault = hasDefaults && (field.isRepeated || !field.rule.isNeeded && !isMessage(field))
      return "\(field.engineName): \(engineType(field))\(hasDefault ? " = \(usual(field))" : "")"
    }
    let blank = fields.map { "\($0.engineName): \(empty($0))" }
    let whole = """

        @inlinable @inline(__always) public init(
      \(arguments(parameters, "    "))
        ) {
      \(lines(fields, "    ") { "self.\($0.engineName) = \($0.engineName)" })
        }

      """
    return """
      \(comment(message.doc))public struct \(message.name)\(conformances) {
      \(fields.map { "\(comment($0.doc, "  "))  public var \($0.engineName): \(engineType($0))\n" }.joined())\
      \(message.enumerations.map(enumeration).joined())\(fields.isEmpty ? "" : whole)
        @inlinable @inline(__always) public init() {\(fields.isEmpty ? "" : "\n    self.init(\n\(arguments(blank, "      ")))\n  ")}
      }

      """
  }

  private func enumeration(_ name: String, _ words: [Field]) -> String {
    """

      public enum \(name): UInt8, BitwiseCopyable, CaseIterable, Sendable {
    \(words.map { "\(comment($0.doc, "    "))    case \($0.name)" }.joined(separator: "\n"))
      }

    """
  }

  private func engineType(_ field: Field) -> String {
    if field.isMap { return "UnsafeBufferPointer<RoomSetting.Value>" }
    if field.isRepeated { return "UnsafeBufferPointer<\(element(field))>" }
    if field.isInteger || field.rule.isRecord {
      guard field.name.hasSuffix("Ms") else { return "Int64" }
      return field.name == "startMs" || field.name == "endMs" ? "LogTime" : "Milliseconds"
    }
    return element(field)
  }

  private func element(_ field: Field) -> String {
    field.enumeration ?? (field.type == "string" ? "Text" : field.isInteger ? "Int64" : Self.swiftName(field.type))
  }

  private func empty(_ field: Field) -> String {
    if field.isRepeated || field.isMap { return ".init(start: nil, count: 0)" }
    if isMessage(field) { return "\(field.type)()" }
    if let enumeration = field.enumeration { return ".\(words(of: enumeration)[0].name)" }
    return field.isInteger || field.rule.isRecord ? "0" : ".empty"
  }

  /// The value of an event that says nothing.
  private func usual(_ field: Field) -> String {
    field.isInteger && !field.isRepeated ? "\(max(field.rule.zero, field.rule.absent))" : empty(field)
  }

  // MARK: Kinds

  private func eventKinds(_ kinds: [(field: Field, message: Message)]) -> String {
    func user(_ message: Message) -> String {
      if message.fields.contains(where: { $0.type == "Sender" }) { return "sender" }
      return message.fields.contains { $0.name == "userId" && $0.rule.isNeeded } ? "own" : "none"
    }
    let names = kinds.map(\.field.name)
    return """

      /// The kinds of events, by their names in the schema and in settings.
      public enum EventKind: String, CaseIterable, Sendable {
        case \(names.joined(separator: ", "))

        public var traits: Traits {
          switch self {
      \(lines(kinds, "    ") { field, message in
        let most = field.rule.perSecond.map { ", perSecond: \($0)" } ?? ""
        return "case .\(field.name): Traits(.\(user(message)), to: .\(field.rule.topics ?? "none")\(most))"
      })
          }
        }
      }

      extension RoomEvent {
        public enum Body {
      \(lines(kinds, "    ", bodyCase(ofEvent: true)))
        }
      }

      extension RoomEvent.Body {
      \(kindSwitch("EventKind", names))

        /// The user who did it; nil if it doesn't say.
        @inlinable @inline(__always) public var user: Text? {
          switch self {
      \(lines(kinds, "    ") { field, message in
        switch user(message) {
        case "sender": "case .\(field.name)(let body): body.sender.userId"
        case "own": "case .\(field.name)(let body): body.userId"
        default: "case .\(field.name): nil"
        }
      })
          }
        }

        /// The name of the user who did it, as it is drawn; nil if such an event doesn't say.
        public var senderName: Text? {
          switch self {
      \(lines(kinds, "    ") { field, message in
        user(message) == "sender" ? "case .\(field.name)(let body): body.sender.name" : "case .\(field.name): nil"
      })
          }
        }
      }

      """
  }

  private func commandKinds(_ kinds: [(field: Field, message: Message)]) -> String {
    """

    extension RoomCommand {
      public enum Body {
    \(lines(kinds, "    ", bodyCase(ofEvent: false)))

        /// The kinds, in the order of STAGES.md.
        public enum Kind: UInt8, CaseIterable, Sendable {
          case \(kinds.map(\.field.name).joined(separator: ", "))
        }
      }
    }

    extension RoomCommand.Body {
    \(kindSwitch("Kind", kinds.map(\.field.name)))
    }

    """
  }

  /// An event without fields says all by its kind.
  private func bodyCase(ofEvent: Bool) -> (Field, Message) -> String {
    { field, message in
      if ofEvent, message.fields.isEmpty { return "case \(field.name)" }
      return "case \(field.name)(\(isLent(message) ? "Lent<\(message.name)>" : message.name))"
    }
  }

  private func kindSwitch(_ type: String, _ names: [String]) -> String {
    """
      @inlinable @inline(__always) public var kind: \(type) {
        switch self {
    \(lines(names, "    ") { "case .\($0): .\($0)" })
        }
      }
    """
  }
}
