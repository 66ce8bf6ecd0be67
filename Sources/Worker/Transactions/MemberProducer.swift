package import Kafka

/// A transactional producer, as a member's transactions need one: ``BrokerProducer``, and that of the simulation. Its calls block.
///
/// Making one fences an earlier producer with its id, and ends the transaction that it left open.
package protocol MemberProducer: AnyObject {
  /// Names the member in its group at this moment.
  associatedtype Group

  func begin() throws(KafkaError)
  /// Sends all of the outbox, in order for each partition.
  func send(_ outbox: borrowing Outbox) throws(KafkaError)
  /// Sends the offsets of the commit.
  func send(_ commit: Member.Commit, of group: Group) throws(KafkaError)
  /// Commits all that was sent since the begin. Once it returns the end is decided, though readers may not see it yet.
  /// After an error nobody knows the end, unless the error says that it has to be aborted.
  func commit() throws(KafkaError)
  func abort(timeoutMs: Int32) throws(KafkaError)
  /// The partitions that the last transaction wrote to, each with the first offset at which a record of it is known to be;
  /// nil: none is known.
  var touched: [TopicPartition: Int64?] { get }
  /// A transaction with a blank record in each of the partitions, which is ended so. It so decides what an earlier one with
  /// its id left there.
  ///
  /// - Parameter inGroup: Also among the group's offsets.
  func endAgain(_ partitions: [TopicPartition], inGroup: Bool, isCommit: Bool) throws(KafkaError)
  /// Whether a broker went away since this was last asked: it may lose the ends of transactions.
  func takeLostBroker() -> Bool
  /// The last offsets that it knows to be written in a partition's changelog and journal.
  func written(_ input: TopicPartition) -> (changelog: Int64?, journal: Int64?)
  /// Its open transaction stays open until another with its id is made.
  func close()

  /// The topic that has fewer partitions than it had; nil: none has.
  func madeAnew(since layout: TopicLayout) -> WorkerError?
  /// The number of partitions, by input, for which there are places to write to.
  var places: [String: Int32] { get }
  var hasSentCommands: Bool { get }
  /// The error of a topic that this transaction may not write to.
  var refusal: KafkaError? { get }
  /// The first record of this transaction that could not be delivered.
  var deliveryFailure: KafkaError? { get }
  /// The topic that last refused one.
  var refusingTopic: String? { get }
  /// Serves what waits to be reported, between other calls.
  func serve()
}
