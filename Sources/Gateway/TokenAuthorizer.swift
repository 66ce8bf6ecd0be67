package import HTTP
internal import Platform
package import RoomScreen
internal import Settings
import RoomModel
package import Tokens

/// Lets those in whose token names the rooms. It comes as `Authorization: Bearer` or, since a browser's EventSource
/// sends no headers, as `access_token` in the query; the header counts if there are both.
package struct TokenAuthorizer: Authorizer {
  private let keys: KeyFolder
  private let verifier: Verifier

  package init(keys: KeyFolder, verifier: Verifier) {
    self.keys = keys
    self.verifier = verifier
  }

  package func authorize(_ request: Request, rooms: [ID]) -> Authorization {
    guard let token = Self.token(of: request) else {
      return Self.unauthorized("a token is needed: Authorization: Bearer, or access_token in the query", "")
    }
    let claims: Claims
    do throws(TokenRefusal) {
      claims = try verifier.claims(of: token, keys: keys.keys, now: WallClock.nowMs() / 1000)
    } catch {
      let reason = error.rawValue
      return Self.unauthorized(reason, #", error="invalid_token", error_description="\#(reason)""#)
    }
    if let room = rooms.first(where: { !claims.rooms.contains($0) }) {
      return Self.forbidden("the token's rooms don't name \(room)")
    }
    if let user = request.target["user"], ID(user) != claims.subject {
      return Self.forbidden("user is not the token's sub")
    }
    return .allowed(
      Permit(
        untilMs: claims.expiresAt * 1000, poster: Self.poster(claims),
        // A kind that isn't known here is a newer server's.
        kinds: claims.events.map { words in EventKind.allCases.filter { words.contains($0.rawValue) } },
        mayName: { claims.rooms.contains($0) }))
  }

  private static func poster(_ claims: Claims) -> Poster {
    if claims.speaksForAnybody { return .platform }
    guard let subject = claims.subject, !subject.isEmpty else { return .nameless }
    return .viewer(.init(id: subject, name: claims.name, avatarURL: claims.avatarURL))
  }

  private static func token(of request: Request) -> String? {
    if let header = request.header("Authorization") {
      let words = header.split(separator: " ", maxSplits: 1)
      if words.count == 2, words[0].lowercased() == "bearer" { return words[1].trimmed }
    }
    return request.target["access_token"]
  }

  /// The challenge as RFC 6750 has it.
  ///
  /// - Parameter more: of the challenge; our own words alone.
  private static func unauthorized(_ message: String, _ more: String) -> Authorization {
    .refused(
      .refusal(
        .unauthorized, "unauthorized", message,
        headers: [.init("WWW-Authenticate", #"Bearer realm="flyscreen""# + more)]))
  }

  private static func forbidden(_ message: String) -> Authorization {
    .refused(.refusal(.forbidden, "forbidden", message))
  }
}
