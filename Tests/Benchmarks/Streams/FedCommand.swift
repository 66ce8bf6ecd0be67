/// A command of the feed. Its id tells all there is to know: which room's, and the how manieth of that room.
///
/// A room shows a gift, counts it up and hides it, over and over, so that its commands are as long as a worker's and
/// its screen has something on it.
struct FedCommand {
  let room: Int
  let place: Int

  static func name(of room: Int) -> String { "room-\(room)" }

  /// Its place in `CommitTimes`: commands go to the rooms in turn.
  static func index(room: Int, place: Int, rooms: Int) -> Int { place * rooms + room }

  init(index: Int, rooms: Int) {
    room = index % rooms
    place = index / rooms
  }

  func json(atMs: Int64) -> String {
    let cycle = 10
    let step = place % cycle
    let combo = "bench/\(room)/\(place - step)"
    let body =
      switch step {
      case 0:
        #""giftShow":{"comboId":"\#(combo)","lane":1,"sender":{"userId":"100\#(room)","name":"阿花\#(room)","#
          + #""avatarUrl":"https://img.example/a/\#(room).webp"},"receiverId":"","giftId":"rose","giftName":"玫瑰","#
          + #""value":10,"from":0,"total":\#(cycle),"enterMs":250}"#
      case cycle - 1: #""giftHide":{"comboId":"\#(combo)","lane":1,"count":\#(step),"exitMs":250}"#
      default: #""giftBump":{"comboId":"\#(combo)","lane":1,"count":\#(step),"tickMs":300}"#
      }
    return #"{"roomId":"\#(Self.name(of: room))","id":"bench/\#(room)/\#(place)/0","atMs":\#(atMs),\#(body)}"#
  }
}
