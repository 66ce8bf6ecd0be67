import JSON
import RoomModel
import RoomScreen

/// A signed token as it travels (RFC 7515, section 7.1), taken apart and not yet believed.
struct CompactToken {
  /// The most bytes of a token: more would not fit in a header of a request.
  static var maxCount: Int { 8192 }

  let text: String
  let algorithm: String
  let keyId: ID?
  /// JSON, not yet read.
  let claims: [UInt8]

  init(_ text: String) throws(TokenRefusal) {
    guard text.utf8.count <= Self.maxCount else { throw .tooLong }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64.decodeURL(parts[0]), let claims = Base64.decodeURL(parts[1]),
      Base64.decodeURL(parts[2]) != nil
    else { throw .notAToken }
    self.text = text
    self.claims = claims
    (algorithm, keyId) = try Self.read(header)
  }

  /// Whether a text of the claims has the character U+0000: libjwt reads no such token, and says nothing of why.
  var hasNUL: Bool {
    var rest = claims[...]
    while let place = rest.firstIndex(of: UInt8(ascii: "\\")) {
      if rest[place...].starts(with: #"\u0000"#.utf8) { return true }
      // A backslash that is escaped begins no escape.
      rest = rest[min(place + 2, rest.endIndex)...]
    }
    return false
  }

  private static func read(_ header: [UInt8]) throws(TokenRefusal) -> (algorithm: String, keyId: ID?) {
    var algorithm: String?
    var keyId: ID?
    try JSONObject.forEach(in: header, else: .badHeader) { (name, value) throws(TokenRefusal) in
      switch name {
      case "alg": algorithm = value.text?.description
      case "kid":
        guard let text = value.text else { throw .badKeyId }
        keyId = ID(text.description)
      case "typ":
        // libjwt takes no other, whatever RFC 9068 says.
        guard value.text?.description.uppercased() == "JWT" else { throw .badType }
      case "crit": throw .critical
      default: break
      }
    }
    guard let algorithm else { throw .wrongAlgorithm }
    return (algorithm, keyId)
  }
}
