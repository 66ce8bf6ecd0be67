import CRdKafka

extension KafkaError {
  package var isTimedOut: Bool { code == RD_KAFKA_RESP_ERR__TIMED_OUT.rawValue }
  /// The log no longer has a partition's next record: it is read no more until it is started again.
  package var isOutOfRange: Bool { code == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET.rawValue }
  /// As the error of a partition it is no other's: its records can't be read.
  package var isOfItsPartition: Bool { kind == .other && !isFatal && !isOutOfRange }
  /// A topic takes no batch, or no segment, of that size.
  package var isTooLarge: Bool {
    code == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE.rawValue || code == RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE.rawValue
  }
  /// A topic took no record in time: its leader is away, or has too few replicas in sync.
  package var isUndelivered: Bool { code == RD_KAFKA_RESP_ERR__MSG_TIMED_OUT.rawValue }
  /// The broker doesn't know that request.
  package var isUnsupported: Bool {
    code == RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE.rawValue || code == RD_KAFKA_RESP_ERR_UNSUPPORTED_VERSION.rawValue
  }

  /// An election of a leader or a coordinator is under way: the same question finds its answer soon.
  var isOfElections: Bool {
    switch rd_kafka_resp_err_t(code) {
    case RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION,
      RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS,
      RD_KAFKA_RESP_ERR_NOT_COORDINATOR, RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE, RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION,
      RD_KAFKA_RESP_ERR__WAIT_COORD:
      true
    default: false
    }
  }

  /// Waiting may mend it: no broker answers, or one has trouble of its own.
  package var mayPass: Bool {
    switch kind {
    case .unreachable, .fenced: true
    case .other: !isFatal && !isUnsupported
    case .authentication, .authorization, .unknownTopic, .settings: false
    }
  }

  /// The client won't get over it by itself: another may, once who we say we are, or what we may, is mended.
  package var isRefusal: Bool {
    switch kind {
    case .authentication, .authorization: true
    case .unreachable, .unknownTopic, .fenced, .settings, .other: isFatal
    }
  }

  package static func settings(_ message: String) -> KafkaError {
    KafkaError(RD_KAFKA_RESP_ERR__INVALID_ARG, message, kind: .settings)
  }
}

extension KafkaError {
  init(_ code: rd_kafka_resp_err_t, _ message: String? = nil, isFatal: Bool = false, kind: Kind? = nil) {
    self.init(
      name: String(cString: rd_kafka_err2name(code)), code: code.rawValue,
      message: message ?? String(cString: rd_kafka_err2str(code)), isFatal: isFatal, kind: kind ?? Kind(code))
  }

  /// An error that a client reported by its code; `_FATAL` alone only says that there is another to ask for.
  init(_ code: rd_kafka_resp_err_t, _ message: String?, of client: OpaquePointer) {
    guard code == RD_KAFKA_RESP_ERR__FATAL else {
      self.init(code, message, kind: Self.isHandshakeCutOff(code, message) ? .unreachable : nil)
      return
    }
    var text = CText()
    let fatal = text.fill { rd_kafka_fatal_error(client, $0, $1) }
    self.init(fatal, text.string, isFatal: true)
  }

  /// librdkafka takes each failure of a SASL handshake for a refusal, also that the broker went away meanwhile: then it has
  /// told no mechanisms.
  private static func isHandshakeCutOff(_ code: rd_kafka_resp_err_t, _ message: String?) -> Bool {
    code == RD_KAFKA_RESP_ERR__AUTHENTICATION && message?.contains("supported mechanisms: (n/a)") == true
  }

  /// Takes the error object over.
  init(owning error: OpaquePointer) {
    let code = rd_kafka_error_code(error)
    self.init(
      name: String(cString: rd_kafka_error_name(error)), code: code.rawValue,
      message: String(cString: rd_kafka_error_string(error)), isFatal: rd_kafka_error_is_fatal(error) != 0,
      isRetriable: rd_kafka_error_is_retriable(error) != 0,
      requiresAbort: rd_kafka_error_txn_requires_abort(error) != 0, kind: Kind(code))
    rd_kafka_error_destroy(error)
  }

  /// Throws what the error object says, which it takes over; nothing if there is none.
  static func check(_ error: OpaquePointer?) throws(KafkaError) {
    if let error { throw KafkaError(owning: error) }
  }

  static func check(_ code: rd_kafka_resp_err_t, _ what: @autoclosure () -> String) throws(KafkaError) {
    guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
    throw KafkaError(code, "\(what()): \(String(cString: rd_kafka_err2str(code)))")
  }
}

extension KafkaError.Kind {
  init(_ code: rd_kafka_resp_err_t) {
    self =
      switch code {
      case RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__RESOLVE, RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN,
        RD_KAFKA_RESP_ERR__TIMED_OUT, RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE, RD_KAFKA_RESP_ERR__MSG_TIMED_OUT,
        RD_KAFKA_RESP_ERR__WAIT_COORD, RD_KAFKA_RESP_ERR__SSL, RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE,
        RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS,
        RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION,
        RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION,
        RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
        .unreachable
      case RD_KAFKA_RESP_ERR__AUTHENTICATION, RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED,
        RD_KAFKA_RESP_ERR_UNSUPPORTED_SASL_MECHANISM, RD_KAFKA_RESP_ERR_ILLEGAL_SASL_STATE:
        .authentication
      case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED, RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED,
        RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED, RD_KAFKA_RESP_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
        .authorization
      case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC, RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART,
        RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION, RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION:
        .unknownTopic
      case RD_KAFKA_RESP_ERR__FENCED, RD_KAFKA_RESP_ERR_PRODUCER_FENCED, RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH,
        RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID, RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION,
        RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID:
        .fenced
      case RD_KAFKA_RESP_ERR__INVALID_ARG, RD_KAFKA_RESP_ERR_INVALID_CONFIG,
        RD_KAFKA_RESP_ERR_INVALID_SESSION_TIMEOUT, RD_KAFKA_RESP_ERR_INVALID_TRANSACTION_TIMEOUT:
        .settings
      default:
        .other
      }
  }
}
