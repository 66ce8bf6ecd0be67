import Kafka

extension CommandFailure {
  /// The meaning of a broker's answer, or of its silence, for the user of a command.
  init(_ error: KafkaError, servers: String) {
    switch error.kind {
    case .unreachable where error.isAnswered:
      self.init(
        .failed,
        "a broker at \(servers) answers, but not the one that is needed: \(error.message); try again, and see that all"
          + " brokers run")
    case .unreachable:
      self.init(.unreachable, "no broker answers at \(servers): \(error.message); see that it runs and is reachable")
    case .authentication:
      self.init(.usage, "the broker at \(servers) refuses us: \(error.message); see the kafka.sasl settings")
    case .authorization:
      self.init(.usage, "the broker at \(servers) doesn't let us: \(error.message); give this user that right")
    case .unknownTopic: self.init(.usage, "\(error.message); flyscreen topics create makes what is missing")
    case .settings: self.init(.usage, error.message)
    case .fenced, .other: self.init(.failed, "\(error)")
    }
  }
}
