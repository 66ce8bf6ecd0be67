/// A combo, a wish, an item of the spot or a pin that was skipped, or a combo that joined a crowd in place of it.
public struct SkippedItem: BitwiseCopyable {
  public var roomId = Text.empty
  public var stage: Skipped.Stage
  public var reason: Skipped.Reason
  public var userId: Text
  public var name: Text
  /// The id of a wish or an item of the spot.
  public var id = Text.empty
  public var text = Text.empty
  /// The offset of the event that a combo began with; -1: it is none.
  public var offset: Int64 = -1
  /// Set for a combo, and for an item of the spot that is of one.
  public var receiverId = Text.empty
  public var giftId = Text.empty
  public var giftName = Text.empty
  public var tier: Int64 = 0
  /// Gifts that were not shown, or 1 a wish or item.
  public var units: Int64 = 1
  /// The crowd that it joined, by its offset; nil: it is skipped.
  public var crowdOffset: Int64?
  /// Of an `overflow`: the limit of the queue, or of pins, and the number that was there without it.
  public var limit: Int64 = 0
  public var count: Int64 = 0
  /// Of a combo that found no crowd: the limit of crowds, and their number.
  public var crowdLimit: Int64 = 0
  public var crowdCount: Int64 = 0

  @inlinable public init(stage: Skipped.Stage, reason: Skipped.Reason, userId: Text, name: Text) {
    self.stage = stage
    self.reason = reason
    self.userId = userId
    self.name = name
  }
}
