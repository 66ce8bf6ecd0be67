package import HTTP

/// The paths of probes and their answers; the same on every server.
package struct ProbeRoutes: Sendable {
  /// nil: all is well; else why not, in a few words.
  package typealias Check = @Sendable () -> String?

  private let health: Check
  private let readiness: Check
  private let metrics: Metrics

  package init(
    health: @escaping Check = { nil }, readiness: @escaping Check, metrics: Metrics
  ) {
    self.health = health
    self.readiness = readiness
    self.metrics = metrics
  }

  package func response(to request: Request) -> Response {
    guard request.method == .get || request.method == .head else {
      var refusal = Self.text(.methodNotAllowed, "only GET and HEAD\n")
      refusal.headers.append(.init("Allow", "GET, HEAD"))
      return refusal
    }
    return response(path: request.target.words)
      ?? Self.text(.notFound, "there are /healthz, /readyz and /metrics\n")
  }

  /// Nil if it is none of theirs.
  package func response(path: [String]) -> Response? {
    switch path {
    case ["healthz"]: Self.response(health())
    case ["readyz"]: Self.response(readiness())
    case ["metrics"]:
      Response(.ok, contentType: "text/plain; version=0.0.4; charset=utf-8", Array(metrics.text().utf8))
    default: nil
    }
  }

  private static func response(_ trouble: String?) -> Response {
    if let trouble { return text(.serviceUnavailable, trouble + "\n") }
    return text(.ok, "ok\n")
  }

  private static func text(_ status: Status, _ text: String) -> Response {
    Response(status, contentType: "text/plain; charset=utf-8", Array(text.utf8))
  }
}
