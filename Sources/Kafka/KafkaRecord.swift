import CRdKafka

/// A record as it lies in librdkafka's memory: a view, good until its batch is emptied.
package struct KafkaRecord {
  /// The setter of a record's time.
  package enum TimestampType: Sendable {
    case create
    case logAppend
    /// The record has none, or one that no clock shows.
    case none
  }

  package let source: PartitionKey
  package let offset: Int64
  /// -1: none.
  package let timestampMs: Int64
  package let timestampType: TimestampType
  /// `nil`: a record without a key, which is not one with an empty key.
  package let key: UnsafeRawBufferPointer?
  /// `nil`: a tombstone.
  package let value: UnsafeRawBufferPointer?
  private let message: UnsafeMutableRawPointer

  /// The end of the year 9999. A time in other units, or a number that stands for no time, is beyond.
  package static let latestMs: Int64 = 253_402_300_799_999

  init(_ message: UnsafeMutablePointer<rd_kafka_message_t>, _ source: PartitionKey) {
    self.source = source
    self.message = UnsafeMutableRawPointer(message)
    offset = message.pointee.offset
    key = message.pointee.key.map { UnsafeRawBufferPointer(start: $0, count: message.pointee.key_len) }
    value = message.pointee.payload.map { UnsafeRawBufferPointer(start: $0, count: message.pointee.len) }
    var type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE
    let stampMs = rd_kafka_message_timestamp(message, &type)
    guard (0...Self.latestMs).contains(stampMs) else {
      timestampMs = -1
      timestampType = .none
      return
    }
    timestampMs = stampMs
    timestampType =
      switch type {
      case RD_KAFKA_TIMESTAMP_CREATE_TIME: .create
      case RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME: .logAppend
      default: .none
      }
  }

  /// librdkafka's list of the headers, parsed at the first call; `nil` without any.
  private var headerList: OpaquePointer? {
    if hasNone { return nil }
    var list: OpaquePointer?
    let message = message.assumingMemoryBound(to: rd_kafka_message_t.self)
    return rd_kafka_message_headers(message, &list) == RD_KAFKA_RESP_ERR_NO_ERROR ? list : nil
  }

  /// Whether the record surely has no header. librdkafka leaves a record as it was fetched, and there the number of its
  /// headers follows the value (in formats before headers another record, whose offset begins with a 0, or nothing): a
  /// look at that byte spares a list that is allocated, parsed and freed, most of what such a record costs. Where it
  /// would lie on another page of memory, nothing says that it may be read.
  private var hasNone: Bool {
    // An empty value lies elsewhere.
    guard let value, !value.isEmpty, let start = value.baseAddress else { return false }
    let next = start + value.count
    return UInt(bitPattern: next) & 4095 != 0 && next.load(as: UInt8.self) == 0
  }

  package var hasHeaders: Bool { headerList != nil }

  /// The last header of this name (letter case counts): `nil` if there is none or it has a null value.
  package func lastHeader(_ name: String) -> UnsafeRawBufferPointer? {
    guard let list = headerList else { return nil }
    var value: UnsafeRawPointer?
    var size = 0
    guard rd_kafka_header_get_last(list, name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
    return value.map { UnsafeRawBufferPointer(start: $0, count: size) }
  }

  /// Marks a record that says nothing: it has neither key nor value, and all readers pass over it. A worker writes one
  /// into a partition where a broker may have lost the end of its transaction, to end it again.
  package static let blankHeader = "flyscreen-blank"
  package var isBlank: Bool { value == nil && key == nil && lastHeader(Self.blankHeader) != nil }

  /// Whether it has this header with another text than that.
  package func hasHeader(_ name: String, otherThan text: String) -> Bool {
    guard let value = lastHeader(name) else { return false }
    return !value.elementsEqual(text.utf8)
  }

  /// All headers in their order; names may repeat, values may be null.
  package var allHeaders: [(name: String, value: UnsafeRawBufferPointer?)] {
    guard let list = headerList else { return [] }
    return (0..<rd_kafka_header_cnt(list)).map { i in
      var name: UnsafePointer<CChar>?
      var value: UnsafeRawPointer?
      var size = 0
      rd_kafka_header_get_all(list, i, &name, &value, &size)
      return (name.map { String(cString: $0) } ?? "", value.map { UnsafeRawBufferPointer(start: $0, count: size) })
    }
  }
}
