public import RoomScreen

/// The reason that an event was not taken, as far as is known: ``SendError/mayHaveArrived`` tells whether it may count all the same.
public struct SendError: Error, Sendable, Hashable {
  /// The kinds of reasons.
  public enum Cause: Sendable, Hashable {
    /// The gateway did not answer.
    case unreachable
    /// Its time was over before it was sent.
    case tooLate
    /// The grab was taken, but its result was not told.
    case noResult
    /// The task that sent it was cancelled.
    case cancelled
    /// The event was not understood (400): ``SendError/reason`` tells why.
    case badRequest
    /// The token is refused (401).
    case unauthorized
    /// The token is for other rooms, or in another's name (403).
    case forbidden
    /// This client may not send events of this kind (403).
    case kindNotAllowed
    /// The gateway takes no events (404).
    case notFound
    /// The gateway asked to slow down until the event's time was over (429).
    case tooManyEvents
    /// The gateway was not ready (503).
    case notReady
    /// Kafka did not tell the gateway in time that it has the event (503).
    case notDelivered
    /// Another word of the gateway's.
    case other(String)
  }

  /// The status of the gateway's answer; 0: there was no answer, or the event was not sent.
  public var status: Int
  /// The reason in a word.
  public var cause: Cause
  /// A sentence for people.
  public var message: String
  /// The reason in a 400: it says why the event was not understood.
  public var reason: String
  /// A try of it got no answer that rules it out: it may count. Sent again with the same `eventId` it counts once.
  public var mayHaveArrived: Bool

  package init(status: Int = 0, _ cause: Cause, message: String, reason: String = "", mayHaveArrived: Bool = false) {
    self.status = status
    self.cause = cause
    self.message = message
    self.reason = reason
    self.mayHaveArrived = mayHaveArrived
  }

  static func cancelled(mayHaveArrived: Bool) -> SendError {
    SendError(.cancelled, message: "nobody waits for it any more", mayHaveArrived: mayHaveArrived)
  }
}

extension SendError.Cause: CustomStringConvertible {
  private static let words: [(word: String, cause: Self)] = [
    ("unreachable", .unreachable), ("too_late", .tooLate), ("no_result", .noResult), ("cancelled", .cancelled),
    ("bad_request", .badRequest), ("unauthorized", .unauthorized), ("forbidden", .forbidden),
    ("kind_not_allowed", .kindNotAllowed), ("not_found", .notFound), ("too_many_events", .tooManyEvents),
    ("not_ready", .notReady), ("not_delivered", .notDelivered),
  ]

  /// - Parameter word: the gateway's, `kind_not_allowed`.
  init(_ word: String) { self = Self.words.first { $0.word == word }?.cause ?? .other(word) }

  /// The gateway's word for it: `kind_not_allowed`.
  public var description: String {
    if case .other(let word) = self { return word }
    return Self.words.first { $0.cause == self }!.word
  }
}

extension SendError: CustomStringConvertible {
  public var description: String { status == 0 ? message : "\(message) (\(status) \(cause))" }
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
