import JSON
import RoomModel
import RoomScreen
import Wire

/// A command or a result, and the log that its id names.
struct PublishedItem {
  enum Body {
    case command(RoomCommand)
    case result(GrabResult)
  }

  let topic: Text
  let partition: Int32
  let body: Body
}

extension PublishedItem.Body {
  /// The record of the input that its id names.
  var recordOffset: Int64 {
    switch self {
    case .command(let command): command.recordOffset
    case .result(let result): result.recordOffset
    }
  }

  /// The place among what comes of one record to one recipient.
  var place: Place {
    switch self {
    case .command(let command): Place(offset: command.recordOffset, number: command.place)
    case .result(let result): Place(offset: result.recordOffset, number: 0)
    }
  }

  var roomId: Text {
    switch self {
    case .command(let command): command.roomId
    case .result(let result): result.roomId
    }
  }

  /// A result has no time: it is there with its grab.
  var atMs: LogTime? {
    switch self {
    case .command(let command): command.atMs
    case .result: nil
    }
  }

  /// The recipient; its name is the record's key.
  var recipient: Recipient {
    switch self {
    case .command(let command): Recipient(kind: .command, key: ID(command.roomId))
    case .result(let result): Recipient(kind: .result, key: ID(result.userId))
    }
  }
}

/// The place of an item among all that one recipient gets of a partition: the record that its id names, and its number.
struct Place: Hashable, Comparable {
  let offset: Int64
  let number: Int64

  static func < (a: Place, b: Place) -> Bool { (a.offset, a.number) < (b.offset, b.number) }
}

extension CommandEncoder {
  func encode(_ body: PublishedItem.Body, into buffer: inout ByteBuffer) {
    switch body {
    case .command(let command): encode(command, into: &buffer)
    case .result(let result): encode(result, into: &buffer)
    }
  }
}

/// Reads published records of either kind; an item is good until the next is read.
struct PublishedDecoder: ~Copyable {
  private var commands = CommandDecoder()
  private var results = ResultDecoder()

  /// Nil: a newer worker's.
  mutating func decode(
    _ kind: Recipient.Kind, value: UnsafeRawBufferPointer?, contentType: UnsafeRawBufferPointer?
  ) throws(NotUnderstood) -> PublishedItem? {
    switch kind {
    case .command:
      try commands.decode(value: value, contentType: contentType).map {
        PublishedItem(topic: $0.topic, partition: $0.partition, body: .command($0.command))
      }
    case .result:
      try results.decode(value: value, contentType: contentType).map {
        PublishedItem(topic: $0.topic, partition: $0.partition, body: .result($0.result))
      }
    }
  }
}
