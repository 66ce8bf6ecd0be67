import JSON
import RoomModel
import Wire

/// Writing alone: each kind of command, into a buffer that is kept.
enum EncodeBenchmark {
  /// In the formats only that which `--format` names, if it does.
  static func run(_ options: Options) throws {
    let count = try options.integer("count") ?? 300_000
    let sender = Sender(
      userId: Text("104711"), name: Text("观众 104711"), avatarUrl: Text("https://img.example/a/104711.png"))
    var arena = TextArena()
    let bodies: [(String, RoomCommand.Body)] = [
      (
        "giftShow",
        .giftShow(
          arena.lend(
            GiftShow(
              comboOffset: 1_234_567, lane: 1, sender: sender, receiverId: .empty, receiverName: .empty,
              giftId: Text("gift-7"),
              giftName: Text("礼物 7"), value: 50,
              from: 0, total: 3, enterMs: 250, tier: 1, extra: .empty)))
      ),
      ("giftBump", .giftBump(GiftBump(comboOffset: 1_234_567, lane: 1, count: 3, tickMs: 300))),
      ("giftHide", .giftHide(GiftHide(comboOffset: 1_234_567, lane: 1, count: 3, exitMs: 250))),
      (
        "wishFly",
        .wishFly(
          arena.lend(
            WishFly(
              wishId: Text("w1-1234567"), track: 1, sender: sender, text: Text("祝主播生日快乐！"), style: Text("gold"),
              width: 254, durationMs: 6000, likes: 0, extra: .empty)))
      ),
    ]
    for format in Format.allCases where options["format"] ?? format.rawValue == format.rawValue {
      let encoder = CommandEncoder(topic: "im.gifts", partition: 3, format: format)
      var buffer = ByteBuffer(capacity: 1 << 16)
      for (kind, body) in bodies {
        var command = RoomCommand(
          roomId: Text("room-42"), recordOffset: 1_234_567, place: 0, atMs: 1_700_000_000_550, body: body)
        var bytes = 0
        let time = least(passes: 7) {
          for place in 0..<count {
            command.place = Int64(place & 7)
            buffer.removeAll()
            encoder.encode(command, into: &buffer)
            bytes &+= buffer.count
          }
        }
        Report.line(
          "encode \(format.rawValue) \(kind)", ("ns", Report.each(time, count)),
          ("commands/s", Report.perSecond(count, nanoseconds: time)), ("bytes", "\(bytes / 7 / count)"))
      }
    }
  }
}
