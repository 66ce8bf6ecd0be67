/// A queue that gives the earliest item first; of items due at the same time, the one that was put in first.
struct PriorityQueue<Element> {
  private struct Entry {
    var due: Double
    var order: Int
    var element: Element

    func comes(before other: Entry) -> Bool { due != other.due ? due < other.due : order < other.order }
  }

  private var heap: [Entry] = []
  private var order = 0

  /// The time at which the next is due; never, if there is none.
  var due: Double { heap.first?.due ?? .infinity }

  mutating func insert(_ element: Element, due: Double) {
    order += 1
    heap.append(Entry(due: due, order: order, element: element))
    var child = heap.count - 1
    while child > 0, heap[child].comes(before: heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the earliest; there must be one.
  mutating func remove() -> (due: Double, element: Element) {
    heap.swapAt(0, heap.count - 1)
    let earliest = heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].comes(before: heap[least]) {
        least = child
      }
      if least == parent { return (earliest.due, earliest.element) }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
