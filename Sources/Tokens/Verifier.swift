package import RoomScreen

/// Tells whether a token is to be believed.
package struct Verifier: Sendable {
  /// The issuer and the audience that a token must name; nil: any.
  package struct Rules: Sendable {
    package var issuer: ID?
    package var audience: ID?

    package init(issuer: ID? = nil, audience: ID? = nil) {
      self.issuer = issuer
      self.audience = audience
    }
  }

  /// The issuer's clock may be ahead of ours by this. A token's end is not moved by it.
  static var leewaySeconds: Int64 { 30 }

  private let rules: Rules

  package init(rules: Rules = Rules()) {
    self.rules = rules
  }

  /// `now` in seconds since 1970. The key is chosen by the token's kid, and the key alone says which algorithm there
  /// is: a token that could choose it would have a public key taken for a secret.
  package func claims(of token: String, keys: Keys, now: Int64) throws(TokenRefusal) -> Claims {
    let token = try CompactToken(token)
    let key = try keys.key(of: token.keyId)
    guard token.algorithm == key.algorithm.rawValue else { throw .wrongAlgorithm }
    guard key.isSigner(of: token) else { throw token.hasNUL ? .hasNUL : .badSignature }
    let claims = try Claims(token.claims)
    guard now < claims.expiresAt else { throw .expired }
    for beginning in [claims.notBefore, claims.issuedAt] {
      if let beginning, now + Self.leewaySeconds < beginning { throw .notYet }
    }
    if let issuer = rules.issuer, claims.issuer != issuer { throw .wrongIssuer }
    if let audience = rules.audience, !claims.audience.contains(audience) { throw .wrongAudience }
    return claims
  }
}
