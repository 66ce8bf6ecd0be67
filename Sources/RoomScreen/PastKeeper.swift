/// Keeps a room's past while its commands come, within a bound whatever comes.
package struct PastKeeper: Sendable {
  private struct Combo {
    var user: ID
    var value: Int64
    var count: Int64
    /// Gifts of it that count for its user.
    var counted: Int64 = 0
  }

  /// Nil: nothing has come.
  private var sinceMs: Int64?
  private var givers: [ID: Past.Giver] = [:]
  /// The last combos that were drawn: one that comes again says in `from` what was drawn of it, and one that is taken back
  /// counts no more.
  private var combos: [ID: Combo] = [:]
  /// The order in which they came, the oldest first; some may be gone.
  private var comboOrder: [ID] = []
  /// Units that crowds have told so far, the last told last: they take turns at the bar, and are over once it is free.
  private var crowds: [Past.Crowds.Told] = []
  private var inCrowds = (gifts: Int64(0), coins: Int64(0))
  /// Wishes that flew, the latest last.
  private var wishes: [Past.Wish] = []

  /// Givers beyond this are forgotten, those of the fewest coins first.
  package static let mostGivers = 200
  package static let mostTold = 20
  package static let mostCombos = 512
  private static let mostCrowds = 64

  package init() {}

  /// Nil: nothing is known of the room.
  package var past: Past? {
    guard let sinceMs else { return nil }
    let best = givers.values.filter { $0.gifts > 0 }.sorted { one, other in
      (other.coins, other.gifts, one.sender.userId) < (one.coins, one.gifts, other.sender.userId)
    }
    return Past(
      sinceMs: sinceMs, givers: Array(best.prefix(Self.mostTold)),
      crowds: Past.Crowds(gifts: inCrowds.gifts, coins: inCrowds.coins, told: crowds), wishes: wishes.reversed())
  }

  /// The most that it keeps, of all kinds together.
  package static let mostKept = mostGivers + mostCombos + mostCrowds + mostTold

  package var kept: Int { givers.count + comboOrder.count + crowds.count + wishes.count }

  /// - Parameter command: new on the room's screen.
  package mutating func apply(_ command: Command) {
    if sinceMs == nil { sinceMs = command.atMs }
    switch command.body {
    case .giftShow(let show): meet(show)
    case .giftBump(let bump): count(bump.comboId, to: bump.count)
    case .giftHide(let hide):
      count(hide.comboId, to: hide.count)
    case .crowdShow(let show): add(show)
    case .crowdHide(let hide):
      let log = CommandID.log(of: hide.crowdId)
      crowds.removeAll { CommandID.log(of: $0.crowdId).elementsEqual(log) }
    case .wishFly(let fly):
      wishes.removeAll { $0.wishId == fly.wishId }
      wishes.append(
        Past.Wish(
          atMs: command.atMs, wishId: fly.wishId, sender: fly.sender, text: fly.text, style: fly.style, likes: fly.likes
        ))
      if wishes.count > Self.mostTold { wishes.removeFirst() }
    case .wishLikes(let likes):
      if let place = wishes.lastIndex(where: { $0.wishId == likes.wishId }) { wishes[place].likes = likes.likes }
    case .wishGone(let gone): wishes.removeAll { $0.wishId == gone.wishId }
    case .retracted(let retracted): takeBack(retracted)
    case .roomEnd:
      self = PastKeeper()
      sinceMs = command.atMs
    default: break
    }
  }

  private mutating func meet(_ show: Command.GiftShow) {
    if combos[show.comboId] != nil {
      count(show.comboId, to: show.from)
    } else {
      while comboOrder.count >= Self.mostCombos { combos[comboOrder.removeFirst()] = nil }
      comboOrder.append(show.comboId)
      combos[show.comboId] = Combo(user: show.sender.userId, value: show.value, count: show.from)
    }
    let user = show.sender.userId
    if givers[user] != nil {
      givers[user]!.sender = show.sender
      return
    }
    if givers.count >= Self.mostGivers,
      let least = givers.min(by: { ($0.value.coins, $0.key) < ($1.value.coins, $1.key) })
    {
      givers[least.key] = nil
    }
    givers[user] = Past.Giver(sender: show.sender, gifts: 0, coins: 0)
  }

  private mutating func count(_ combo: ID, to count: Int64) {
    guard let known = combos[combo], count > known.count else { return }
    combos[combo]!.count = count
    let more = count.minus(known.count)
    guard var giver = givers[known.user] else { return }
    combos[combo]!.counted = known.counted.plus(more)
    giver.gifts = giver.gifts.plus(more)
    giver.coins = giver.coins.plus(more.times(known.value))
    givers[known.user] = giver
  }

  /// Leaves out what is taken back. Gifts that joined a crowd stay in it.
  private mutating func takeBack(_ retracted: Command.Retracted) {
    let user = retracted.userId
    if !user.isEmpty {
      givers[user] = nil
      combos = combos.filter { $0.value.user != user }
      wishes.removeAll { $0.sender.userId == user }
    }
    if let combo = combos.removeValue(forKey: retracted.comboId), var giver = givers[combo.user] {
      giver.gifts = giver.gifts.minus(combo.counted)
      giver.coins = giver.coins.minus(combo.counted.times(combo.value))
      givers[combo.user] = giver
    }
    wishes.removeAll { $0.wishId == retracted.wishId }
  }

  private mutating func add(_ show: Command.CrowdShow) {
    let known = crowds.firstIndex { $0.crowdId == show.crowdId }
    let told = known.map { crowds.remove(at: $0).units } ?? 0
    crowds.append(Past.Crowds.Told(crowdId: show.crowdId, units: max(told, show.units)))
    if crowds.count > Self.mostCrowds { crowds.removeFirst() }
    guard show.units > told else { return }
    let more = show.units.minus(told)
    inCrowds.gifts = inCrowds.gifts.plus(more)
    inCrowds.coins = inCrowds.coins.plus(more.times(show.value))
  }
}
