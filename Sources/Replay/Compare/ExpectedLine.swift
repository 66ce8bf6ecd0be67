import RoomModel

/// The items that one recipient must get of a partition, in their order.
final class ExpectedLine {
  /// A command or a result that must have been published.
  struct Item {
    let place: Place
    /// A result's is that of its grab.
    let atMs: LogTime
    /// Its JSON.
    let bytes: [UInt8]
  }

  let recipient: Recipient
  private var items: [Item] = []
  private var start = 0
  /// The place of the last that was published as expected.
  private(set) var last: Place?

  init(_ recipient: Recipient) { self.recipient = recipient }

  /// The next; nil: nothing is expected now.
  var head: Item? { start < items.count ? items[start] : nil }

  func append(_ item: Item) { items.append(item) }

  /// The head was published.
  func match() { last = head?.place }

  func removeHead() {
    start += 1
    if start == items.count {
      items.removeAll(keepingCapacity: start <= 64)
      start = 0
    } else if start >= 64, start * 2 > items.count {
      items.removeFirst(start)
      start = 0
    }
  }
}
