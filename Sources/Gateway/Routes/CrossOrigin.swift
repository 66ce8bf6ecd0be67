import HTTP
import RoomScreen

/// Decides which pages of other origins may ask (CORS).
struct CrossOrigin: Sendable {
  private let origins: [String]
  private let isOpen: Bool

  init(_ origins: [String]) {
    self.origins = origins
    isOpen = origins.contains("*")
  }

  /// The headers for the answer to this request. Tokens travel in a header or the query, never in cookies, so a page of
  /// another origin learns nothing that it could not ask for by itself.
  func headers(for request: Request) -> [Response.Header] {
    if isOpen { return allowing("*") }
    if origins.isEmpty { return [] }
    let vary = Response.Header("Vary", "Origin")
    guard let origin = request.header("Origin"), origins.contains(origin) else { return [vary] }
    return allowing(origin) + [vary]
  }

  /// Of an answer's headers a browser shows a page of another origin only a few, and those that are named here.
  private func allowing(_ origin: String) -> [Response.Header] {
    [.init("Access-Control-Allow-Origin", origin), .init("Access-Control-Expose-Headers", "Retry-After")]
  }

  /// Answers what a browser asks before it asks.
  ///
  /// - Parameter method: the method that the address has.
  func preflight(_ request: Request, _ method: Request.Method) -> Response {
    Response(
      .noContent,
      headers(for: request) + [
        .init("Access-Control-Allow-Methods", method == .post ? "POST" : "GET, HEAD"),
        .init("Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID"),
        .init("Access-Control-Max-Age", "600"), .init("Allow", method.allowed),
      ])
  }
}

extension Request.Method {
  /// The methods of an address that has this one.
  var allowed: String { self == .post ? "POST, OPTIONS" : "GET, HEAD, OPTIONS" }
}
