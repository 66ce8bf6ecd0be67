// Lists of fields, which all coders run; and the clients' values of the engine's, and the other way.

extension Schema {
  var wire: String {
    let (events, commands) = (kinds(of: "Event"), kinds(of: "Command"))
    let names = Set(events.map(\.message.name) + commands.map(\.message.name))
    func parts(_ kinds: [(field: Field, message: Message)]) -> [Message] {
      self.parts(of: kinds).filter { !names.contains($0.name) }
    }
    return "import RoomModel\nimport RoomScreen\n\n"
      + parts(events).map { list($0, nil, ofEvent: true) }.joined()
      + events.map { list($0.message, $0.field, ofEvent: true) }.joined() + eventKinds(events)
      + parts(commands).map { list($0, nil, ofEvent: false) + conversions($0) }.joined()
      + commands.map { list($0.message, $0.field, ofEvent: false) + conversions($0.message) }.joined()
      + commands.flatMap { _, message in message.enumerations.map { enumeration(message, $0, $1) } }.joined()
      + commandKinds(commands)
  }

  // MARK: Lists

  private func list(_ message: Message, _ kind: Field?, ofEvent: Bool) -> String {
    let isWritten = ofEvent && Self.written.contains(message.name)
    let name = isWritten ? "Written\(message.name)" : Self.swiftName(message.name)
    let requirement = ofEvent ? kind == nil ? "EventFieldList" : "EventBody" : kind == nil ? "FieldList" : "CommandBody"
    let statics = kind.map { kind in
      """
        static var name: StaticString { "\(kind.name)" }
        static var number: UInt32 { \(kind.number) }


      """
    }
    return """
      \(isWritten ? "struct" : "extension") \(name): \(requirement) {
      \(isWritten ? message.fields.map { "  var \($0.name)\(writtenEmpty($0))\n" }.joined() + "\n" : "")\(statics ?? "")\
        static func list(_ fields: inout some \(ofEvent ? "Event" : "")FieldCoder<\(name)>) {
      \(lines(message.fields, "    ") { ofEvent ? eventField($0) : commandField($0) })
        }
      }


      """
  }

  private func writtenEmpty(_ field: Field) -> String {
    if field.isRepeated { return " = UnsafeBufferPointer<Text>(start: nil, count: 0)" }
    return field.isInteger ? ": Int64 = 0" : " = Text.empty"
  }

  private func eventField(_ field: Field) -> String {
    let rule = field.rule
    let start = "(\"\(field.name)\", \(field.number), \\.\(field.name)"
    let range = rule.range.map { "\($0.lowerBound)...\($0.upperBound)" } ?? ".min ... .max"
    let presence = rule.isNeeded ? "required" : rule.isWritten ? "written" : "optional"
    if field.isMap { return "fields.settings\(start))" }
    if isMessage(field) { return "fields.\(field.isRepeated ? "points" : "message")\(start))" }
    if field.isRepeated {
      return rule.isId ? "fields.ids\(start))" : "fields.integers\(start), \(range), limit: \(rule.most))"
    }
    if field.isInteger {
      let zero = rule.isByHand ? 0 : rule.zero
      return "fields.integer\(start), .within(\(range), absent: \(rule.absent), zero: \(zero), .\(presence)))"
    }
    let drawn = rule.drawn.map { ", drawn: .\($0)" } ?? ""
    let limit = rule.bytes.map(String.init) ?? "EventRules.idLimit"
    return "fields.\(rule.isId ? "id" : "text")\(start), .upTo(\(limit), .\(presence)\(drawn)))"
  }

  private func commandField(_ field: Field) -> String {
    let start = "(\"\(field.name)\", \(field.number), \\.\(field.engineName))"
    if isMessage(field) { return "fields.\(field.isRepeated ? "messages" : "message")\(start)" }
    if field.enumeration != nil { return "fields.word\(start)" }
    return "fields.\(field.rule.isRecord ? "id" : field.isInteger ? "integer" : "text")\(start)"
  }

  private func enumeration(_ message: Message, _ name: String, _ words: [Field]) -> String {
    """
    extension \(message.name).\(name): SchemaWord {
      var number: Int64 {
        switch self {
    \(lines(words, "    ") { "case .\($0.name): \($0.number)" })
        }
      }

      var word: Text {
        switch self {
    \(lines(words, "    ") { "case .\($0.name): Text(\"\($0.name)\")" })
        }
      }
    }


    """
  }

  // MARK: The engine's values and the clients'

  private func conversions(_ message: Message) -> String {
    let name = message.name
    let fields = message.fields
    let hasFields = !fields.isEmpty
    return """
      extension \(name) {
        func owned(of log: PublishedLog) -> Command.\(name) {
          Command.\(name)(
      \(arguments(fields.map { "\($0.name): \(owned($0))" }, "      ")))
        }
      }

      extension Command.\(name) {
        /// Nil if it is none of ours: it names no record, or has a word that isn't known here.
        func borrowed(keptIn batch: UnsafeMutablePointer<CommandBatch>) -> RoomModel.\(name)? {
          \(hasFields ? "var" : "let") body = RoomModel.\(name)()
      \(lines(fields, "    ", borrowed))
          return body
        }
      }


      """
  }

  private func owned(_ field: Field) -> String {
    let name = field.engineName
    if field.rule.isRecord { return "log.record(\(name))" }
    if field.enumeration != nil { return ".init(rawValue: \(name).word.description)" }
    if isMessage(field) { return field.isRepeated ? "\(name).map { $0.owned(of: log) }" : "\(name).owned(of: log)" }
    if field.type == "string" { return field.rule.isId ? "ID(\(name))" : "\(name).description" }
    return isInt(field) ? "Int(\(name))" : name
  }

  private func borrowed(_ field: Field) -> String {
    let name = field.name
    let place = "body.\(field.engineName)"
    func known(_ value: String) -> String {
      "guard let \(name) = \(value) else { return nil }\n\(place) = \(name)"
    }
    if field.rule.isRecord { return known("CommandID(\(name))?.offset") }
    if let enumeration = field.enumeration {
      return known("RoomModel.\(enumeration).allCases.first(where: { $0.word.description == \(name).rawValue })")
    }
    if isMessage(field) {
      if !field.isRepeated { return known("\(name).borrowed(keptIn: batch)") }
      return "let \(name) = \(name).compactMap { $0.borrowed(keptIn: batch) }\n"
        + "\(place) = \(name).withUnsafeBufferPointer { batch.pointee.keep($0) }"
    }
    if field.type == "string" { return "\(place) = batch.pointee.keep(\(field.rule.isId ? "\(name).string" : name))" }
    return isInt(field) ? "\(place) = Int64(\(name))" : "\(place) = \(name)"
  }

  // MARK: Kinds

  private func eventKinds(_ kinds: [(field: Field, message: Message)]) -> String {
    func type(_ message: Message) -> String { (Self.written.contains(message.name) ? "Written" : "") + message.name }
    return """
      extension EventKind {
        /// Its list.
        var body: any EventBody.Type {
          switch self {
      \(lines(kinds, "    ") { "case .\($0.name): \(type($1)).self" })
          }
        }
      }

      extension RoomEvent.Body {
        @inline(__always) init(_ kind: EventKind, _ reader: some EventBodyReader) throws(NotUnderstood) {
          switch kind {
      \(lines(kinds, "    ") { field, message in
        if field.name == "gift" { return "case .gift: self = .gift(try reader.readGift())" }
        let read = "try reader.read(\(type(message)).self)\(Self.written.contains(message.name) ? ".checked()" : "")"
        if message.fields.isEmpty { return "case .\(field.name):\n  _ = \(read)\n  self = .\(field.name)" }
        return "case .\(field.name): self = .\(field.name)(\(isLent(message) ? "reader.lend(\(read))" : read))"
      })
          }
        }

        func write(to writer: some EventBodyWriter) {
          switch self {
      \(lines(kinds, "    ") { field, message in
        if message.fields.isEmpty { return "case .\(field.name): writer.append(\(message.name)())" }
        let body = isLent(message) ? "body.whole" : "body"
        let written = Self.written.contains(message.name) ? "\(type(message))(\(body))" : body
        return "case .\(field.name)(let body): writer.append(\(written))"
      })
          }
        }
      }


      """
  }

  private func commandKinds(_ kinds: [(field: Field, message: Message)]) -> String {
    """
    extension RoomCommand.Body.Kind {
      /// Its list.
      var body: any CommandBody.Type {
        switch self {
    \(lines(kinds, "    ") { "case .\($0.name): \($1.name).self" })
        }
      }
    }

    extension RoomCommand.Body {
      @inline(__always) func write(to writer: some BodyWriter) {
        switch self {
    \(lines(kinds, "    ") { "case .\($0.name)(let body): writer.append(body\(isLent($1) ? ".whole" : ""))" })
        }
      }

      /// Nil if a word in it isn't known here.
      @inline(__always) init?(_ kind: Kind, _ reader: some BodyReader) throws(NotUnderstood) {
        switch kind {
    \(lines(kinds, "    ") {
      "case .\($0.name):\n  guard let body = try reader.read(\($1.name).self) else { return nil }\n"
        + "  self = .\($0.name)(\(isLent($1) ? "reader.lend(body)" : "body"))"
    })
        }
      }

      func owned(of log: PublishedLog) -> Command.Body {
        switch self {
    \(lines(kinds, "    ") {
      "case .\($0.name)(let body): .\($0.name)(body\(isLent($1) ? ".whole" : "").owned(of: log))"
    })
        }
      }
    }

    extension Command.Body {
      /// Nil if it is none of ours: of a kind that isn't known here, say.
      func borrowed(keptIn batch: UnsafeMutablePointer<CommandBatch>) -> RoomCommand.Body? {
        switch self {
    \(lines(kinds, "    ") {
      "case .\($0.name)(let shown): shown.borrowed(keptIn: batch).map { .\($0.name)("
        + (isLent($1) ? "batch.pointee.lend($0)" : "$0") + ") }"
    })
        case .unknown: nil
        }
      }
    }

    """
  }
}
