import CRdKafka
import CUnpack
import Glibc

/// The bound of what a consumer unpacks, `kafka.fetch.unpacked.max.bytes`: librdkafka has none for gzip and lz4. A batch
/// that has more comes as one record, a ``PassedBatch``.
///
/// Shared with librdkafka's threads, and safe so: what it points to is made for it.
final class UnpackBound: @unchecked Sendable {
  static let property = PassedBatch.limitProperty
  /// 64 times the usual bound of a topic's batches: events that are alike come to 5 to 20 times their size.
  private static let usual = 64 * 1_048_576
  private static let allowed = 1_048_576...1_073_741_824

  private let bound: OpaquePointer

  /// - Parameter properties: those of a client. librdkafka's own bound, for zstd alone, counts, too.
  init(_ properties: [(name: String, value: String)]) throws(KafkaError) {
    func last(_ name: String) -> String? { properties.last { $0.name == name }?.value }
    let most = last("receive.message.max.bytes").flatMap { Int($0) } ?? 100_000_000
    bound = unpack_bound_new(Int64(min(try Self.limit(last(Self.property)), most)))
  }

  deinit { unpack_bound_free(bound) }

  static func limit(_ text: String?) throws(KafkaError) -> Int {
    guard let text else { return usual }
    guard let limit = Int(text), allowed.contains(limit) else {
      throw .settings(
        "kafka.\(property)=\(text): it must be a number of \(allowed.lowerBound) to \(allowed.upperBound)")
    }
    return limit
  }

  /// All that was unpacked has been received.
  func emptied() { unpack_emptied(bound) }

  /// Whether an error of unpacking only means that the batch comes later.
  func wasPutOff() -> Bool { unpack_was_put_off(bound) }

  /// Has each thread of a connection, which makes its socket itself, keep to the bound.
  static func register(on conf: OpaquePointer) {
    rd_kafka_conf_set_socket_cb(conf) { domain, type, number, opaque in
      if let bound = Inbox.of(opaque)?.unpackBound { unpack_hold(bound.bound) }
      return socket(domain, type | Int32(SOCK_CLOEXEC.rawValue), number)
    }
  }
}

extension KafkaProperties {
  /// A line for each topic whose batches may be larger unpacked than the bound, which doesn't hold for snappy:
  /// librdkafka unpacks that itself, to 64 bytes of 3 at most.
  ///
  /// - Parameter settings: by topic and name.
  package func unpackWarnings(of topics: [String], _ settings: [String: [String: String]]) -> [String] {
    guard let limit = try? UnpackBound.limit(self[UnpackBound.property]) else { return [] }
    return topics.compactMap { topic in
      guard let bytes = settings[topic]?["max.message.bytes"].flatMap({ Int($0) }), bytes > limit / 64 * 3 else {
        return nil
      }
      return "\(topic) takes batches of \(bytes) bytes, and one of more than \(limit / 64 * 3) may unpack to more than"
        + " kafka.\(UnpackBound.property) (\(limit)) with snappy: lower max.message.bytes, or give workers the memory"
    }
  }
}

extension KafkaRecord {
  /// The batch that the record stands for, if it does.
  package var passedBatch: PassedBatch? {
    guard value == nil, key == nil, let words = lastHeader(String(cString: unpack_header)) else { return nil }
    let all = String(decoding: words, as: UTF8.self).split(separator: " ")
    // Whoever sends a header of that name doesn't know this word.
    guard all.first.map(String.init) == String(cString: unpack_mark()) else { return nil }
    let numbers = all.dropFirst().compactMap { Int64($0) }
    guard numbers.count == 5 else { return nil }
    return PassedBatch(
      first: numbers[0], last: numbers[1], records: numbers[2], bytes: numbers[3], limit: numbers[4])
  }
}
