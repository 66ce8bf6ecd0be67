import RoomScreen
import Testing
import Tokens

/// Every way in which a token is not what it says, and a few in which it is.
struct VerifierTests {
  static let now: Int64 = 1_700_000_000
  private static let secret = "0123456789abcdef0123456789abcdef"
  private static let hmac = Signer(secret: secret.utf8)
  private static let keys = keysOf(["h.secret": secret, "r.pem": Signer.rsa.publicPEM, "e.pem": Signer.p256.publicPEM])

  static let good = #"{"sub":"u7","exp":1700000060,"rooms":["live-*","lobby"]}"#

  private func claims(
    _ token: String, _ keys: Keys = Self.keys, rules: Verifier.Rules = .init()
  ) throws(TokenRefusal) -> Claims {
    try Verifier(rules: rules).claims(of: token, keys: keys, now: Self.now)
  }

  private static let signers = [("h", hmac), ("r", Signer.rsa), ("e", Signer.p256)]

  @Test(arguments: signers)
  func aTokenOfAKeySaysWhoMaySeeWhatAndHowLong(kid: String, signer: Signer) throws {
    let claims = try claims(signer.token(kid: kid, claims: Self.good))
    #expect(claims.subject == "u7")
    #expect(claims.expiresAt == 1_700_000_060)
    #expect(claims.rooms.contains("live-1") && claims.rooms.contains("lobby"))
    #expect(!claims.rooms.contains("lobby2"))
  }

  @Test(arguments: signers)
  func whatIsChangedInATokenIsNoticed(kid: String, signer: Signer) {
    let token = Array(signer.token(kid: kid, claims: Self.good).utf8)
    var numbers = SystemRandomNumberGenerator()
    // Each character but the dots once to another one, and any number of random cuts, swaps and runs.
    for at in token.indices {
      var changed = token
      repeat { changed[at] = "ABCyz019-_.".utf8.randomElement(using: &numbers)! } while changed[at] == token[at]
      expectRefused(changed)
    }
    for _ in 0..<400 {
      var changed = token
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        let from = changed.indices.randomElement(using: &numbers)!
        let count = Int.random(in: 1...min(8, changed.count - from), using: &numbers)
        switch Int.random(in: 0...2, using: &numbers) {
        case 0: changed.removeSubrange(from..<(from + count))
        case 1: changed.insert(contentsOf: changed[from..<(from + count)], at: from)
        default: changed.swapAt(from, changed.indices.randomElement(using: &numbers)!)
        }
        if changed.isEmpty { break }
      }
      if changed != token { expectRefused(changed) }
    }
  }

  private func expectRefused(_ token: [UInt8]) {
    let token = String(decoding: token, as: UTF8.self)
    #expect(throws: TokenRefusal.self, "\(token)") { try claims(token) }
  }

  @Test(arguments: signers)
  func aSignatureIsNoLongerOrShorterThanItIs(kid: String, signer: Signer) {
    let token = signer.token(kid: kid, claims: Self.good)
    let unsigned = token[...token.lastIndex(of: ".")!]
    for changed in [
      String(token.dropLast()), String(token.dropLast(4)), String(unsigned), String(unsigned.dropLast()), token + "A",
      token + "AAAA", token + "=", token + ".", token + "." + token, token + "\n", token + " ",
    ] {
      #expect(throws: TokenRefusal.self, "\(changed)") { try claims(changed) }
    }
  }

  /// Its last character has bits that no byte needs.
  @Test(arguments: signers)
  func aSignatureIsSpelledOneWay(kid: String, signer: Signer) {
    let token = signer.token(kid: kid, claims: Self.good)
    for last in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" where last != token.last {
      #expect(throws: TokenRefusal.self) { try claims(token.dropLast() + String(last)) }
    }
  }

  @Test func noAlgorithmIsNone() {
    for name in ["none", "None", "NONE", ""] {
      let header = #"{"alg":"\#(name)","typ":"JWT","kid":"h"}"#
      let unsigned = base64URL(header.utf8) + "." + base64URL(Self.good.utf8) + "."
      #expect(throws: TokenRefusal.wrongAlgorithm) { try claims(unsigned) }
      #expect(throws: TokenRefusal.wrongAlgorithm) { try claims(Self.hmac.token(header: header, claims: Self.good)) }
    }
    #expect(throws: TokenRefusal.wrongAlgorithm) {
      try claims(Self.hmac.token(header: #"{"kid":"h"}"#, claims: Self.good))
    }
  }

  /// A public key is known to all: its text must not do as a secret.
  @Test(arguments: [("r", Signer.rsa), ("e", Signer.p256)])
  func aPublicKeyIsNobodysSecret(kid: String, signer: Signer) {
    for text in [signer.publicPEM, String(signer.publicPEM.dropLast())] {
      let token = Signer(secret: text.utf8).token(kid: kid, claims: Self.good)
      #expect(throws: TokenRefusal.wrongAlgorithm) { try claims(token) }
    }
  }

  @Test(arguments: ["HS384", "HS512", "RS384", "PS256", "ES384", "hs256", "HS256 ", "EdDSA"])
  func aKeyTakesOneAlgorithmSpelledOneWay(algorithm: String) {
    let header = #"{"alg":"\#(algorithm)","kid":"h"}"#
    #expect(throws: TokenRefusal.wrongAlgorithm) { try claims(Self.hmac.token(header: header, claims: Self.good)) }
  }

  @Test func aTokenOfAnotherKeyIsNotTaken() {
    #expect(throws: TokenRefusal.badSignature) { try claims(Signer.otherRSA.token(kid: "r", claims: Self.good)) }
    #expect(throws: TokenRefusal.wrongAlgorithm) { try claims(Signer.rsa.token(kid: "e", claims: Self.good)) }
  }

  @Test(arguments: ["../r", "r.pem", "/etc/passwd", "", "R", "r\\u0000", "r\\n", "h/../r"])
  func aKeyIsFoundByItsIdAlone(kid: String) {
    #expect(throws: TokenRefusal.unknownKey) { try claims(Signer.rsa.token(kid: kid, claims: Self.good)) }
  }

  @Test func anIdThatIsNoTextNamesNoKey() {
    for kid in ["1", "null", #"["r"]"#, "{}"] {
      let token = Signer.rsa.token(header: #"{"alg":"RS256","kid":\#(kid)}"#, claims: Self.good)
      #expect(throws: TokenRefusal.badKeyId) { try claims(token) }
    }
  }

  @Test func aTokenThatNamesNoKeyIsTakenForTheOnlyOnes() throws {
    let token = Signer.rsa.token(claims: Self.good)
    #expect(throws: TokenRefusal.noKeyId) { try claims(token) }
    #expect(try claims(token, keysOf(["r.pem": Signer.rsa.publicPEM])).subject == "u7")
  }

  @Test(arguments: [
    #"{"alg":"HS256","kid":"h","crit":["exp"]}"#, #"{"alg":"HS256","kid":"h","typ":"JWE"}"#,
    #"{"alg":"HS256","kid":"h","typ":1}"#, #"{"alg":"HS256","kid":"h","alg":"HS256"}"#,
    #"{"alg":"HS256","kid":"h","kid":"r"}"#, #"{"alg":"HS256","kid":"h"} "x""#, #"["alg","HS256"]"#, "", "{",
    #"{"alg":["HS256"],"kid":"h"}"#, "\u{FEFF}" + #"{"alg":"HS256","kid":"h"}"#,
  ])
  func aHeaderIsAllUnderstoodOrRefused(header: String) {
    #expect(throws: TokenRefusal.self) { try claims(Self.hmac.token(header: header, claims: Self.good)) }
  }

  private func hmacClaims(_ json: String, rules: Verifier.Rules = .init()) throws(TokenRefusal) -> Claims {
    try claims(Self.hmac.token(kid: "h", claims: json), rules: rules)
  }

  @Test func timesHoldToTheSecond() throws {
    _ = try hmacClaims(#"{"exp":1700000001}"#)
    _ = try hmacClaims(#"{"exp":1700000001.5,"nbf":1700000030,"iat":1700000030.0}"#)
    #expect(throws: TokenRefusal.expired) { try hmacClaims(#"{"exp":1700000000}"#) }
    #expect(throws: TokenRefusal.expired) { try hmacClaims(#"{"exp":0}"#) }
    #expect(throws: TokenRefusal.notYet) { try hmacClaims(#"{"exp":1800000000,"nbf":1700000031}"#) }
    #expect(throws: TokenRefusal.notYet) { try hmacClaims(#"{"exp":1800000000,"iat":1700000031}"#) }
    #expect(throws: TokenRefusal.noExpiry) { try hmacClaims(#"{"sub":"u7"}"#) }
  }

  @Test(arguments: [#""1800000000""#, "null", "-1", "1e300", "18446744073709551615", "true", "[1800000000]"])
  func whatIsNoTimeIsRefused(time: String) {
    for claim in ["exp", "nbf", "iat"] {
      let others = claim == "exp" ? "" : #","exp":1800000000"#
      #expect(throws: TokenRefusal.self) { try hmacClaims(#"{"\#(claim)":\#(time)\#(others)}"#) }
    }
  }

  @Test(arguments: [
    #"{"exp":1800000000,"exp":1700000001}"#, #"{"exp":1800000000,"rooms":["a"],"rooms":["*"]}"#,
    #"{"exp":1800000000,"ro\u006fms":["a"],"rooms":["*"]}"#, "", "[]", #""exp""#, #"{"exp":1800000000"#,
    #"{"exp":1800000000}{"exp":1800000000}"#,
  ])
  func claimsAreOneObjectThatNamesEachOnce(json: String) {
    #expect(throws: TokenRefusal.self) { try hmacClaims(json) }
  }

  @Test(arguments: [#""*""#, "null", "{}", #"["a",1]"#, #"[["*"]]"#, "true", #"[null]"#])
  func roomsAreAListOfTextsAndNothingElse(rooms: String) {
    #expect(throws: TokenRefusal.badRooms) { try hmacClaims(#"{"exp":1800000000,"rooms":\#(rooms)}"#) }
  }

  @Test func aTokenWithoutRoomsNamesNone() throws {
    #expect(try !hmacClaims(#"{"exp":1800000000}"#).rooms.contains("a"))
    #expect(try !hmacClaims(#"{"exp":1800000000,"rooms":[]}"#).rooms.contains(""))
  }

  @Test func aSubjectIsAText() {
    #expect(throws: TokenRefusal.badSubject) { try hmacClaims(#"{"exp":1800000000,"sub":7}"#) }
  }

  @Test func whoSpeaksForAnybodySaysSoWithAStar() throws {
    #expect(try hmacClaims(#"{"exp":1800000000,"as":"*"}"#).speaksForAnybody)
    for text in [#""7""#, #""""#, #""**""#, "true"] {
      #expect(throws: TokenRefusal.badAs) { try hmacClaims(#"{"exp":1800000000,"as":\#(text)}"#) }
    }
  }

  @Test func aTokenWithNULInATextIsToldFromAForgedOne() throws {
    for claim in [#""sub":"u\u0000""#, #""sub":"\\\u0000""#, #""rooms":["\u0000"]"#] {
      #expect(throws: TokenRefusal.hasNUL) { try hmacClaims(#"{"exp":1800000000,\#(claim)}"#) }
    }
    #expect(try hmacClaims(#"{"exp":1800000000,"sub":"u\\u0000"}"#).subject == #"u\u0000"#)
    let forged = Signer.otherRSA.token(kid: "r", claims: #"{"exp":1800000000,"sub":"\n\\"}"#)
    #expect(throws: TokenRefusal.badSignature) { try claims(forged) }
  }

  @Test func whereOneIsAskedForATokenIsFromAndForThatOne() throws {
    let rules = Verifier.Rules(issuer: "https://id.example", audience: "flyscreen")
    let times = #""exp":1800000000"#
    _ = try hmacClaims(#"{\#(times),"iss":"https://id.example","aud":"flyscreen"}"#, rules: rules)
    _ = try hmacClaims(#"{\#(times),"iss":"https://id.example","aud":["a","flyscreen"]}"#, rules: rules)
    #expect(throws: TokenRefusal.wrongIssuer) { try hmacClaims(#"{\#(times),"aud":"flyscreen"}"#, rules: rules) }
    #expect(throws: TokenRefusal.wrongIssuer) {
      try hmacClaims(#"{\#(times),"iss":"https://id.example/","aud":"flyscreen"}"#, rules: rules)
    }
    for aud in ["", #","aud":"flyscreen2""#, #","aud":[]"#, #","aud":1"#, #","aud":["flyscreen",1]"#] {
      #expect(throws: TokenRefusal.wrongAudience) {
        try hmacClaims(#"{\#(times),"iss":"https://id.example"\#(aud)}"#, rules: rules)
      }
    }
  }

  @Test func aTokenHasABound() throws {
    func padded(_ count: Int) -> String {
      Self.hmac.token(kid: "h", claims: #"{"exp":1800000000,"pad":"\#(String(repeating: "x", count: count))"}"#)
    }
    _ = try claims(padded(5900))
    #expect(throws: TokenRefusal.tooLong) { try claims(padded(6200)) }
    #expect(throws: TokenRefusal.tooLong) { try claims(String(repeating: ".", count: 1_000_000)) }
  }

  @Test func nestingHasABound() {
    let deep = String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)
    #expect(throws: TokenRefusal.badClaims) { try hmacClaims(#"{"exp":1800000000,"x":\#(deep)}"#) }
  }

  @Test(arguments: [
    "", ".", "..", "...", "a.b.c", "e30.e30.", "eyJ.eyJ.eyJ", "e30=.e30.e30", "é.e30.e30", "e30.e30.e30.e30.e30",
    "\u{0}", "Bearer x",
  ])
  func whatIsNoTokenIsRefused(text: String) {
    #expect(throws: TokenRefusal.self) { try claims(text) }
  }
}
