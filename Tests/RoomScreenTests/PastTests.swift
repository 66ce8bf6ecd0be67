import RoomScreen
import Testing

struct PastTests {
  private var keeper = PastKeeper()

  private mutating func say(_ atMs: Int64, _ body: Command.Body) {
    keeper.apply(Command(roomId: "r1", id: "im/0/1/0", atMs: atMs, body: body))
  }

  private mutating func show(_ combo: ID, user: ID = "7", name: String = "Ann", value: Int64 = 10, from: Int64 = 0) {
    let sender = Command.Sender(userId: user, name: name)
    say(
      1000,
      .giftShow(
        Command.GiftShow(
          comboId: combo, lane: 0, sender: sender, giftId: "rose", value: value, from: from, total: from, enterMs: 0)))
  }

  private mutating func bump(_ combo: ID, _ count: Int64) {
    say(1000, .giftBump(Command.GiftBump(comboId: combo, lane: 0, count: count, tickMs: 300)))
  }

  private mutating func hide(_ combo: ID, _ count: Int64) {
    say(1000, .giftHide(Command.GiftHide(comboId: combo, lane: 0, count: count, exitMs: 250)))
  }

  private mutating func fly(_ wish: ID, _ text: String, atMs: Int64 = 1000) {
    say(
      atMs,
      .wishFly(
        Command.WishFly(
          wishId: wish, track: 0, sender: Command.Sender(userId: "8"), text: text, width: 1, durationMs: 1)))
  }

  private mutating func crowd(_ id: ID, _ units: Int64) {
    say(1000, .crowdShow(Command.CrowdShow(crowdId: id, giftId: "rose", value: 3, items: 1, units: units, names: [])))
  }

  @Test func ofARoomWithoutCommandsThereIsNone() { #expect(keeper.past == nil) }

  @Test mutating func giftsCountAsTheyAreDrawnAndOnce() throws {
    show("a")
    #expect(keeper.past == Past(sinceMs: 1000), "nothing of it is drawn yet")
    bump("a", 3)
    show("a", name: "Anna", from: 3)
    hide("a", 5)
    // It comes back to a lane, and says what was drawn before.
    show("a", from: 5)
    bump("a", 6)
    let ann = try #require(keeper.past?.givers.first)
    #expect(ann.gifts == 6 && ann.coins == 60 && ann.sender.name == "Ann")
  }

  @Test mutating func whatWasDrawnBeforeIsNotCounted() {
    show("a", from: 500)
    bump("a", 501)
    #expect(keeper.past?.givers.map(\.gifts) == [1])
  }

  @Test mutating func whoGaveTheMostCoinsIsFirst() {
    for (user, value, count) in [("1", 1, 9), ("2", 5000, 1), ("3", 10, 20)] as [(ID, Int64, Int64)] {
      show(user, user: user, value: value)
      bump(user, count)
    }
    #expect(keeper.past?.givers.map(\.sender.userId) == ["2", "3", "1"])
  }

  @Test mutating func crowdsCountWhatTheyTellAnew() {
    crowd("a", 5)
    crowd("b", 2)
    crowd("a", 12)
    #expect(keeper.past?.crowds.gifts == 14 && keeper.past?.crowds.coins == 42)
  }

  /// Crowds take turns at the bar, so each that is not over may go on: its units so far say from where.
  @Test mutating func crowdsThatMayGoOnAreTold() {
    crowd("im/0/1", 5)
    crowd("im/0/2", 2)
    crowd("im/1/3", 4)
    crowd("im/0/1", 12)
    #expect(keeper.past?.crowds.told.map(\.crowdId) == ["im/0/2", "im/1/3", "im/0/1"])
    #expect(keeper.past?.crowds.told.map(\.units) == [2, 4, 12])
    say(1000, .crowdHide(Command.CrowdHide(crowdId: "im/0/1")))
    #expect(keeper.past?.crowds == Past.Crowds(gifts: 18, coins: 54, told: [.init(crowdId: "im/1/3", units: 4)]))
  }

  @Test mutating func theLastWishesAreToldTheLatestFirst() {
    for number in 1...25 { fly(ID("w\(number)"), "wish \(number)", atMs: Int64(1000 + number)) }
    say(2000, .wishLikes(Command.WishLikes(wishId: "w25", likes: 4)))
    say(2000, .wishGone(Command.WishGone(wishId: "w24")))
    let wishes = keeper.past?.wishes ?? []
    #expect(wishes.map(\.text) == ["wish 25"] + (6...23).reversed().map { "wish \($0)" })
    #expect(wishes.first?.likes == 4 && wishes.first?.atMs == 1025)
  }

  @Test mutating func anEndedRoomBeginsAnew() {
    show("a")
    bump("a", 3)
    fly("w", "hi")
    say(5000, .roomEnd(Command.RoomEnded()))
    #expect(keeper.past == Past(sinceMs: 5000))
  }

  /// The sums are always those of what was drawn, and of many givers those with the most are told.
  @Test(arguments: 0..<40 as Range<UInt64>) mutating func sumsAreOfWhatWasDrawn(seed: UInt64) {
    var random = seed &* 6_364_136_223_846_793_005 &+ 1
    func roll(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % bound
    }
    var drawn: [ID: Int64] = [:]
    var counts: [ID: Int64] = [:]
    var onLane: Set<ID> = []
    for _ in 0..<2000 {
      let user = ID("\(roll(60))")
      let before = counts[user, default: 0]
      if !onLane.contains(user) || roll(5) == 0 { show(user, user: user, from: before) }
      onLane.insert(user)
      let count = before + Int64(roll(9))
      if roll(4) == 0 {
        hide(user, count)
        onLane.remove(user)
      } else {
        bump(user, count)
      }
      drawn[user, default: 0] += count - before
      counts[user] = count
    }
    let best = drawn.values.filter { $0 > 0 }.sorted(by: >).prefix(PastKeeper.mostTold)
    #expect(keeper.past?.givers.map(\.gifts) == Array(best))
  }

  @Test mutating func itsMemoryIsBounded() {
    for number in 0..<3000 {
      let id = ID("\(number)")
      show(id, user: id, value: Int64(number))
      bump(id, 2)
      crowd(id, 1)
      fly(id, "hi")
    }
    let past = keeper.past
    #expect(past?.givers.first?.sender.userId == "2999" && past?.givers.count == PastKeeper.mostTold)
    #expect(keeper.kept <= PastKeeper.mostKept)
  }

  @Test mutating func numbersBeyondAllMeasureAreTheLargest() {
    show("a", value: .max)
    bump("a", .max)
    crowd("a", .max)
    #expect(keeper.past?.givers.first?.coins == .max && keeper.past?.crowds.coins == .max)
  }
}
