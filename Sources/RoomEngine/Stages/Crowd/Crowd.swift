import RoomModel

/// Gifts of one combo that found no lane and join a crowd. Its texts are the combo's, or the event's.
struct CrowdItem {
  let sender: Sender
  let receiverId: Text
  let receiverName: Text
  let giftId: Text
  let giftName: Text
  /// The price of one.
  let value: Int64
  /// Gifts.
  let units: Int64
  /// The offset of the event that the combo began with.
  let offset: Int64
  /// The hash of receiver and gift.
  let hash: UInt32

  var worth: UInt128 { UInt128(value) * UInt128(units) }
}

extension CrowdItem {
  /// Makes the item of a combo that would start only to be skipped.
  init(_ gift: Lent<Gift>, count: Int64, offset: Int64, hash: UInt32) {
    self.init(
      sender: gift.sender, receiverId: gift.receiverId, receiverName: gift.receiverName, giftId: gift.giftId,
      giftName: gift.giftName, value: gift.value, units: count, offset: offset, hash: hash)
  }
}

extension Combo {
  /// - Parameter hash: The hash of its receiver and gift.
  func crowdItem(hash: UInt32) -> CrowdItem {
    CrowdItem(
      sender: Sender(userId: userId, name: name, avatarUrl: avatarUrl), receiverId: receiverId,
      receiverName: receiverName, giftId: giftId, giftName: giftName, value: value, units: gap, offset: offset,
      hash: hash)
  }
}

/// Many sending the same gift to the same receiver, none of whom found a lane (STAGES.md, section 8).
struct Crowd: ~Copyable {
  /// One of the senders that it names.
  struct Name: ~Copyable {
    let texts: TextPack<3>
    /// The worth of the sender's dearest item when that joined.
    let worth: UInt128

    init(_ sender: Sender, worth: UInt128) {
      texts = TextPack([sender.userId, sender.name, sender.avatarUrl])
      self.worth = worth
    }

    var userId: Text { texts[0] }
  }

  private let texts: TextPack<4>
  /// The price of one, as its first item had it.
  let value: Int64
  /// The offset of its first item, which names it.
  let offset: Int64
  let hash: UInt32
  /// The number of crowds of the room that began before it.
  var age: Int64 = 0
  /// Combos that joined, and gifts in them; and as they were last told.
  var items: Int64 = 0
  var units: Int64 = 0
  var toldItems: Int64 = 0
  var toldUnits: Int64 = 0
  /// The time when the oldest item joined that is untold; `.max`: none is.
  var untoldSince: LogTime = .max
  /// No more than `CrowdShow.nameLimit`, the dearest first.
  private(set) var names = Block<Name>()

  init(_ item: CrowdItem) {
    self.init(
      texts: [item.receiverId, item.giftId, item.giftName, item.receiverName], value: item.value, offset: item.offset,
      hash: item.hash)
  }

  init(texts: InlineArray<4, Text>, value: Int64, offset: Int64, hash: UInt32) {
    self.texts = TextPack(texts)
    self.value = value
    self.offset = offset
    self.hash = hash
  }

  @inline(__always) static func hash(_ seed: UInt64, receiverId: Text, giftId: Text) -> TextHash {
    var hash = TextHash(seed: seed)
    hash.add(receiverId)
    hash.add(giftId)
    return hash
  }

  var receiverId: Text { texts[0] }
  var giftId: Text { texts[1] }
  var giftName: Text { texts[2] }
  var receiverName: Text { texts[3] }

  func isOf(_ item: CrowdItem) -> Bool { giftId == item.giftId && receiverId == item.receiverId }

  var untoldItems: Int64 { items - toldItems }
  var untoldUnits: Int64 { units - toldUnits }
  var untoldWorth: UInt128 { UInt128(value) * UInt128(untoldUnits) }

  var byteCount: Int {
    var bytes = texts.byteCount + names.byteCount
    for i in 0..<names.count { bytes += names[i].texts.byteCount }
    return bytes
  }

  mutating func add(_ item: CrowdItem, at now: LogTime) {
    items += 1
    units = units.adding(item.units)
    untoldSince = min(untoldSince, now)
    let worth = item.worth
    // So it is for most, in a flood.
    if names.count == CrowdShow.nameLimit, worth <= names[names.count - 1].worth { return }
    name(item.sender, worth: worth)
  }

  private mutating func name(_ sender: Sender, worth: UInt128) {
    if let place = place(of: sender.userId) {
      if worth <= names[place].worth { return }
      names.remove(at: place)
    }
    var place = 0
    while place < names.count, names[place].worth >= worth { place += 1 }
    names.insert(Name(sender, worth: worth), at: place)
    if names.count > CrowdShow.nameLimit { names.remove(at: CrowdShow.nameLimit) }
  }

  /// Appends what was written; to be called for the dearest first.
  mutating func append(_ name: consuming Name) { names.append(name) }

  /// False: it did not name that user.
  mutating func unname(_ userId: Text) -> Bool {
    guard let place = place(of: userId) else { return false }
    names.remove(at: place)
    return true
  }

  private func place(of userId: Text) -> Int? {
    for place in 0..<names.count where names[place].userId == userId { return place }
    return nil
  }

  func show(out: inout CommandOutlet) -> CrowdShow {
    let kept = texts.views(in: out.keep(texts.whole))
    var senders = InlineArray<3, Sender>(repeating: Sender())
    for i in 0..<names.count {
      let name = names[i].texts.views(in: out.keep(names[i].texts.whole))
      senders[i] = Sender(userId: name[0], name: name[1], avatarUrl: name[2])
    }
    return CrowdShow(
      crowdOffset: offset, receiverId: kept[0], receiverName: kept[3], giftId: kept[1], giftName: kept[2], value: value,
      items: items, units: units, names: out.keep(senders, count: names.count))
  }
}
