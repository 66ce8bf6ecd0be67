/// Combos and wishes that wait to be drawn, in all rooms, and in the room with the most of them.
package struct QueuedItems: Equatable, Sendable {
  package private(set) var gifts = 0
  package private(set) var wishes = 0
  package private(set) var mostGifts = 0
  package private(set) var mostWishes = 0

  package init() {}

  mutating func add(gifts: Int, wishes: Int) {
    self.gifts += gifts
    self.wishes += wishes
    mostGifts = max(mostGifts, gifts)
    mostWishes = max(mostWishes, wishes)
  }

  package mutating func add(_ other: QueuedItems) {
    gifts += other.gifts
    wishes += other.wishes
    mostGifts = max(mostGifts, other.mostGifts)
    mostWishes = max(mostWishes, other.mostWishes)
  }
}
