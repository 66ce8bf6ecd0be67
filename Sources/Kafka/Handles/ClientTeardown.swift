import CRdKafka
import Glibc
import Platform

/// Destroys a client on a thread that can be left behind, with what its callbacks still need.
///
/// Shared by two threads, and safe so: what it holds never changes, and the semaphore is made for it.
final class ClientTeardown: @unchecked Sendable {
  private let handle: OpaquePointer
  private let inbox: Inbox
  private let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(handle: OpaquePointer, inbox: Inbox) {
    self.handle = handle
    self.inbox = inbox
    sem_init(done, 0, 0)
  }

  deinit {
    sem_destroy(done)
    done.deallocate()
  }

  /// `false` if librdkafka's threads had not ended in time.
  func run(boundMs: Int) -> Bool {
    var thread = pthread_t()
    let body = Unmanaged.passRetained(self)
    let refused = pthread_create(
      &thread, nil,
      {
        let teardown = Unmanaged<ClientTeardown>.fromOpaque($0!).takeRetainedValue()
        // A group is left by `close`; a consumer that was not closed goes as in a crash, without waiting for anyone.
        rd_kafka_destroy_flags(teardown.handle, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
        sem_post(teardown.done)
        return nil
      }, body.toOpaque())
    guard refused == 0 else {
      body.release()
      return false
    }
    pthread_detach(thread)
    let endMs = MonotonicClock.nowMs() + Int64(boundMs)
    // A semaphore that waits does so by the wall clock, which may be set back meanwhile.
    while sem_trywait(done) != 0 {
      guard MonotonicClock.nowMs() < endMs else { return false }
      usleep(1000)
    }
    return true
  }
}
