// The clients' values: texts of their own, and JSON.

extension Schema {
  var screen: String {
    let kinds = kinds(of: "Command")
    let names = kinds.map(\.field.name)
    let messages = parts(of: kinds) + kinds.map(\.message)
    return """
      extension Command {
      \(messages.map(structure).joined(separator: "\n"))
        /// The thing to draw, by its kind.
        public enum Body: Sendable, Hashable {
      \(kinds.map { "\(comment($0.message.doc, "    "))    case \($0.field.name)(\($0.message.name))\n" }.joined())\
          /// A kind that a newer server knows. It draws nothing here.
          case unknown(kind: String)
        }
      }

      extension Command.Body {
        private enum Kind: String, CaseIterable {
          case \(names.joined(separator: ", "))

          var member: Command.Member { Command.Member(stringValue: rawValue) }
        }

        init(_ members: KeyedDecodingContainer<Command.Member>) throws {
          guard let kind = Kind.allCases.first(where: { members.contains($0.member) }) else {
            let others = members.allKeys.map(\\.stringValue).filter { !["roomId", "id", "atMs"].contains($0) }
            self = .unknown(kind: others.min() ?? "")
            return
          }
          func body<Value: Decodable>() throws -> Value { try members.decode(Value.self, forKey: kind.member) }
          self =
            switch kind {
      \(lines(names, "      ") { "case .\($0): .\($0)(try body())" })
            }
        }

        func encode(to members: inout KeyedEncodingContainer<Command.Member>) throws {
          switch self {
      \(lines(names, "    ") { "case .\($0)(let body): try members.encode(body, forKey: Kind.\($0).member)" })
          case .unknown(let kind):
            // Its contents aren't known; that it was there is.
            if !kind.isEmpty { try members.encode([String: String](), forKey: Command.Member(stringValue: kind)) }
          }
        }
      }

      """
  }

  private func structure(_ message: Message) -> String {
    let fields = message.fields
    let parameters = fields.map { field in
      "\(field.name): \(screenType(field))\(hasDefault(field) ? " = \(empty(field))" : "")"
    }
    let mayBeAbsent = fields.contains { $0.rule.mayBeAbsent }
    return """
      \(comment(message.doc, "  "))  public struct \(message.name): Sendable, Hashable, Codable {
      \(fields.map { "\(comment($0.doc, "    "))    public var \($0.name): \(screenType($0))\n" }.joined())
          /// Makes one, as a gateway or a test does.
          public init(\(fields.isEmpty ? "" : "\n\(arguments(parameters, "      "))\n    ")) {
      \(lines(fields, "      ") { "self.\($0.name) = \($0.name)" })
          }
      \(mayBeAbsent ? decoder(fields) : "")\(message.enumerations.map(enumeration).joined())  }

      """
  }

  /// Fields that older gateways don't tell are empty.
  private func decoder(_ fields: [Field]) -> String {
    """

        public init(from decoder: any Decoder) throws {
          let members = try decoder.container(keyedBy: CodingKeys.self)
    \(lines(fields, "      ") { field in
      let call = "members.decode\(field.rule.mayBeAbsent ? "IfPresent" : "")"
      return "\(field.name) = try \(call)(\(screenType(field)).self, forKey: .\(field.name))"
        + (field.rule.mayBeAbsent ? " ?? \(empty(field))" : "")
    })
        }

    """
  }

  private func enumeration(_ name: String, _ words: [Field]) -> String {
    """

        /// A word, since a newer server may know more of them.
        public struct \(name): RawRepresentable, Sendable, Hashable, Codable {
          public var rawValue: String

          public init(rawValue: String) { self.rawValue = rawValue }

    \(words.map { "\(comment($0.doc, "      "))      public static let \($0.name) = \(name)(rawValue: \"\($0.name)\")" }.joined(separator: "\n"))
        }

    """
  }

  private func hasDefault(_ field: Field) -> Bool {
    field.isRepeated || !field.rule.isNeeded && !isMessage(field) && field.enumeration == nil
  }

  private func screenType(_ field: Field) -> String {
    if field.isRepeated { return "[\(field.type)]" }
    if field.type == "string" { return field.rule.isId || field.rule.isRecord ? "ID" : "String" }
    return isInt(field) ? "Int" : field.isInteger ? "Int64" : field.type
  }

  /// A small number that is no span of time.
  func isInt(_ field: Field) -> Bool {
    field.type == "int32" && !field.name.hasSuffix("Ms") && !field.rule.isSeconds
  }

  private func empty(_ field: Field) -> String { field.isRepeated ? "[]" : field.isInteger ? "0" : "\"\"" }
}
