/// The place of a value in a message (MAPPING.md, "A path").
struct MappingPath: Equatable, Sendable {
  enum Root: Hashable, Sendable {
    case message, key
    case header(String)
  }

  enum Step: Hashable, Sendable {
    case member([UInt8])
    case element(Int)
    /// The string there, read as JSON.
    case json
  }

  private(set) var root = Root.message
  private(set) var steps: [Step] = []

  struct Mistake: Error {
    let why: String
  }

  init(_ text: String) throws(Mistake) {
    switch text {
    case "$": return
    case "@key":
      root = .key
      return
    case _ where text.hasPrefix("@"):
      let prefix = "@header."
      guard text.hasPrefix(prefix), text.utf8.count > prefix.utf8.count else {
        throw Mistake(why: "behind @ stands `key` or `header.NAME`")
      }
      root = .header(String(text.dropFirst(prefix.count)))
      return
    default: break
    }
    var rest = Array(text.utf8)[...]
    while let step = try Self.step(&rest, isFirst: steps.isEmpty) {
      steps.append(step)
      if step == .json, steps.count(where: { $0 == .json }) > 2 {
        throw Mistake(why: "(json) stands there more than twice")
      }
    }
    if steps.isEmpty { throw Mistake(why: "it is empty") }
  }

  private static func step(_ rest: inout ArraySlice<UInt8>, isFirst: Bool) throws(Mistake) -> Step? {
    switch rest.first {
    case nil: return nil
    case UInt8(ascii: "["):
      guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { throw Mistake(why: "a [ has no ]") }
      let digits = rest[(rest.startIndex + 1)..<end]
      guard !digits.isEmpty, digits.count <= 18, digits.allSatisfy({ (0x30...0x39).contains($0) }),
        digits.count == 1 || digits.first != 0x30
      else { throw Mistake(why: "between [ and ] stands a number from 0") }
      rest = rest[(end + 1)...]
      return .element(Int(String(decoding: digits, as: UTF8.self))!)
    case UInt8(ascii: "("):
      let word = "(json)".utf8
      guard !isFirst, rest.starts(with: word) else { throw Mistake(why: "a ( begins (json), behind a path") }
      rest = rest.dropFirst(word.count)
      return .json
    case UInt8(ascii: "."):
      if isFirst { throw Mistake(why: "a name is missing before a point") }
      rest = rest.dropFirst()
      return try name(&rest)
    default:
      guard isFirst else { throw Mistake(why: "a point is missing before a name") }
      return try name(&rest)
    }
  }

  private static func name(_ rest: inout ArraySlice<UInt8>) throws(Mistake) -> Step {
    guard rest.first == UInt8(ascii: "\"") else {
      let name = rest.prefix(while: isOfName)
      if name.isEmpty {
        throw Mistake(why: "a name is missing, or has a character for which it must stand in quotes")
      }
      rest = rest.dropFirst(name.count)
      if let next = rest.first, !".[(".utf8.contains(next) {
        throw Mistake(why: "a name with other characters than letters, digits, _ and - must stand in quotes")
      }
      return .member(Array(name))
    }
    rest = rest.dropFirst()
    var name: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return .member(name)
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst(), escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else {
          throw Mistake(why: #"in quotes a \ stands before " or \ only"#)
        }
        name.append(escaped)
      default: name.append(byte)
      }
    }
    throw Mistake(why: "a quote has no end")
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...,
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
