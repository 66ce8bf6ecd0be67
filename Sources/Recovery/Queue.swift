/// First in, first out, over one array whose spent front goes when it is half of it.
struct Queue<Element> {
  private var elements: [Element] = []
  private var start = 0

  var first: Element? { start < elements.count ? elements[start] : nil }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func removeFirst() {
    start += 1
    if start * 2 > elements.count, start > 32 {
      elements.removeFirst(start)
      start = 0
    }
  }
}
