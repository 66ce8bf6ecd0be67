import CRdKafka

/// A configuration on its way to a client, which takes it over.
struct ClientConfiguration: ~Copyable {
  let handle: OpaquePointer
  private var isOurs = true

  init(_ properties: [(name: String, value: String)]) throws(KafkaError) {
    handle = rd_kafka_conf_new()
    for (name, value) in properties { try set(name, value) }
  }

  func set(_ name: String, _ value: String) throws(KafkaError) {
    var text = CText()
    let result = text.fill { rd_kafka_conf_set(handle, name, value, $0, $1) }
    guard result == RD_KAFKA_CONF_OK else { throw .settings("kafka.\(name): \(text.string)") }
  }

  consuming func wasTaken() {
    isOurs = false
  }

  deinit { if isOurs { rd_kafka_conf_destroy(handle) } }
}

/// Room for the text that a C function explains itself with.
struct CText {
  private var bytes = [CChar](repeating: 0, count: 512)

  mutating func fill<R>(_ call: (UnsafeMutablePointer<CChar>, Int) -> R) -> R {
    bytes.withUnsafeMutableBufferPointer { call($0.baseAddress!, $0.count) }
  }

  /// The text, in one line.
  var string: String {
    let text = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
