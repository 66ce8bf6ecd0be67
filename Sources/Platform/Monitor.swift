internal import Glibc

/// A value that threads change one at a time, and that they wait for.
///
/// Sendable since whoever reads or changes the value holds its lock.
package final class Monitor<Value: Sendable>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  package func read<Result>(_ body: (Value) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(value)
  }

  /// Changes it, and has all that wait look again.
  package func change(_ body: (inout Value) -> Void) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    body(&value)
    pthread_cond_broadcast(changed)
  }

  /// Waits until `body` gives something.
  package func wait<Result>(for body: (Value) -> Result?) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let result = body(value) { return result }
      pthread_cond_wait(changed, lock)
    }
  }
}
