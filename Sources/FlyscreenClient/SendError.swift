public import RoomScreen

/// The reason that an event was not taken.
public struct SendError: Error, Sendable, Hashable {
  /// The status of the gateway's answer; 0: there was no answer, or the event was not sent.
  public var status: Int
  /// The gateway's word for it (`kind_not_allowed`); `unreachable`, `too_late`, `no_result` or `cancelled`.
  public var error: String
  /// A sentence for people.
  public var message: String
  /// The reason in a 400: it says why the event was not understood.
  public var reason: String

  package init(status: Int = 0, error: String, message: String, reason: String = "") {
    self.status = status
    self.error = error
    self.message = message
    self.reason = reason
  }
}

extension SendError: CustomStringConvertible {
  public var description: String { status == 0 ? message : "\(message) (\(status) \(error))" }
}

/// The place of an event in Kafka. Commands whose `id` begins with `topic/partition/offset` come of it.
public struct SendReceipt: Sendable, Hashable {
  /// The input topic.
  public var topic: String
  /// The partition of its room.
  public var partition: Int
  /// The place in the partition.
  public var offset: Int64
  /// The one that all tries had.
  public var eventId: ID
}
