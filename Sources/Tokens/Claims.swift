import JSON
import RoomModel
package import RoomScreen

/// The claims of a verified token. Times are seconds since 1970.
package struct Claims: Equatable, Sendable {
  /// The user it was given to (`sub`); nil: nobody in particular.
  package private(set) var subject: ID?
  /// The token is refused from this time on.
  package private(set) var expiresAt: Int64
  package private(set) var rooms = RoomNames()
  /// Name and picture of the user; nil: the token has none, or none of anything that can be seen.
  package private(set) var name: String?
  package private(set) var avatarURL: String?
  /// Kinds of events that the user may post; nil: the gateway's setting counts.
  package private(set) var events: [String]?
  /// `as` is `"*"`: a platform's own server, which speaks for anybody.
  package private(set) var speaksForAnybody = false
  var notBefore: Int64?
  var issuedAt: Int64?
  var issuer: ID?
  var audience: [ID] = []

  /// - Parameter json: an object.
  package init(_ json: [UInt8]) throws(TokenRefusal) {
    var expiresAt: Int64?
    var claims = Claims(expiresAt: 0)
    try JSONObject.forEach(in: json, else: .badClaims) { (name, value) throws(TokenRefusal) in
      switch name {
      case "sub":
        guard let text = value.text else { throw .badSubject }
        claims.subject = ID(text.description)
      case "exp": expiresAt = try Self.seconds(value)
      case "nbf": claims.notBefore = try Self.seconds(value)
      case "iat": claims.issuedAt = try Self.seconds(value)
      case "iss":
        guard let text = value.text else { throw .wrongIssuer }
        claims.issuer = ID(text.description)
      case "aud":
        guard let audience = value.text.map({ [ID($0.description)] }) ?? Self.texts(value)?.map({ ID($0) }) else {
          throw .wrongAudience
        }
        claims.audience = audience
      case "rooms":
        guard let names = Self.texts(value) else { throw .badRooms }
        claims.rooms = RoomNames(names)
      case "name": claims.name = try Self.text(value, else: .badName)
      case "avatarUrl": claims.avatarURL = try Self.text(value, else: .badName)
      case "events":
        guard let kinds = Self.texts(value) else { throw .badEvents }
        claims.events = kinds
      case "as":
        guard value.text?.description == "*" else { throw .badAs }
        claims.speaksForAnybody = true
      default: break
      }
    }
    guard let expiresAt else { throw .noExpiry }
    claims.expiresAt = expiresAt
    self = claims
  }

  private init(expiresAt: Int64) {
    self.expiresAt = expiresAt
  }

  /// A NumericDate (RFC 7519, section 2), which may have a fraction.
  private static func seconds(_ value: JSONValue) throws(TokenRefusal) -> Int64 {
    let most: Int64 = 1 << 53
    if let seconds = value.integer, (0...most).contains(seconds) { return seconds }
    if let seconds = value.double, (0...Double(most)).contains(seconds) { return Int64(seconds) }
    throw .badTime
  }

  /// Nil where it is null or nothing of it can be seen, as if it were absent.
  private static func text(_ value: JSONValue, else refusal: TokenRefusal) throws(TokenRefusal) -> String? {
    if value.isNull { return nil }
    guard let text = value.text else { throw refusal }
    return text.isVisible ? text.description : nil
  }

  /// nil: not a list of texts.
  private static func texts(_ value: JSONValue) -> [String]? {
    guard let elements = value.elements else { return nil }
    var texts: [String] = []
    for element in elements {
      guard let text = element.text else { return nil }
      texts.append(text.description)
    }
    return texts
  }
}
