internal import Recovery

/// The name of a commit (``CommitMetadata/commit``): that of the member's start which made it, and its count.
struct CommitName {
  let member: Substring
  let number: Int

  /// Nil: it is not a worker's, or is damaged.
  init?(ofMetadata text: String) {
    guard let name = try? CommitMetadata(text: text).commit, let mark = name.lastIndex(of: "#"),
      let number = Int(name[name.index(after: mark)...])
    else { return nil }
    member = name[..<mark]
    self.number = number
  }
}
