package import Foundation

/// The source of a stream's bytes: HTTP, or a test's script.
package protocol StreamTransport: Sendable {
  /// Sends the request; first comes what the answer's head says, then its bytes as they come. It is given up when
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
  /// The header `Retry-After`, if it is a number of seconds.
  package var retryAfter: Duration?

  package init(status: Int, contentType: String = "text/event-stream", retryAfter: Duration? = nil) {
    self.status = status
    self.contentType = contentType
    self.retryAfter = retryAfter
  }
}

/// The end of a connection, in words.
package struct StreamBroken: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
