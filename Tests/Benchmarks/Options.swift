/// `--name value` after the words that say what to run.
struct Options {
  private(set) var words: [String] = []
  private var values: [String: String] = [:]

  /// - Throws: a line that says what is wrong.
  init(_ arguments: some Sequence<String>, known: Set<String>) throws {
    var arguments = arguments.makeIterator()
    while let word = arguments.next() {
      guard word.hasPrefix("--") else {
        words.append(word)
        continue
      }
      let name = String(word.dropFirst(2))
      guard known.contains(name) else { throw Refusal("there is no --\(name)") }
      guard let value = arguments.next() else { throw Refusal("--\(name) needs a value") }
      values[name] = value
    }
  }

  subscript(name: String) -> String? { values[name] }

  func integer(_ name: String) throws -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), number > 0 else { throw Refusal("--\(name) needs a number above 0") }
    return number
  }
}

struct Refusal: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
