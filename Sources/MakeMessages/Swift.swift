// What the Swift of all three targets has in common.

extension Schema {
  /// Events that have another form in the engine than on the wire: `Wire` has a `Written…` of each, and code by hand
  /// between the two.
  static let written: Set = ["Goal", "Retract"]
  /// The engine has them by hand.
  static let byHand: Set = ["Retract"]
  /// A message of events that has the same fields as one of commands.
  static let alike = ["TapPoint": "Point"]

  static func swiftName(_ type: String) -> String { alike[type] ?? type }

  /// Bodies of more words than this are lent.
  private static let mostWords = 5

  func isLent(_ message: Message) -> Bool { !Self.byHand.contains(message.name) && words(message) > Self.mostWords }

  private func words(_ message: Message) -> Int {
    message.fields.reduce(0) { words, field in
      words
        + (field.isRepeated || field.isMap || field.type == "string" && !field.rule.isRecord
          ? 2 : isMessage(field) ? self.words(self[field.type]) : 1)
    }
  }

  func isMessage(_ field: Field) -> Bool { messages.contains { $0.name == field.type } }

}

extension Schema.Field {
  /// The enumeration that it is a word of: `GoalShow.By`.
  var enumeration: String? { type.contains(".") ? type : rule.word }
  var isMap: Bool { type.hasPrefix("map") }
  var isInteger: Bool { type.hasPrefix("int") }
  /// The engine knows the offset alone of what is named by a record.
  var engineName: String { rule.isRecord ? name.dropLast(2) + "Offset" : name }
}

/// A comment as Swift has it; names of fields are as in JSON.
func comment(_ doc: [String], _ indent: String = "") -> String {
  doc.map { line in
    let words = line.replacing(#/\b[a-z]+(_[a-z]+)+\b/#) { "`\(String($0.output.0).camelCase)`" }
    return "\(indent)/// \(words)\n"
  }.joined()
}

/// Cases of a `switch`, or other lines of one form.
func lines<Element>(_ elements: [Element], _ indent: String, _ line: (Element) -> String) -> String {
  elements.map { line($0).split(separator: "\n").map { "\(indent)\($0)" }.joined(separator: "\n") }
    .joined(separator: "\n")
}

/// Parameters or arguments of a call, one on each line.
func arguments(_ arguments: [String], _ indent: String) -> String {
  arguments.map { indent + $0 }.joined(separator: ",\n")
}
