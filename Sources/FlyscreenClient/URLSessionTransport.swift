import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Streams over the system's HTTP, by a delegate: what is there on Apple's systems and on Linux alike.
package final class URLSessionTransport: StreamTransport {
  private let session: URLSession
  private let receiver: Receiver

  package init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpMaximumConnectionsPerHost = 32
    // A stream lasts, and who reads it tells when it has been silent for too long.
    configuration.timeoutIntervalForRequest = 24 * 3600
    configuration.timeoutIntervalForResource = 7 * 24 * 3600
    receiver = Receiver()
    session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
  }

  /// The session keeps its delegate until it is told to end.
  deinit { session.invalidateAndCancel() }

  package func open(_ request: StreamRequest) -> AsyncThrowingStream<StreamPart, any Error> {
    AsyncThrowingStream { continuation in
      var asked = URLRequest(url: request.url)
      for (name, value) in request.headers { asked.setValue(value, forHTTPHeaderField: name) }
      if let body = request.body {
        asked.httpMethod = "POST"
        asked.httpBody = body
      }
      let task = session.dataTask(with: asked)
      receiver.register(continuation, for: task.taskIdentifier)
      // The session lives as long as somebody reads.
      continuation.onTermination = { [self] _ in withExtendedLifetime(self) { task.cancel() } }
      task.resume()
    }
  }
}

private final class Receiver: NSObject, URLSessionDataDelegate {
  typealias Continuation = AsyncThrowingStream<StreamPart, any Error>.Continuation

  private let continuations = Mutex<[Int: Continuation]>([:])

  func register(_ continuation: Continuation, for task: Int) {
    continuations.withLock { $0[task] = continuation }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let http = response as? HTTPURLResponse
    let retryAfter = http?.value(forHTTPHeaderField: "Retry-After") ?? ""
    let head = StreamHead(
      status: http?.statusCode ?? 0, contentType: http?.value(forHTTPHeaderField: "Content-Type") ?? "",
      retryAfter: StreamHead.wait(retryAfter: retryAfter, now: Date()))
    continuation(of: dataTask)?.yield(.head(head))
    completionHandler(.allow)
  }

  /// A redirect is none of the gateway's, and would take the token elsewhere.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    continuation(of: dataTask)?.yield(.bytes(Array(data)))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let continuation = continuations.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    continuation?.finish(throwing: error.map { StreamBroken($0.localizedDescription) })
  }

  private func continuation(of task: URLSessionTask) -> Continuation? {
    continuations.withLock { $0[task.taskIdentifier] }
  }
}
