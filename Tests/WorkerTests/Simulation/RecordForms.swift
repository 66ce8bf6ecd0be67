import JSON
import RoomModel
import Wire

/// The records of a crowd's events, some of them as Protobuf.
struct RecordForms {
  /// Nil: all are JSON.
  private var chance: Chance?
  private let share: Int

  init(_ chance: Chance?) {
    self.chance = chance
    share = 1 + (self.chance?.below(4) ?? 0)
  }

  mutating func record(key: [UInt8], json: [UInt8], timestampMs: Int64) -> SimulatedKafka.Entry {
    var entry = SimulatedKafka.Entry(key: key, value: json, timestampMs: timestampMs, status: .plain)
    guard chance?.one(in: share) == true else { return entry }
    entry.headers = [("content-type", Array(Format.protobuf.contentType.bytes))]
    // What is no event stays as it is: it isn't one of Protobuf's either.
    if let bytes = Self.protobuf(key: key, json: json) { (entry.value, entry.meant) = (bytes, json) }
    return entry
  }

  private static func protobuf(key: [UInt8], json: [UInt8]) -> [UInt8]? {
    var decoder = EventDecoder()
    var bytes = ByteBuffer()
    return key.withUnsafeBytes { key in
      json.withUnsafeBytes { json in
        guard let event = try? decoder.decode(key: key, value: json, contentType: nil, keyRule: .roomId) else {
          return nil
        }
        EventEncoder(format: .protobuf).encode(event, into: &bytes)
        return Array(bytes.bytes)
      }
    }
  }
}
