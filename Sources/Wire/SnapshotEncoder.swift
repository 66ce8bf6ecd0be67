import RoomModel
package import RoomScreen

/// Owned commands and snapshots as JSON, byte for byte as STAGES.md, section 8, has it.
///
/// They become the borrowed commands that they were, so that one encoder alone knows the order of the fields.
package struct SnapshotEncoder: ~Copyable {
  private var batch = CommandBatch()

  package init() {}

  /// Appends `{"roomId","nowMs","commands":[…]}`. A command that is none of ours, by its id or its body, is left out.
  package mutating func encode(_ snapshot: Snapshot, into buffer: inout ByteBuffer) {
    buffer.append(#"{"roomId":""#)
    buffer.appendEscaped(string: snapshot.roomId)
    buffer.append(#"","nowMs":"#)
    buffer.append(snapshot.nowMs)
    buffer.append(#","commands":["#)
    var isFirst = true
    for command in snapshot.commands {
      let end = buffer.count
      if !isFirst { buffer.append(UInt8(ascii: ",")) }
      if encode(command, into: &buffer) { isFirst = false } else { buffer.removeAll(after: end) }
    }
    buffer.append("]}")
  }

  /// Appends the command.
  ///
  /// - Returns: false, with nothing appended, if it is none of ours.
  @discardableResult package mutating func encode(_ command: Command, into buffer: inout ByteBuffer) -> Bool {
    batch.removeAll()
    guard let id = CommandID(command.id), let log = LogName(id.log), let body = batch.keep(command.body) else {
      return false
    }
    CommandEncoder(topic: log.topic, partition: log.partition, format: .json).encode(
      RoomCommand(
        roomId: batch.keep(command.roomId), recordOffset: id.offset, place: id.place, atMs: command.atMs, body: body),
      into: &buffer)
    return true
  }
}

/// `topic/partition`
private struct LogName {
  let topic: String
  let partition: Int32

  init?(_ name: Substring) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let partition = Int32(parts[1]) else { return nil }
    topic = String(parts[0])
    self.partition = partition
  }
}

extension CommandBatch {
  fileprivate mutating func keep(_ string: String) -> Text {
    var string = string
    return string.withUTF8 { bytes in
      bytes.baseAddress.map { keep(Text(start: $0, count: bytes.count)) } ?? .empty
    }
  }

  fileprivate mutating func keep(_ sender: Command.Sender) -> Sender {
    Sender(userId: keep(sender.userId), name: keep(sender.name), avatarUrl: keep(sender.avatarUrl))
  }

  private mutating func keep(_ points: [Command.LikeBurst.Point]) -> UnsafeBufferPointer<Point> {
    points.map { Point(x: Int64($0.x), y: Int64($0.y)) }.withUnsafeBufferPointer { keep($0) }
  }

  /// Nil if it is of a kind that isn't known here.
  fileprivate mutating func keep(_ body: Command.Body) -> RoomCommand.Body? {
    switch body {
    case .giftShow(let show):
      guard let comboOffset = offset(ofCombo: show.comboId) else { return nil }
      return .giftShow(
        GiftShow(
          comboOffset: comboOffset, lane: Int64(show.lane), sender: keep(show.sender),
          receiverId: keep(show.receiverId), giftId: keep(show.giftId), giftName: keep(show.giftName),
          value: show.value, from: show.from, total: show.total, enterMs: show.enterMs))
    case .giftBump(let bump):
      return offset(ofCombo: bump.comboId).map {
        .giftBump(GiftBump(comboOffset: $0, lane: Int64(bump.lane), count: bump.count, tickMs: bump.tickMs))
      }
    case .giftHide(let hide):
      return offset(ofCombo: hide.comboId).map {
        .giftHide(GiftHide(comboOffset: $0, lane: Int64(hide.lane), count: hide.count, exitMs: hide.exitMs))
      }
    case .wishFly(let fly):
      return .wishFly(
        WishFly(
          wishId: keep(fly.wishId), track: Int64(fly.track), sender: keep(fly.sender), text: keep(fly.text),
          style: keep(fly.style), width: fly.width, durationMs: fly.durationMs, likes: fly.likes))
    case .wishLikes(let likes):
      return .wishLikes(WishLikes(wishId: keep(likes.wishId), likes: likes.likes))
    case .skipped(let skipped):
      guard let stage = Skipped.Stage.allCases.first(where: { $0.word.description == skipped.stage.rawValue }),
        let reason = Skipped.Reason.allCases.first(where: { $0.word.description == skipped.reason.rawValue })
      else { return nil }
      return .skipped(Skipped(stage: stage, reason: reason, items: skipped.items, units: skipped.units))
    case .likeBurst(let burst):
      return .likeBurst(LikeBurst(count: burst.count, points: keep(burst.points)))
    case .rainCountdown(let countdown):
      return .rainCountdown(
        RainCountdown(
          rainId: keep(countdown.rainId), left: countdown.left, startMs: countdown.startMs,
          durationMs: countdown.durationMs))
    case .rainDrop(let drop):
      return .rainDrop(
        RainDrop(
          rainId: keep(drop.rainId), packet: Int64(drop.packet), x: Int64(drop.x), fallMs: drop.fallMs,
          angle: Int64(drop.angle), spin: Int64(drop.spin)))
    case .rainTally(let tally):
      return .rainTally(
        RainTally(rainId: keep(tally.rainId), opened: tally.opened, winners: tally.winners, coins: tally.coins))
    case .rainEnd(let end):
      return .rainEnd(RainEnd(rainId: keep(end.rainId)))
    case .unknown: return nil
    }
  }

  private func offset(ofCombo comboId: String) -> Int64? {
    comboId.split(separator: "/").last.flatMap { Int64($0) }
  }
}
