import HTTP
import Synchronization

/// Items that other threads have for a loop, up to a limit.
final class Mailbox<Element: Sendable>: Sendable {
  private let events: EventLoop
  private let capacity: Int
  private let elements = Mutex<[Element]>([])

  /// The loop looks into it in its `onWake`.
  init(_ events: EventLoop, capacity: Int = .max) {
    self.events = events
    self.capacity = capacity
  }

  /// Any thread.
  ///
  /// - Returns: false if it is full.
  @discardableResult
  func put(_ element: Element) -> Bool {
    let isIn = elements.withLock { elements in
      if elements.count < capacity { elements.append(element) } else { return false }
      return true
    }
    if isIn { events.wake() }
    return isIn
  }

  /// Called in the loop.
  func take() -> [Element] {
    elements.withLock { elements in
      defer { elements = [] }
      return elements
    }
  }
}
