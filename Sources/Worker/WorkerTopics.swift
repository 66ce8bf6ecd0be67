package import Settings

/// The topics of one input topic, and those that all share (INTERFACES.md, "Topics").
package struct WorkerTopics: Equatable, Sendable {
  package var input: [String]
  package var commands: String
  package var results: String

  package init(_ settings: TopicSettings) {
    input = settings.input
    commands = settings.commands
    results = settings.results
  }

  package static func changelog(of input: String) -> String { TopicSettings.changelog(of: input) }
  package static func journal(of input: String) -> String { TopicSettings.journal(of: input) }
  package static func deadLetters(of input: String) -> String { TopicSettings.deadLetters(of: input) }

  /// All that a worker writes to.
  package var outputs: [String] {
    [commands, results] + input.flatMap { [Self.changelog(of: $0), Self.journal(of: $0), Self.deadLetters(of: $0)] }
  }
}
