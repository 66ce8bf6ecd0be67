package import RoomModel

/// The times at which some items (slots of something) are due: the least deadline is at hand, and any item can change
/// its own or leave. Of items that are due at once, any may come first.
///
/// For a deadline within a second, as most are, that takes constant time: each of the next milliseconds has a list of
/// its items, and a bit that says whether there are any. What lies further away, or in the past, is in a heap.
package struct DeadlineWheel: ~Copyable {
  /// (Were it private, the compiler would not find it where other files destroy a wheel.)
  struct Link {
    /// `.max`: the item is in no list.
    var deadline = LogTime.max
    /// Neighbours in the same list; -1: it is the last, or the first.
    var next: Int32 = -1
    var previous: Int32 = -1
  }

  /// Milliseconds that have lists; a power of 2.
  private static var span: Int { 1024 }

  /// The first item of each list, -1 for none. A deadline's list is that of its lowest bits.
  private var heads = Block<Int32>()
  /// A bit for each list that has items.
  private var used = Block<UInt64>()
  /// The links of each item.
  private var links = Block<Link>()
  private var listed = 0
  /// The least deadline of items in lists; `.max`: there are none. Theirs all lie less than `span` after `start`.
  private var leastListed = LogTime.max
  private var start = LogTime.min
  private var others = IndexedHeap<LogTime>()

  package init() {}

  package var isEmpty: Bool { count == 0 }
  package var count: Int { listed + others.count }
  var byteCount: Int { heads.byteCount + used.byteCount + links.byteCount + others.byteCount }

  /// `.max`: there is none.
  package var leastDeadline: LogTime { others.isEmpty ? leastListed : min(leastListed, others.least.key) }

  /// One that has the least deadline, if that is `time` or before.
  @inline(__always) package func first(through time: LogTime) -> (item: Int32, deadline: LogTime)? {
    let other = others.isEmpty ? .max : others.least.key
    let deadline = min(leastListed, other)
    guard deadline <= time, deadline < .max else { return nil }
    return (leastListed <= other ? heads.elements[Self.list(of: deadline)] : others.least.item, deadline)
  }

  /// Puts the item in, or changes its deadline.
  ///
  /// - Parameter now: A time soon before most deadlines: the lists are those of the milliseconds after it.
  @inline(__always) package mutating func set(_ item: Int32, to deadline: LogTime, now: LogTime) {
    if item >= links.count { makeLinks(through: item) }
    let old = links.elements[Int(item)].deadline
    if old < .max {
      if old == deadline { return }
      takeOut(item)
    }
    start = max(start, min(now, leastListed))
    if deadline >= start, deadline < start &+ LogTime(Self.span) {
      if old == .max { others.remove(item) }
      putIn(item, deadline)
    } else {
      others.set(item, to: deadline)
    }
  }

  /// Nothing happens if it isn't there. With the last item goes the memory, if there is much of it.
  package mutating func remove(_ item: Int32) {
    guard item < links.count else { return }
    if links[Int(item)].deadline < .max { takeOut(item) } else { others.remove(item) }
    if isEmpty, links.capacity > 16 { self = DeadlineWheel() }
  }

  /// Gives the memory of items from there on back, of which none may be in.
  mutating func shrink(below end: Int32) {
    while links.count > end {
      let link = links.removeLast()
      precondition(link.deadline == .max, "an item that is in no list")
    }
    links.shrink()
    others.shrink(below: end)
  }

  // MARK: Lists

  @inline(__always) private static func list(of deadline: LogTime) -> Int {
    Int(truncatingIfNeeded: deadline) & (span &- 1)
  }

  @inline(never) private mutating func makeLinks(through item: Int32) {
    precondition(item >= 0, "a slot")
    while item >= links.count { links.append(Link()) }
    guard heads.isEmpty else { return }
    heads = Block(repeating: -1, count: Self.span)
    used = Block(repeating: 0, count: Self.span / 64)
  }

  /// Here and below items and lists are within their bounds: each item in a list has a link, and there are all lists.
  @inline(__always) private mutating func putIn(_ item: Int32, _ deadline: LogTime) {
    let links = self.links.elements
    let list = Self.list(of: deadline)
    let next = heads.elements[list]
    links[Int(item)] = Link(deadline: deadline, next: next)
    heads.elements[list] = item
    if next < 0 { used.elements[list &>> 6] |= 1 &<< UInt64(list & 63) } else { links[Int(next)].previous = item }
    listed &+= 1
    if deadline < leastListed { leastListed = deadline }
  }

  @inline(__always) private mutating func takeOut(_ item: Int32) {
    let links = self.links.elements
    let link = links[Int(item)]
    links[Int(item)].deadline = .max
    listed &-= 1
    if link.next >= 0 { links[Int(link.next)].previous = link.previous }
    if link.previous >= 0 {
      links[Int(link.previous)].next = link.next
      return
    }
    let list = Self.list(of: link.deadline)
    heads.elements[list] = link.next
    guard link.next < 0 else { return }
    used.elements[list &>> 6] &= ~(1 &<< UInt64(list & 63))
    guard link.deadline == leastListed else { return }
    leastListed = listed == 0 ? .max : Self.firstListed(in: used.elements, after: link.deadline)
  }

  /// The least deadline of items in lists, where it is greater than `deadline`, which was the least. It takes the bits
  /// alone: a call that borrows the wheel within one that changes it copies it first.
  @inline(__always) private static func firstListed(
    in used: UnsafePointer<UInt64>, after deadline: LogTime
  ) -> LogTime {
    let from = list(of: deadline)
    var word = from &>> 6
    var bits = used[word] & (.max &<< UInt64(from & 63))
    while bits == 0 {
      word = (word &+ 1) & (span / 64 &- 1)
      bits = used[word]
    }
    let list = word &<< 6 | bits.trailingZeroBitCount
    return deadline &+ LogTime((list &- from) & (span &- 1))
  }
}
