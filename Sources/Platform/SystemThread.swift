internal import Glibc

/// A thread of the operating system, which may block. Signals are not for it: they are the main thread's, and a
/// SIGPIPE of a peer that went away stays pending and harms nobody.
package struct SystemThread: Sendable {
  private let thread: pthread_t

  package init(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { argument in
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(Body(body)).toOpaque())
    precondition(status == 0, "no thread can be had: \(SystemError(code: status))")
    self.thread = thread
  }

  /// Waits for its end. Once only.
  package func join() { pthread_join(thread, nil) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
