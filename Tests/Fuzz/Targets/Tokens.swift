import RoomScreen
import Tokens

/// Tokens, which say who asks.
extension FuzzTarget {
  static let tokens = [
    FuzzTarget("tokens") {
      [
        // {"alg":"HS256","typ":"JWT"}, {"exp":1}, and no signature.
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjF9.AAAA",
        #"{"sub":"7","exp":1700000000.5,"nbf":0,"iat":1,"iss":"i","aud":["a","b"],"rooms":["live-*","lobby","*"]}"#,
      ].map { Array($0.utf8) }
    } run: { bytes in
      if let claims = try? Claims(Array(bytes)) { _ = claims.rooms.contains("live-7") }
      _ = try? Verifier().claims(of: String(decoding: bytes, as: UTF8.self), keys: keys, now: 1_700_000_000)
    }
  ]

  private static let keys = Keys(["k": try! Key(secret: Array(repeating: 7, count: 32))])
}
