/// A refusal by librdkafka, or by the broker behind it.
///
/// Handle it in this order: `isFatal` – the client is of no use any more; `requiresAbort` – abort the
/// transaction and roll back; `isRetriable` – the same call again; anything else counts as fatal.
package struct KafkaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Its meaning to whoever started the program.
  package enum Kind: Hashable, Sendable {
    /// No broker answers: waiting may mend it.
    case unreachable
    /// The broker refused who we say we are.
    case authentication
    /// It knows us, and we may not.
    case authorization
    case unknownTopic
    /// Another client took over our transactional id, our place in the group or our static membership.
    case fenced
    /// A property is wrong, or missing.
    case settings
    case other
  }

  /// librdkafka's name of the error, without its prefix: `_TRANSPORT`, `UNKNOWN_TOPIC_OR_PART`.
  package var name: String
  package var code: Int32
  package var message: String
  package var isFatal: Bool
  package var isRetriable: Bool
  package var requiresAbort: Bool
  package var kind: Kind
  /// A broker answered, though not the one that is needed.
  package var isAnswered = false

  package init(
    name: String, code: Int32, message: String, isFatal: Bool = false, isRetriable: Bool = false,
    requiresAbort: Bool = false, kind: Kind
  ) {
    self.name = name
    self.code = code
    self.message = message
    self.isFatal = isFatal
    self.isRetriable = isRetriable
    self.requiresAbort = requiresAbort
    self.kind = kind
  }

  package var description: String { "\(message) (\(name))" }
}
