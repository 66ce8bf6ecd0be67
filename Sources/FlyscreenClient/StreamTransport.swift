package import Foundation

/// The source of a stream's bytes: HTTP, or a test's script.
package protocol StreamTransport: Sendable {
  /// Sends the request, and follows no redirect; first comes what the answer's head says, then its bytes as they come. It is given up when
  /// nobody reads any more.
  func open(_ request: StreamRequest) -> AsyncThrowingStream<StreamPart, any Error>
}

package struct StreamRequest: Sendable, Equatable {
  package var url: URL
  package var headers: [String: String]
  /// The body of a POST; nil: the request is a GET.
  package var body: Data?

  package init(url: URL, headers: [String: String], body: Data? = nil) {
    self.url = url
    self.headers = headers
    self.body = body
  }
}

package enum StreamPart: Sendable {
  case head(StreamHead)
  case bytes([UInt8])
}

package struct StreamHead: Sendable {
  package var status: Int
  package var contentType: String
  /// The wait that the header `Retry-After` asks for.
  package var retryAfter: Duration?

  package init(status: Int, contentType: String = "text/event-stream", retryAfter: Duration? = nil) {
    self.status = status
    self.contentType = contentType
    self.retryAfter = retryAfter
  }

  /// The wait that a `Retry-After` asks for: a number of seconds, or an HTTP date. `Tests/ClientCases/retry-after.json`
  /// has the cases.
  package static func wait(retryAfter header: String, now: Date) -> Duration? {
    let text = header.trimmingCharacters(in: .whitespaces)
    if let seconds = Int64(text) { return seconds > 0 ? .seconds(seconds) : nil }
    let form = DateFormatter()
    form.locale = Locale(identifier: "en_US_POSIX")
    form.timeZone = TimeZone(secondsFromGMT: 0)
    form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    guard let seconds = form.date(from: text)?.timeIntervalSince(now), seconds > 0 else { return nil }
    return .milliseconds(Int64(seconds * 1000))
  }
}

/// The end of a connection, in words.
package struct StreamBroken: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
