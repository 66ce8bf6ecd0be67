/// Events of a few busy rooms, as bytes.
struct LogCrowd {
  private var chance: Chance
  private var count = 0

  init(seed: UInt64) { chance = Chance(seed: seed ^ 0xC0FFEE) }

  mutating func event(on partition: Int32) -> (key: [UInt8], value: [UInt8]) {
    count += 1
    let room = "room-\(partition)-\(chance.below(3))"
    let id = chance.one(in: 6) ? "e\(max(0, count - 1 - chance.below(20)))" : "e\(count)"
    let user = "\(chance.below(4))"
    var body: String
    switch chance.below(30) {
    case 20, 21: body = "\"tap\":{\"userId\":\"\(user)\",\"x\":\(chance.below(1000))}"
    case 22, 23: body = rain(in: room)
    case 24...29:
      body = """
        "rainGrab":{"rainId":"\(rains[room] ?? "none")","packet":\(chance.below(5)),"userId":"\(user)"}
        """
    case 0:
      body = "\"wish\":{\"sender\":{\"userId\":\"\(user)\"},\"text\":\"hello\",\"wishId\":\"w\(chance.below(6))\"}"
    case 1, 2: body = "\"wishLike\":{\"userId\":\"\(user)\",\"wishId\":\"w\(chance.below(6))\"}"
    case 3: body = "\"nothing\":{}"
    case 4:
      body = """
        "gift":{"sender":{"userId":"\(user)"},"giftId":"rose","count":\(1 + chance.below(9)),"streakId":"s\(chance.below(2))"}
        """
    default:
      body = """
        "gift":{"sender":{"userId":"\(user)"},"giftId":"g\(chance.below(3))","count":\(1 + chance.below(30)),"value":\(chance.below(5))}
        """
    }
    return (Array(room.utf8), Array("{\"eventId\":\"\(id)\",\"roomId\":\"\(room)\",\(body)}".utf8))
  }

  /// The last rain of each room.
  private var rains: [String: String] = [:]

  private mutating func rain(in room: String) -> String {
    let id = "rain\(count)"
    rains[room] = id
    return """
      "rainStart":{"rainId":"\(id)","durationMs":\(400 * chance.below(6)),"perSecond":\(5 + chance.below(20)),\
      "countdown":\(chance.below(5) / 4),"budget":\(chance.below(60)),"winEvery":\(1 + chance.below(3))}
      """
  }
}
