/// Reasons to refuse a token. The words are all ours, with nothing of the token in them, so that they can stand in a
/// header of the answer and in the log.
package enum TokenRefusal: String, Error, Sendable {
  case tooLong = "the token is too long"
  case notAToken = "this is no signed JSON Web Token: three parts in base64url with dots between them"
  case badHeader = "the token's header is not a JSON object that names each member once"
  case badType = "the token's typ is not JWT"
  case critical = "the token's header has crit, and no extension is understood here"
  case badKeyId = "the token's kid is not a text"
  case noKeyId = "the token has no kid, and there are several keys"
  case unknownKey = "no key has the token's kid"
  case wrongAlgorithm = "the token's alg is not that of its key"
  /// Stands for claims that libjwt can't read, too: it says the same of both.
  case badSignature = "the token's signature is not that of its key"
  case hasNUL = "the token has the character U+0000 in a text, which is taken in none"
  case badClaims = "the token's claims are not a JSON object that names each member once"
  case badSubject = "the token's sub is not a text"
  case badTime = "the token's exp, nbf or iat is not a time in seconds"
  case badRooms = "the token's rooms are not a list of texts"
  case badName = "the token's name or avatarUrl is not a text"
  case badEvents = "the token's events are not a list of texts"
  case badAs = "the token's as is not *"
  case noExpiry = "the token has no exp"
  case expired = "the token has expired"
  case notYet = "the token is not valid yet"
  case wrongIssuer = "the token's iss is not the one that is asked for"
  case wrongAudience = "the token's aud is not the one that is asked for"
}
