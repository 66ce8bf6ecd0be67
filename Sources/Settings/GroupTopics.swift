/// The topics that a worker keeps beside its inputs (INTERFACES.md, "Topics"): each group has its own.
package struct HelperTopics: Equatable, Sendable {
  /// The beginning of their names.
  package var prefix = "flyscreen"
  /// The group whose records are read; those of others in the same topics are passed over.
  package var group = "flyscreen"

  package init() {}

  package func changelog(of input: String) -> String { "\(prefix).changelog.\(input)" }
  package func journal(of input: String) -> String { "\(prefix).journal.\(input)" }

  /// The header of each record in them that says which group wrote it. Before there was one, one group wrote them.
  package static let groupHeader = "flyscreen-group"
}
