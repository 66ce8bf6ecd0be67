import RoomEngine
import RoomModel

/// What a queued combo waits for: what stands before it, and who holds the lanes that it could take.
struct LaneWait {
  /// As it began, in lines.
  let standing: [String]
  /// The one that it needs; nil: any will do.
  private let lane: Int?
  /// Who got these lanes while it waited, in their order.
  private var holders: [(lane: Int, words: String)] = []
  private var left = 0

  private static var most: Int { 6 }

  /// Nil: it is not queued.
  init?(of combo: Int64, in picture: RoomPicture, _ settings: GiftSettings, _ partitionName: String) {
    guard let place = picture.queue.firstIndex(where: { $0.offset == combo }) else { return nil }
    let own = picture.queue[place]
    let lane = settings.placement == .byUser ? Self.lane(of: own.userId, settings.lanes) : nil
    self.lane = lane
    var lines = lane.map { ["it needs lane \($0), its user's (placement byUser)"] } ?? []
    for (number, holder) in picture.lanes.enumerated() where lane == nil || lane == number {
      lines.append("lane \(number): \(holder.map { "\($0.words), \($0.standing(partitionName))" } ?? "free")")
    }
    let before = picture.queue[..<place].filter {
      lane == nil || Self.lane(of: $0.userId, settings.lanes) == lane
    }
    let some = before.prefix(Self.most).enumerated().map { "\($0.offset + 1). \($0.element.words)" }
    lines.append(
      before.isEmpty
        ? "nothing stands before it in the queue"
        : "before it in the queue: " + some.joined(separator: ", ")
          + (before.count > Self.most ? ", … and \(before.count - Self.most) more" : ""))
    standing = lines
  }

  /// STAGES.md, section 3: giving lanes.
  private static func lane(of userId: String, _ lanes: some BinaryInteger) -> Int {
    let isNumber = !userId.isEmpty && userId.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let number = isNumber ? UInt64(userId) : nil
    return Int((number ?? fnv1a(userId.utf8)) % UInt64(lanes))
  }

  /// Another got a lane.
  mutating func note(_ show: Lent<GiftShow>, at time: LogTime) {
    guard lane == nil || lane == Int(show.lane) else { return }
    guard holders.count < Self.most else {
      left += 1
      return
    }
    let sender = named(show.sender.name.description, show.sender.userId.description)
    let gift = named(show.giftName.description, show.giftId.description)
    holders.append((Int(show.lane), "lane \(show.lane) by \(sender): \(gift), from \(time.clock)"))
  }

  /// Nil: nobody did.
  var meanwhile: String? {
    holders.isEmpty
      ? nil
      : "meanwhile held: " + holders.map(\.words).joined(separator: "; ") + (left > 0 ? "; and by \(left) more" : "")
  }
}
