package import HTTP

/// Who may see which rooms: every request passes here, once, before anything else is looked at.
package protocol Authorizer: Sendable {
  /// Called on any of the loops, for each request but those of probes and of the page's own files.
  ///
  /// - Parameter rooms: that the request names; none for a list of rooms.
  func authorize(_ request: Request, rooms: [String]) -> Authorization
}

package enum Authorization: Sendable {
  case allowed(Permit)
  /// Of status 401 or 403, with its reason.
  case refused(Response)
}

/// What a request may do.
package struct Permit: Sendable {
  /// Milliseconds since 1970: a stream ends then.
  package var untilMs: Int64
  /// Who asks; nil: it was not asked.
  package var user: String?
  /// Which rooms may be told of.
  package var mayName: @Sendable (String) -> Bool

  package init(
    untilMs: Int64 = .max, user: String? = nil, mayName: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.untilMs = untilMs
    self.user = user
    self.mayName = mayName
  }
}

/// Everybody may see everything: where no keys are set.
package struct AllowAll: Authorizer {
  package init() {}

  package func authorize(_ request: Request, rooms: [String]) -> Authorization { .allowed(Permit()) }
}
