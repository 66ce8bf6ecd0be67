internal import JSON
internal import RoomModel

/// The figures that are taken from librdkafka's statistics of one client.
struct ClientStatus: Equatable, Sendable {
  struct Broker: Equatable, Sendable {
    var isConnected = false
    var medianSeconds = 0.0
    var slowSeconds = 0.0
    /// On their way, or about to be sent.
    var requests: Int64 = 0
    var errors = Errors()
  }

  /// Counts since the client began.
  struct Errors: Equatable, Sendable {
    var send: Int64 = 0
    var receive: Int64 = 0
    var timeout: Int64 = 0
    var disconnect: Int64 = 0

    static let kinds: [(name: String, count: @Sendable (Errors) -> Int64)] = [
      ("send", { $0.send }), ("receive", { $0.receive }), ("timeout", { $0.timeout }),
      ("disconnect", { $0.disconnect }),
    ]
  }

  /// Brokers by their numbers; addresses that are only to begin with are none.
  var brokers: [Int64: Broker] = [:]
  var queuedRecords: Int64 = 0
  var queuedBytes: Int64 = 0

  /// Nil: it is not what librdkafka writes.
  init?(_ json: UnsafeRawBufferPointer) {
    var document = JSONDocument()
    guard let root = try? document.parse(json), root.members != nil else { return nil }
    queuedRecords = root["msg_cnt"]?.integer ?? 0
    queuedBytes = root["msg_size"]?.integer ?? 0
    for member in root["brokers"]?.members.map(Array.init) ?? [] {
      guard let number = member.value["nodeid"]?.integer, number >= 0 else { continue }
      brokers[number] = Broker(member.value)
    }
    for topic in root["topics"]?.members.map(Array.init) ?? [] {
      for partition in topic.value["partitions"]?.members.map(Array.init) ?? [] {
        queuedRecords += partition.value["fetchq_cnt"]?.integer ?? 0
        queuedBytes += partition.value["fetchq_size"]?.integer ?? 0
      }
    }
  }
}

extension ClientStatus.Broker {
  fileprivate init(_ json: JSONValue) {
    isConnected = json["state"]?.text?.description == "UP"
    // Microseconds.
    medianSeconds = Double(json["rtt"]?["p50"]?.integer ?? 0) / 1e6
    slowSeconds = Double(json["rtt"]?["p99"]?.integer ?? 0) / 1e6
    requests = (json["outbuf_cnt"]?.integer ?? 0) + (json["waitresp_cnt"]?.integer ?? 0)
    errors.send = json["txerrs"]?.integer ?? 0
    errors.receive = json["rxerrs"]?.integer ?? 0
    errors.timeout = json["req_timeouts"]?.integer ?? 0
    errors.disconnect = json["disconnects"]?.integer ?? 0
  }
}
