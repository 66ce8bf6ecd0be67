import CRdKafka
import Synchronization

/// Ends a consumer's wait from any thread: the `receive` that waits, or the next, returns at once.
///
/// Sendable since librdkafka's queue is behind its own lock, and ours keeps it from being freed meanwhile.
package final class ConsumerWaker: Sendable {
  private struct Queue: @unchecked Sendable { var handle: OpaquePointer? }
  private let queue: Mutex<Queue>

  init(_ queue: OpaquePointer) { self.queue = Mutex(Queue(handle: queue)) }

  package func wake() {
    queue.withLock { if let handle = $0.handle { rd_kafka_queue_yield(handle) } }
  }

  func retire() { queue.withLock { $0.handle = nil } }
}
