import RoomModel

/// Gifts out of Protobuf, by hand: they pass by the million, and the list of their fields takes twice the instructions.
extension Gift {
  @inline(__always) mutating func merge(_ message: ProtobufReader) throws(ProtobufError) {
    var message = message
    while let tag = try message.tag() {
      switch (tag.number, tag.type) {
      case (1, .bytes): try sender.merge(message.message())
      case (2, .bytes): receiverId = try message.text(FieldPath("gift", "receiverId"))
      case (3, .bytes): giftId = try message.text(FieldPath("gift", "giftId"))
      case (4, .bytes): giftName = try message.text(FieldPath("gift", "giftName"))
      case (5, .varint): count = try message.integer()
      case (6, .varint): value = try message.integer()
      case (7, .bytes): streakId = try message.text(FieldPath("gift", "streakId"))
      case (8, .varint): holdMs = try message.integer()
      case (9, .bytes): extra = try message.text(FieldPath("gift", "extra"))
      case (10, .bytes): receiverName = try message.text(FieldPath("gift", "receiverName"))
      case (11, .varint): apart = try message.integer()
      default: try message.skip(tag)
      }
    }
  }
}

extension Sender {
  @inline(__always) fileprivate mutating func merge(_ message: ProtobufReader) throws(ProtobufError) {
    var message = message
    while let tag = try message.tag() {
      switch (tag.number, tag.type) {
      case (1, .bytes): userId = try message.text(FieldPath("gift.sender", "userId"))
      case (2, .bytes): name = try message.text(FieldPath("gift.sender", "name"))
      case (3, .bytes): avatarUrl = try message.text(FieldPath("gift.sender", "avatarUrl"))
      default: try message.skip(tag)
      }
    }
  }
}
