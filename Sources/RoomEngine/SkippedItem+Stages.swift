import RoomModel

/// An item that was skipped, for readers that want each one by itself.
extension SkippedItem {
  init(_ gift: Lent<Gift>, _ reason: Skipped.Reason, offset: Int64, tier: Int64, units: Int64) {
    self.init(stage: .gift, reason: reason, userId: gift.sender.userId, name: gift.sender.name)
    self.offset = offset
    receiverId = gift.receiverId
    giftId = gift.giftId
    giftName = gift.giftName
    self.tier = tier
    self.units = units
  }

  init(_ combo: borrowing Combo, _ reason: Skipped.Reason, tier: Int64) {
    self.init(stage: .gift, reason: reason, userId: combo.userId, name: combo.name)
    offset = combo.offset
    receiverId = combo.receiverId
    giftId = combo.giftId
    giftName = combo.giftName
    self.tier = tier
    units = combo.gap
  }

  /// - Parameter crowdOffset: Nil: there was none for it.
  init(
    _ item: CrowdItem, _ reason: Skipped.Reason, tier: Int64, crowdOffset: Int64?, _ rules: borrowing Rules,
    crowdCount: Int
  ) {
    self.init(stage: .gift, reason: reason, userId: item.sender.userId, name: item.sender.name)
    offset = item.offset
    receiverId = item.receiverId
    giftId = item.giftId
    giftName = item.giftName
    self.tier = tier
    units = item.units
    self.crowdOffset = crowdOffset
    limit = rules.gift.queueLimit
    crowdLimit = rules.crowd.kinds
    self.crowdCount = Int64(crowdCount)
  }

  /// The gifts that a crowd had not told when its room ended.
  init(untoldOf crowd: borrowing Crowd) {
    self.init(stage: .gift, reason: .ended, userId: .empty, name: .empty)
    receiverId = crowd.receiverId
    giftId = crowd.giftId
    giftName = crowd.giftName
    units = crowd.untoldUnits
  }

  init(_ banner: borrowing RoomWish, _ reason: Skipped.Reason, limit: Int64 = 0, count: Int = 0) {
    let texts = banner.shownTexts
    self.init(stage: .wish, reason: reason, userId: texts.userId, name: texts.name)
    id = banner.wishId
    text = texts.text
    (self.limit, self.count) = (limit, Int64(count))
  }

  init(_ wish: Lent<Wish>, _ reason: Skipped.Reason) {
    self.init(stage: .wish, reason: reason, userId: wish.sender.userId, name: wish.sender.name)
    id = wish.wishId
    text = wish.text
  }

  init(_ pin: Lent<Pin>, _ reason: Skipped.Reason, limit: Int64) {
    self.init(stage: .pin, reason: reason, userId: pin.sender.userId, name: pin.sender.name)
    id = pin.pinId
    text = pin.text
    self.limit = limit
  }

  init(_ item: borrowing SpotItem, _ reason: Skipped.Reason, limit: Int64 = 0) {
    self.init(stage: .spot, reason: reason, userId: item.userId, name: item.name)
    id = item.spotId
    text = item.text
    offset = item.comboOffset
    receiverId = item.receiverId
    giftId = item.giftId
    giftName = item.giftName
    tier = item.tier
    self.limit = limit
  }
}
