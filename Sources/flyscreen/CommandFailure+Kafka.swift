import Kafka

extension CommandFailure {
  /// The meaning of a broker's answer, or of its silence, for the user of a command.
  ///
  /// - Parameter readsLog: it reads topics that others have filled, so one that isn't there has another name.
  init(_ error: KafkaError, servers: String, readsLog: Bool) {
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
    case .unknownTopic where readsLog:
      self.init(.usage, "\(error.message); see that its name is right, and that it is the right broker (\(servers))")
    case .unknownTopic: self.init(.usage, "\(error.message); flyscreen topics create makes what is missing")
    case .settings: self.init(.usage, error.message)
    case .fenced, .other: self.init(.failed, "\(error)")
    }
  }
}
