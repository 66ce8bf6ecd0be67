/// Items (slots of something) in the order of their keys: the least is at hand, and any can change its key or leave.
///
/// Putting in what comes last, which is what most deadlines do, takes constant time; all else is logarithmic. Each
/// place has four below it: half the levels of two, and the four lie beside each other.
struct IndexedHeap<Key: Comparable>: ~Copyable {
  struct Entry {
    var key: Key
    var item: Int32
  }

  private var entries = Block<Entry>()
  /// The place of each item in `entries`; -1: it isn't there.
  private var places = Block<Int32>()

  @inline(__always) var isEmpty: Bool { entries.isEmpty }
  @inline(__always) var count: Int { entries.count }
  var byteCount: Int { entries.byteCount + places.byteCount }

  /// There must be one.
  var least: Entry { entries[0] }

  /// Follows no order that means anything.
  func entry(at index: Int) -> Entry { entries[index] }

  /// Follows no order that means anything.
  var items: [Int32] { (0..<entries.count).map { entries[$0].item } }

  @inline(__always) func contains(_ item: Int32) -> Bool {
    item < places.count && places[Int(item)] >= 0
  }

  /// The item must be in.
  func key(of item: Int32) -> Key { entries[Int(places[Int(item)])].key }

  /// Whether more than `limit` have keys that are wanted. A key that is not wanted is less than none that is; so no
  /// more are looked at than that takes.
  func hasMore(than limit: Int, wanted isWanted: (Key) -> Bool) -> Bool {
    var found = 0
    func look(at place: Int) {
      guard place < entries.count, found <= limit, isWanted(entries[place].key) else { return }
      found += 1
      for child in 4 * place + 1...4 * place + 4 { look(at: child) }
    }
    look(at: 0)
    return found > limit
  }

  /// Puts the item in, or changes its key.
  mutating func set(_ item: Int32, to key: Key) {
    while item >= places.count { places.append(-1) }
    let place = Int(places[Int(item)])
    let entry = Entry(key: key, item: item)
    if place < 0 {
      entries.append(entry)
      rise(entry, from: entries.count - 1)
    } else if key < entries[place].key {
      rise(entry, from: place)
    } else if entries[place].key < key {
      sink(entry, from: place)
    }
  }

  /// Nothing happens if it isn't there. With the last item goes the memory, if there is much of it.
  mutating func remove(_ item: Int32) {
    guard contains(item) else { return }
    let place = Int(places[Int(item)])
    let last = entries.removeLast()
    if place < entries.count {
      if last.key < entries[place].key { rise(last, from: place) } else { sink(last, from: place) }
    }
    places[Int(item)] = -1
    if entries.isEmpty, places.capacity > 16 { removeAll() } else { entries.shrink() }
  }

  /// Gives the memory of items from there on back, of which none may be in.
  mutating func shrink(below end: Int32) {
    while places.count > end {
      let place = places.removeLast()
      precondition(place < 0, "an item that is not in")
    }
    places.shrink()
  }

  /// Gives the memory back, too.
  mutating func removeAll() {
    entries.removeAll()
    places.removeAll()
  }

  private mutating func rise(_ entry: Entry, from place: Int) {
    let entries = entries.elements
    let places = places.elements
    var place = place
    while place > 0 {
      let parent = (place &- 1) &>> 2
      guard entry.key < entries[parent].key else { break }
      entries[place] = entries[parent]
      places[Int(entries[place].item)] = Int32(truncatingIfNeeded: place)
      place = parent
    }
    entries[place] = entry
    places[Int(entry.item)] = Int32(truncatingIfNeeded: place)
  }

  private mutating func sink(_ entry: Entry, from place: Int) {
    let count = count
    let entries = entries.elements
    let places = places.elements
    var place = place
    while true {
      let first = 4 &* place &+ 1
      guard first < count else { break }
      var child = first
      if first &+ 4 <= count {
        if entries[first &+ 1].key < entries[child].key { child = first &+ 1 }
        if entries[first &+ 2].key < entries[child].key { child = first &+ 2 }
        if entries[first &+ 3].key < entries[child].key { child = first &+ 3 }
      } else {
        for other in first &+ 1..<count where entries[other].key < entries[child].key { child = other }
      }
      guard entries[child].key < entry.key else { break }
      entries[place] = entries[child]
      places[Int(entries[place].item)] = Int32(truncatingIfNeeded: place)
      place = child
    }
    entries[place] = entry
    places[Int(entry.item)] = Int32(truncatingIfNeeded: place)
  }
}
