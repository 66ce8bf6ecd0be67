/// The messages of `flyscreen.proto`, and the rules that stand behind their fields.
struct Schema {
  private(set) var messages: [Message] = []

  struct Message {
    let name: String
    let doc: [String]
    var fields: [Field] = []
    var enumerations: [(name: String, words: [Field])] = []
  }

  /// A field, a kind of event or of command, or a word of an enumeration.
  struct Field {
    let doc: [String]
    let isRepeated: Bool
    /// `string`, `int64`, a message, an enumeration with its message: `GoalShow.By`; empty: it is a word.
    let type: String
    /// In JSON: `comboId`.
    let name: String
    let number: Int
    let rule: Rule
  }

  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads the proto3 that the file uses; whatever else it says is refused.
  init(_ text: String) throws {
    var (doc, depth, isEnumeration): ([String], Int, Bool) = ([], 0, false)
    for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.drop { $0 == " " }
      func unreadable(_ reason: String) -> Unreadable {
        Unreadable(description: "line \(place + 1): \(reason): \(line)")
      }
      if let comment = line.wholeMatch(of: #/// ?(.*)/#) {
        doc.append(String(comment.1))
        continue
      }
      defer { doc = [] }
      if line.isEmpty || line.hasPrefix("syntax ") || line.hasPrefix("package ") {
        continue
      } else if line == "}" {
        depth -= 1
        isEnumeration = false
      } else if let begin = line.wholeMatch(of: #/(message|enum|oneof) (\w+) \{(\}?)/#) {
        if begin.3.isEmpty { depth += 1 }
        if begin.1 == "message" { messages.append(Message(name: String(begin.2), doc: doc)) }
        isEnumeration = begin.1 == "enum"
        if isEnumeration { messages[messages.count - 1].enumerations.append((String(begin.2), [])) }
      } else if depth > 0,
        let field = line.wholeMatch(
          of: #/(repeated |optional )?(?:(\w+|map<string, string>) )?(\w+) = (\d+);(?: +// (.+))?/#)
      {
        guard let rule = Rule(field.5 ?? "") else { throw unreadable("the comment behind is no rule") }
        let last = messages.count - 1
        let type = String(field.2 ?? "")
        let isWord = messages[last].enumerations.contains { $0.name == type }
        let new = Field(
          doc: doc, isRepeated: field.1 == "repeated ", type: isWord ? "\(messages[last].name).\(type)" : type,
          name: String(field.3).camelCase, number: Int(field.4)!, rule: rule)
        if !isEnumeration {
          messages[last].fields.append(new)
        } else if new.number > 0 {
          messages[last].enumerations[messages[last].enumerations.count - 1].words.append(new)
        }
      } else {
        throw unreadable("neither a field nor a message, as they are read here")
      }
    }
  }

  subscript(_ name: String) -> Message {
    guard let message = messages.first(where: { $0.name == name }) else { fatalError("no message \(name)") }
    return message
  }

  /// The words of an enumeration: `GoalShow.By`.
  func words(of enumeration: String) -> [Field] {
    let names = enumeration.split(separator: ".")
    return self[String(names[0])].enumerations.first { $0.name == names[1] }!.words
  }

  /// The kinds of bodies that `Event` or `Command` has.
  func kinds(of name: String) -> [(field: Field, message: Message)] {
    self[name].fields.filter { $0.type.first!.isUppercase }.map { ($0, self[$0.type]) }
  }

  /// The messages that fields of these have.
  func parts(of kinds: [(field: Field, message: Message)]) -> [Message] {
    let types = Set(kinds.flatMap { $0.message.fields.map(\.type) })
    return messages.filter { types.contains($0.name) }
  }
}

/// The words behind a field, which the head of `flyscreen.proto` explains.
struct Rule {
  private(set) var isNeeded = false
  private(set) var isId = false
  private(set) var isRecord = false
  private(set) var isSeconds = false
  private(set) var isByHand = false
  private(set) var isWritten = false
  private(set) var mayBeAbsent = false
  private(set) var bytes: Int?
  private(set) var most = 0
  private(set) var range: ClosedRange<Int>?
  private(set) var zero = 0
  private(set) var absent = 0
  private(set) var drawn: String?
  /// An enumeration: `GoalShow.By`.
  private(set) var word: String?
  /// Of a kind of event: its topics, and how many may come in a second.
  private(set) var topics: String?
  private(set) var perSecond: Int?

  init?(_ text: Substring) {
    for word in text.split(separator: "; ") {
      let plain = String(word.filter { $0 != "," })
      switch word {
      case "needed": isNeeded = true
      case "id": isId = true
      case "record": isRecord = true
      case "seconds": isSeconds = true
      case "by hand": isByHand = true
      case "written": isWritten = true
      case "may be absent": mayBeAbsent = true
      default:
        if let limit = plain.wholeMatch(of: #/(\d+) bytes/#) {
          bytes = Int(limit.1)
        } else if let limit = plain.wholeMatch(of: #/up to (\d+)/#) {
          most = Int(limit.1)!
        } else if let ends = plain.wholeMatch(of: #/(\d+)…(\d+)/#) {
          range = Int(ends.1)!...Int(ends.2)!
        } else if let value = plain.wholeMatch(of: #/(0|absent) is (\d+)/#) {
          if value.1 == "0" { zero = Int(value.2)! } else { absent = Int(value.2)! }
        } else if let kind = plain.wholeMatch(of: #/drawn as (\w+)/#) {
          drawn = String(kind.1)
        } else if let enumeration = plain.wholeMatch(of: #/word of (\w+\.\w+)/#) {
          self.word = String(enumeration.1)
        } else if let topics = plain.wholeMatch(of: #/to (\w+)/#) {
          self.topics = String(topics.1)
        } else if let count = plain.wholeMatch(of: #/(\d+) a second/#) {
          perSecond = Int(count.1)
        } else {
          return nil
        }
      }
    }
  }
}

extension String {
  var camelCase: String {
    let words = split(separator: "_")
    return words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
