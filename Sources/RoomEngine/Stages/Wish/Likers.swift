import RoomModel

/// Users who have liked a wish: each counts once.
struct Likers: ~Copyable {
  init() {}

  /// Their ids, each with its length.
  var ids = Block<UInt8>()
  private var index = SlotIndex()

  var count: Int { index.count }
  var byteCount: Int { ids.byteCount + index.byteCount }

  /// False if this user was there already.
  mutating func add(_ userId: Text, seed: UInt64) -> Bool {
    var hash = TextHash(seed: seed)
    hash.add(userId)
    var probe = index.probe(for: hash.value)
    while let place = index.next(&probe) {
      if ids.text(at: Int(place)) == userId { return false }
    }
    index.insert(UInt32(ids.append(userId)), hash: hash.value)
    return true
  }
}
