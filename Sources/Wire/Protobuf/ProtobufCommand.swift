import RoomModel

/// The Protobuf form of commands, read back.
struct ProtobufCommand {
  private var roomId = Text.empty
  private var id = Text.empty
  private var atMs: Int64 = 0
  /// Which body it is, and its bytes. We write one, so the last is taken and nothing merged.
  private var body: (field: Fields.Command, message: ProtobufReader)?

  init(_ bytes: UnsafeRawBufferPointer) throws(NotUnderstood) {
    do throws(ProtobufError) {
      var message = ProtobufReader(bytes)
      while let tag = try message.tag() {
        switch (Fields.Command(rawValue: tag.number), tag.type) {
        case (.roomId, .bytes): roomId = try message.text(FieldPath("", "roomId"))
        case (.id, .bytes): id = try message.text(FieldPath("", "id"))
        case (.atMs, .varint): atMs = try message.integer()
        case (let field?, .bytes): body = (field, try message.message())
        default: try message.skip(tag)
        }
      }
    } catch {
      throw error.notUnderstood
    }
  }

  /// Nil if its body is of a kind that isn't known here.
  func command(keeping points: inout PointStorage) throws(NotUnderstood) -> PublishedCommand? {
    let id = try PublishedID(id)
    guard let (field, message) = body else { return nil }
    let values: CommandValues
    do throws(ProtobufError) { values = try CommandValues(of: field, message, keeping: &points) } catch {
      throw error.notUnderstood
    }
    guard let body = try values.body(field, points.kept) else { return nil }
    return PublishedCommand(
      topic: id.topic, partition: id.partition,
      command: RoomCommand(roomId: roomId, recordOffset: id.offset, place: id.place, atMs: atMs, body: body))
  }
}

/// The fields of whichever body, by their numbers: no body has more than ten.
private struct CommandValues {
  private var texts = InlineArray<11, Text>(repeating: .empty)
  private var integers = InlineArray<11, Int64>(repeating: 0)
  private var sender = Sender(userId: .empty)

  init(
    of field: Fields.Command, _ message: ProtobufReader, keeping points: inout PointStorage
  ) throws(ProtobufError) {
    points.removeAll()
    var message = message
    while let tag = try message.tag() {
      let place = Int(tag.number)
      switch tag.type {
      case .varint where place < 11: integers[place] = try message.integer()
      case .bytes where place == 3 && (field == .giftShow || field == .wishFly):
        try sender.merge(message.message(), "sender")
      case .bytes where place == Fields.LikeBurst.points.rawValue && field == .likeBurst:
        points.append(try Self.point(message.message()))
      case .bytes where place < 11: texts[place] = try message.text(FieldPath("", "body"))
      default: try message.skip(tag)
      }
    }
  }

  private static func point(_ message: ProtobufReader) throws(ProtobufError) -> Point {
    var message = message
    var point = Point(x: 0, y: 0)
    while let tag = try message.tag() {
      switch (Fields.Point(rawValue: tag.number), tag.type) {
      case (.x, .varint): point.x = try message.integer()
      case (.y, .varint): point.y = try message.integer()
      default: try message.skip(tag)
      }
    }
    return point
  }

  func body(
    _ field: Fields.Command, _ points: UnsafeBufferPointer<Point>
  ) throws(NotUnderstood) -> RoomCommand.Body? {
    switch field {
    case .roomId, .id, .atMs: nil
    case .giftShow:
      .giftShow(
        GiftShow(
          comboOffset: try PublishedID(self[Fields.GiftShow.comboId]).offset, lane: self[Fields.GiftShow.lane],
          sender: sender, receiverId: self[Fields.GiftShow.receiverId], giftId: self[Fields.GiftShow.giftId],
          giftName: self[Fields.GiftShow.giftName], value: self[Fields.GiftShow.value],
          from: self[Fields.GiftShow.from], total: self[Fields.GiftShow.total],
          enterMs: self[Fields.GiftShow.enterMs]))
    case .giftBump:
      .giftBump(
        GiftBump(
          comboOffset: try PublishedID(self[Fields.GiftBump.comboId]).offset, lane: self[Fields.GiftBump.lane],
          count: self[Fields.GiftBump.count], tickMs: self[Fields.GiftBump.tickMs]))
    case .giftHide:
      .giftHide(
        GiftHide(
          comboOffset: try PublishedID(self[Fields.GiftHide.comboId]).offset, lane: self[Fields.GiftHide.lane],
          count: self[Fields.GiftHide.count], exitMs: self[Fields.GiftHide.exitMs]))
    case .wishFly:
      .wishFly(
        WishFly(
          wishId: self[Fields.WishFly.wishId], track: self[Fields.WishFly.track], sender: sender,
          text: self[Fields.WishFly.text], style: self[Fields.WishFly.style], width: self[Fields.WishFly.width],
          durationMs: self[Fields.WishFly.durationMs], likes: self[Fields.WishFly.likes]))
    case .wishLikes:
      .wishLikes(WishLikes(wishId: self[Fields.WishLikes.wishId], likes: self[Fields.WishLikes.likes]))
    case .likeBurst: .likeBurst(LikeBurst(count: self[Fields.LikeBurst.count], points: points))
    case .rainCountdown:
      .rainCountdown(
        RainCountdown(
          rainId: self[Fields.RainCountdown.rainId], left: self[Fields.RainCountdown.left],
          startMs: self[Fields.RainCountdown.startMs], durationMs: self[Fields.RainCountdown.durationMs]))
    case .rainDrop:
      .rainDrop(
        RainDrop(
          rainId: self[Fields.RainDrop.rainId], packet: self[Fields.RainDrop.packet], x: self[Fields.RainDrop.x],
          fallMs: self[Fields.RainDrop.fallMs], angle: self[Fields.RainDrop.angle], spin: self[Fields.RainDrop.spin]))
    case .rainTally:
      .rainTally(
        RainTally(
          rainId: self[Fields.RainTally.rainId], opened: self[Fields.RainTally.opened],
          winners: self[Fields.RainTally.winners], coins: self[Fields.RainTally.coins]))
    case .rainEnd: .rainEnd(RainEnd(rainId: self[Fields.RainEnd.rainId]))
    case .skipped: skipped.map { .skipped($0) }
    }
  }

  private var skipped: Skipped? {
    guard
      let stage = Skipped.Stage.allCases.first(where: { $0.number == self[Fields.Skipped.stage] }),
      let reason = Skipped.Reason.allCases.first(where: { $0.number == self[Fields.Skipped.reason] })
    else { return nil }
    return Skipped(stage: stage, reason: reason, items: self[Fields.Skipped.items], units: self[Fields.Skipped.units])
  }

  private subscript<Field: RawRepresentable>(_ field: Field) -> Text where Field.RawValue == UInt32 {
    texts[Int(field.rawValue)]
  }

  private subscript<Field: RawRepresentable>(_ field: Field) -> Int64 where Field.RawValue == UInt32 {
    integers[Int(field.rawValue)]
  }
}
