/// Lines that walk a dictionary or a set in its own order, as far as names tell: those that are declared as one in the
/// file, or as a member in another file of its target.
enum HashWalks {
  struct Walk: CustomStringConvertible {
    let file: SourceTree.File
    let line: Int

    var description: String { "\(file):\(line)" }
  }

  /// A file's lines without comments, and the tables and other values that it declares.
  private struct Source {
    let file: SourceTree.File
    let code: [Substring]
    /// Names of what is a table here.
    var tables: Set<Substring> = []
    /// The members that other files of the target may walk.
    var members: Set<Substring> = []
    /// Names of what is none.
    var others: Set<Substring> = []

    var target: Substring { file.path.split(separator: "/").prefix(2).last ?? "" }

    init(_ file: SourceTree.File) {
      self.file = file
      code = file.code
      for line in code where line.contains("[") || line.contains("Set") || line.contains("Dictionary") {
        let names = line.matches(of: typed).map(\.output.name) + line.matches(of: made).map(\.output.name)
        tables.formUnion(names)
        if line.prefix(while: { $0 == " " }).count == 2, !line.contains("private ") { members.formUnion(names) }
        others.formUnion(line.matches(of: list).map(\.output.name))
      }
    }
  }

  static func walks(in files: [SourceTree.File]) -> [Walk] {
    let sources = files.map(Source.init)
    return sources.flatMap { source in
      let members = sources.reduce(into: Set<Substring>()) {
        if $1.target == source.target { $0.formUnion($1.members) }
      }
      return walks(in: source, of: source.tables.union(members.subtracting(source.others)))
    }
  }

  private static func walks(in source: Source, of names: Set<Substring>) -> [Walk] {
    guard !names.isEmpty else { return [] }
    let lines = source.file.lines
    return source.code.enumerated().compactMap { number, line in
      guard line.contains(" in ") || line.contains(".") || line.contains("Array("), !line.contains(".sorted") else {
        return nil
      }
      guard names.contains(where: line.contains) else { return nil }
      let walked =
        line.matches(of: loop).map(\.output.name) + line.matches(of: call).map(\.output.name)
        + line.matches(of: array).map(\.output.name)
      guard walked.contains(where: names.contains) else { return nil }
      // A filtered table is a table.
      if line.contains(#/\b(\w+) = \1\.filter\b/#) { return nil }
      if number > 0, lines[number - 1].contains("// In any order: ") { return nil }
      return Walk(file: source.file, line: number + 1)
    }
  }
}

// `rooms: [String: Room]`, also of a parameter.
nonisolated(unsafe) private let typed =
  #/(?<name>\w+)\s*:\s*(?:inout |borrowing |consuming )*(?:\[(?:[\w.]+|\[\w+\])\s*:\s|(?:Set|Dictionary)<)/#
// `let rooms = Set<String>()`, `let rooms = known ?? [:]`.
nonisolated(unsafe) private let made =
  #/(?:let|var)\s+(?<name>\w+)\s*=\s*(?:\[(?:[\w.]+|\[\w+\])\s*:\s[^\]]+\]\(|(?:Set|Dictionary)\b|.*\?\? \[:\])/#
nonisolated(unsafe) private let list =
  #/(?<name>\w+)\s*:\s*(?:inout |borrowing |consuming )*(?:\[[\w.?]+\]|\[\(|some )/#

nonisolated(unsafe) private let loop =
  #/\bfor\b.*\bin\s+(?:[\w?]+\.)*?(?<name>\w+)(?:\.(?:keys|values))?\s*(?:\{|where|$)/#
nonisolated(unsafe) private let call =
  #/(?<name>\w+)\??(?:\.(?:keys|values))?\.(?:map|compactMap|flatMap|forEach|filter|first|prefix|lazy|enumerated|joined|makeIterator|popFirst|randomElement)\b/#
nonisolated(unsafe) private let array = #/\bArray\((?:\w+\.)*?(?<name>\w+)(?:\.(?:keys|values))?\)/#
