import JSON
import RoomModel

/// The canonical form of a topic's entry, of one that was checked: members in the order of MAPPING.md, those of `when` and
/// `words` as they came; no blanks; what is the default is left out.
enum MappingText {
  static func canonical(_ entry: MappingNode) -> String {
    var out = ByteBuffer()
    out.appendObject { out in
      if case .bool(false)? = entry["own"]?.content { out.appendMember("own") { $0.append("false") } }
      if case .text("ignore")? = entry["otherwise"]?.content {
        out.appendMember("otherwise") { $0.appendString("ignore") }
      }
      out.appendMember("shapes") { out in
        out.appendList(entry["shapes"]?.elements ?? []) { append(shape: $1, to: &$0) }
      }
    }
    return out.text.description
  }

  private static func append(shape: MappingNode, to out: inout ByteBuffer) {
    out.appendObject { out in
      if let when = shape["when"] {
        out.appendMember("when") { out in
          out.appendObject { out in
            for member in when.members { out.appendMember(member.name) { append(condition: member.value, to: &$0) } }
          }
        }
      }
      if shape["ignore"] != nil { out.appendMember("ignore") { $0.append("true") } }
      for name in ["roomId", "eventId"] {
        if let field = shape[name] { out.appendMember(name) { append(field: field, to: &$0) } }
      }
      for kind in EventKind.allCases {
        guard let body = shape[kind.rawValue] else { continue }
        out.appendMember(kind.rawValue) { append(body, kind.fields.map(\.path), to: &$0) }
      }
    }
  }

  /// The fields, nested, in the order of their list.
  private static func append(_ body: MappingNode, _ fields: [[String]], to out: inout ByteBuffer) {
    out.appendObject { out in
      var done: Set<String> = []
      for path in fields where done.insert(path[0]).inserted {
        if path.count == 1 {
          if let field = body[path[0]] { out.appendMember(path[0]) { append(field: field, to: &$0) } }
          continue
        }
        // A message, whose fields may stand nested, with dots, or both.
        let nested = body[path[0]]?.members ?? []
        let dotted = body.members.filter { $0.name.hasPrefix(path[0] + ".") }.map {
          MappingNode.Member(name: String($0.name.dropFirst(path[0].count + 1)), line: $0.line, value: $0.value)
        }
        if nested.isEmpty, dotted.isEmpty { continue }
        let inner = fields.filter { $0[0] == path[0] }.map { Array($0.dropFirst()) }
        out.appendMember(path[0]) { append(MappingNode(.object(nested + dotted), line: 0), inner, to: &$0) }
      }
    }
  }

  private static func append(field: MappingNode, to out: inout ByteBuffer) {
    switch field.content {
    case .list(let list): out.appendList(list) { append(field: $1, to: &$0) }
    case .object:
      out.appendObject { out in
        for name in ["is", "at", "words", "times", "per", "else"] {
          guard let value = field[name] else { continue }
          out.appendMember(name) { out in
            switch name {
            case "at": append(field: value, to: &out)
            case "words":
              out.appendObject { out in
                for word in value.members { out.appendMember(word.name) { append(constant: word.value, to: &$0) } }
              }
            default: append(constant: value, to: &out)
            }
          }
        }
      }
    default: append(constant: field, to: &out)
    }
  }

  private static func append(condition: MappingNode, to out: inout ByteBuffer) {
    switch condition.content {
    case .list(let list): out.appendList(list) { append(condition: $1, to: &$0) }
    case .object:
      out.appendObject { out in
        if let value = condition["is"] { out.appendMember("is") { append(constant: value, to: &$0) } }
      }
    default: append(constant: condition, to: &out)
    }
  }

  private static func append(constant: MappingNode, to out: inout ByteBuffer) {
    switch constant.content {
    case .text(let text): out.appendString(text)
    case .integer(let digits): out.append(string: digits)
    case .bool(let word): out.append(string: word ? "true" : "false")
    case .other, .list, .object: out.append("null")
    }
  }
}

extension MappingNode {
  fileprivate var members: [Member] {
    if case .object(let members) = content { members } else { [] }
  }

  fileprivate var elements: [MappingNode] {
    if case .list(let elements) = content { elements } else { [] }
  }

  fileprivate subscript(name: String) -> MappingNode? { members.first { $0.name == name }?.value }
}
