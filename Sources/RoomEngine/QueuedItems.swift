/// Counts of items that wait to be drawn: in all rooms, and in the room with the most of them.
package struct QueuedItems: Equatable, Sendable {
  /// Combos, wishes, items of the spot.
  package private(set) var gifts = 0
  package private(set) var wishes = 0
  package private(set) var spots = 0
  package private(set) var mostGifts = 0
  package private(set) var mostWishes = 0
  package private(set) var mostSpots = 0

  package init() {}

  mutating func add(gifts: Int, wishes: Int, spots: Int) {
    self.gifts += gifts
    self.wishes += wishes
    self.spots += spots
    mostGifts = max(mostGifts, gifts)
    mostWishes = max(mostWishes, wishes)
    mostSpots = max(mostSpots, spots)
  }

  package mutating func add(_ other: QueuedItems) {
    gifts += other.gifts
    wishes += other.wishes
    spots += other.spots
    mostGifts = max(mostGifts, other.mostGifts)
    mostWishes = max(mostWishes, other.mostWishes)
    mostSpots = max(mostSpots, other.mostSpots)
  }
}
