import RoomModel

/// The Protobuf form of what happens to a room as a whole.

/// A retract as it came: with all of its ids.
struct WrittenRetract {
  private var wishId = Text.empty
  private var comboId = Text.empty
  private var userId = Text.empty
  private var muteMs: Milliseconds = 0

  func checked() throws(NotUnderstood) -> Retract {
    try EventRules.retract(wishId: wishId, comboId: comboId, userId: userId, muteMs: muteMs)
  }

  mutating func merge(_ message: ProtobufReader) throws(ProtobufError) {
    var message = message
    while let tag = try message.tag() {
      switch (Fields.Retract(rawValue: tag.number), tag.type) {
      case (.wishId, .bytes): wishId = try message.text(FieldPath("retract", "wishId"))
      case (.comboId, .bytes): comboId = try message.text(FieldPath("retract", "comboId"))
      case (.userId, .bytes): userId = try message.text(FieldPath("retract", "userId"))
      case (.muteMs, .varint): muteMs = try message.integer()
      default: try message.skip(tag)
      }
    }
  }
}

extension RoomSettings {
  mutating func merge(_ message: ProtobufReader, _ storage: inout EventStorage) throws(ProtobufError) {
    var message = message
    while let tag = try message.tag() {
      switch (Fields.RoomSettings(rawValue: tag.number), tag.type) {
      case (.set, .bytes): storage.append(try WrittenSetting(message.message()))
      case (.forMs, .varint): forMs = try message.integer()
      default: try message.skip(tag)
      }
    }
  }
}

extension WrittenSetting {
  /// An entry of a map.
  fileprivate init(_ message: ProtobufReader) throws(ProtobufError) {
    var message = message
    var text = Text.empty
    name = .empty
    while let tag = try message.tag() {
      switch (Fields.MapEntry(rawValue: tag.number), tag.type) {
      case (.key, .bytes): name = try message.text(FieldPath("roomSettings", "set"))
      case (.value, .bytes): text = try message.text(FieldPath("roomSettings", "set"))
      default: try message.skip(tag)
      }
    }
    value = .text(text)
  }
}

extension ProtobufReader {
  /// All of a message that says all by being there.
  func skipAll() throws(ProtobufError) {
    var message = self
    while let tag = try message.tag() { try message.skip(tag) }
  }
}
