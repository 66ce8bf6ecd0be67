import HTTP
import JSON
import Kafka
import RoomModel
import RoomScreen
import Wire

/// Records of the commands topic, taken apart.
struct CommandRecordDecoder: ~Copyable {
  /// Reasons that a record is no command for a stream.
  enum Skip: CaseIterable {
    case notUnderstood
    /// A newer worker's kind.
    case unknownKind
    /// Its room belongs on a partition of another gateway.
    case misplaced

    var label: String {
      switch self {
      case .notUnderstood: "not_understood"
      case .unknownKind: "unknown_kind"
      case .misplaced: "misplaced"
      }
    }
  }

  private var decoder = CommandDecoder()
  private var buffer = ByteBuffer()

  /// A year after the last record that any log can have. One that was believed would be the time of its partition for
  /// good.
  private static let latestMs = KafkaRecord.latestMs + 366 * 86_400_000

  /// - Parameters:
  ///   - readMs: when it was read, by the monotonic clock, or had been written.
  ///   - home: in which partition's state its room is kept; nil: another gateway has it.
  ///   - skip: gets the reason, and an explanation, of a record that is none.
  mutating func read(
    _ record: KafkaRecord, readMs: Int64, home: (Text) -> Int32?, skip: (Skip, String) -> Void
  ) -> ReceivedCommand? {
    if record.isBlank { return nil }
    if let batch = record.passedBatch {
      skip(.notUnderstood, batch.description)
      return nil
    }
    let contentType = record.lastHeader("content-type")
    let published: DecodedCommand?
    do throws(NotUnderstood) {
      published = try decoder.decode(value: record.value, contentType: contentType)
    } catch {
      skip(.notUnderstood, error.description)
      return nil
    }
    guard let published, let value = record.value else {
      skip(.unknownKind, "a command of a kind that is not known here; a newer gateway knows it")
      return nil
    }
    guard published.command.atMs <= Self.latestMs else {
      skip(.notUnderstood, "no log has the time atMs \(published.command.atMs); it is milliseconds since 1970")
      return nil
    }
    let room = published.command.roomId
    guard let home = home(room) else {
      skip(.misplaced, "room \(room) belongs on a partition that gateway.partitions does not name")
      return nil
    }
    let command = Command(published)
    let isLine = Format(contentType: contentType ?? Format.json.contentType.bytes) == .json && !value.hasLineBreak
    let json = isLine ? Array(value) : encoded(published)
    let check = PartitionPosition.check(of: command.id.string.utf8)
    return ReceivedCommand(
      command: command,
      entry: HistoryEntry(
        position: PartitionPosition(offset: record.offset, check: check), room: command.roomId, json: json,
        readMs: readMs),
      home: home)
  }

  /// The command of an entry that was read here.
  mutating func command(of entry: HistoryEntry) -> Command? {
    entry.json.withUnsafeBytes { json in
      // The entry has been understood before.
      (try? decoder.decode(value: json, contentType: nil)).flatMap { $0 }.map { Command($0) }
    }
  }

  private mutating func encoded(_ published: DecodedCommand) -> [UInt8] {
    buffer.removeAll()
    CommandEncoder(topic: published.topic.description, partition: published.partition, format: .json)
      .encode(published.command, into: &buffer)
    return Array(buffer.bytes)
  }
}

extension UnsafeRawBufferPointer {
  /// An event's data is one line.
  fileprivate var hasLineBreak: Bool { contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } }
}
