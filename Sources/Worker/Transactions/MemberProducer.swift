package import Kafka

/// A transactional producer, as a member's transactions need one: ``Sender``, and that of the simulation. Its calls block.
///
/// To make it has ended what an earlier one with its id left open, and fenced it.
package protocol MemberProducer: AnyObject {
  /// Names the member in its group at this moment.
  associatedtype Group

  func begin() throws(KafkaError)
  /// In order for each partition.
  func send(_ outbox: borrowing Outbox) throws(KafkaError)
  /// With what was sent since the begin. Once it returns the end is decided, though readers may not see it yet. After an
  /// error nobody knows, unless that says that it has to be aborted.
  func commit(_ commit: Member.Commit, of group: Group) throws(KafkaError)
  func abort(timeoutMs: Int32) throws(KafkaError)
  /// The last offsets that it knows to be written in a partition's changelog and journal.
  func written(_ input: TopicPartition) -> (changelog: Int64?, journal: Int64?)
  /// Its open transaction stays open until another with its id is made.
  func close()
}
