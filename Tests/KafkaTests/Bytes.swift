import Kafka

func text(_ bytes: UnsafeRawBufferPointer?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

extension OutputBatch {
  mutating func append(key: String?, value: String?) throws {
    var key = key
    var value = value
    try withBytes(of: &key) { key in try withBytes(of: &value) { try append(key: key, value: $0) } }
  }
}

extension OutputTopic {
  func produce(
    _ partition: Int32, key: String?, value: String?, headers: [OutputHeader] = [], timestampMs: Int64? = nil
  ) throws {
    var key = key
    var value = value
    try withBytes(of: &key) { key in
      try withBytes(of: &value) {
        try produce(partition, key: key, value: $0, headers: headers, timestampMs: timestampMs)
      }
    }
  }
}

private func withBytes(of text: inout String?, _ body: (UnsafeRawBufferPointer?) throws -> Void) throws {
  guard text != nil else { return try body(nil) }
  try text!.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
}
