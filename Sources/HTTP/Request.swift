/// A request that has come whole, and is still to be answered: once, now or later, in the loop it came in.
package struct Request {
  package enum Method: Equatable, Sendable { case get, head, post, options, other }

  package let method: Method
  package let target: RequestTarget
  private let exchange: Exchange

  init(_ method: Method, _ target: RequestTarget, _ exchange: Exchange) {
    self.method = method
    self.target = target
    self.exchange = exchange
  }

  /// The address that the connection comes from, as digits.
  package var peer: String { exchange.peer }

  /// The first header of this name, whatever its letter case. Until the answer only.
  package func header(_ name: String) -> String? { exchange.header(name) }

  /// The values of all headers of this name, as if they had come as one.
  package func headerList(_ name: String) -> String { exchange.headers(name).joined(separator: ",") }

  /// The body; it may be read only before the answer.
  package func body() -> [UInt8] { exchange.body() }

  /// Answers; HEAD gets no body. If the client has gone meanwhile, nothing happens.
  package func respond(_ response: Response) { exchange.respond(response) }

  /// Answers with a stream of events, which is `owner`'s and begins with `first`. Nil if the client has gone; or if the
  /// server drains: then the stream has ended after `first`, and its client goes on elsewhere.
  package func openStream(
    _ headers: [Response.Header], first: [EventFrame], owner: any EventStreamOwner
  ) -> EventStream? {
    exchange.openStream(headers, first: first, owner: owner)
  }
}
