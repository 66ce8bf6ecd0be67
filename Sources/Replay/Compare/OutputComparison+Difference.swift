package import RoomScreen

extension OutputComparison {
  /// Something that differs.
  package struct Difference: Sendable {
    package let partition: PartitionRange
    package let recipient: Recipient
    /// The expected JSON; nil: none was expected.
    package var expected: String?
    /// The published text in its place, or what it says as JSON; nil: none was published.
    package var published: String?
    /// The published one's place.
    package var place: String?
    package let kind: Kind
    /// The reason why the expected one had to come.
    package var reason: Reason?
  }

  package enum Kind: String, Sendable {
    /// It was not published where it had to be.
    case missing
    /// It had been published before, or what comes after it had.
    case repeated
    /// Something else was published.
    case other
  }

  /// The reach of the output that was published of one partition of the input.
  package struct Reach: Sendable {
    package let partition: PartitionRange
    /// The count of commands and results that were as expected.
    package let matched: Int
    /// The record of the input up to which some of the output was deleted, and in a line, why; nil: nothing was.
    package let gone: (through: Int64, why: String)?
  }

  package struct Reason: Sendable {
    package let question: Explainer.Question
    package let room: ID
    /// The part of the log that has to be played for it.
    package let range: PartitionRange
  }
}
