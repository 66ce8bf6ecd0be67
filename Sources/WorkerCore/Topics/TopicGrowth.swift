package import Settings

/// The steps in which input topics grow: topics and their partitions, in this order (INTERFACES.md, "Topics").
///
/// The topics beside an input grow before it, so that a worker never meets a partition without a place for its state.
package struct TopicGrowth: Equatable, Sendable {
  package struct Step: Equatable, Sendable {
    package let topic: String
    package let from: Int
    package let to: Int
  }

  package private(set) var steps: [Step] = []

  /// The reason why a topic can't grow so, with the remedy.
  package struct Refusal: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// - Parameters:
  ///   - wanted: what was asked for, as `im.gifts=64`.
  ///   - existing: the partitions of the topics that are there.
  package init(
    _ wanted: [String], of topics: TopicSettings, existing: [String: Int]
  ) throws(Refusal) {
    var named: Set<String> = []
    for text in wanted {
      let (input, count) = try Self.parse(text)
      guard named.insert(input).inserted else {
        throw Refusal(description: "--grow: \(input) is there twice; give it once")
      }
      if [topics.commands, topics.results].contains(input) {
        throw Refusal(
          description: "\(input) is no input: make a new topic with \(count) partitions, and roll gateways and workers"
            + " to it")
      }
      guard topics.input.contains(input) else {
        throw Refusal(description: "\(input) is not in topics.input (\(topics.input.joined(separator: ",")))")
      }
      guard let has = existing[input] else {
        throw Refusal(description: "\(input) is not there: run `flyscreen topics create` without --grow")
      }
      if count < has {
        throw Refusal(description: "\(input) has \(has) partitions; a topic can't have fewer: give \(has) or more")
      }
      for topic in topics.beside(input) + [input] {
        guard let has = existing[topic] else {
          throw Refusal(description: "\(topic) is not there: run `flyscreen topics create` without --grow")
        }
        if has < count { steps.append(Step(topic: topic, from: has, to: count)) }
      }
    }
  }

  private static func parse(_ text: String) throws(Refusal) -> (String, Int) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let count = Int(parts[1]), (1...100_000).contains(count) else {
      throw Refusal(description: "--grow \(text): give an input topic and its partitions, as im.gifts=64")
    }
    return (String(parts[0]), count)
  }
}
