import Foundation
import Testing
import Tokens

/// A folder of keys for one test.
struct TemporaryFolder: ~Copyable {
  let url = FileManager.default.temporaryDirectory.appending(path: "flyscreen-keys-\(UUID().uuidString)")

  var path: String { url.path }

  init(_ files: [String: String] = [:]) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    for (name, text) in files { try write(name, text) }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name), options: .atomic)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: url.appending(path: name))
  }
}

/// The keys of a folder with these files.
func keysOf(_ files: [String: String]) -> Keys {
  let folder = try! TemporaryFolder(files)
  return try! KeyFolder(path: folder.path).keys
}

struct KeyFolderTests {
  private static let secret = String(repeating: "s", count: 32)
  private static let otherSecret = String(repeating: "t", count: 40)

  private func taken(_ signer: Signer, kid: String, by keys: Keys) -> Bool {
    let token = signer.token(kid: kid, claims: VerifierTests.good)
    return (try? Verifier().claims(of: token, keys: keys, now: VerifierTests.now)) != nil
  }

  private func refusal(_ files: [String: String]) throws -> String {
    let folder = try TemporaryFolder(files)
    let error = #expect(throws: KeyFolderError.self) { try KeyFolder(path: folder.path) }
    return error?.description.replacing(folder.path, with: "keys") ?? ""
  }

  @Test func aFolderHasAnyNumberOfKeysOfEachKind() throws {
    let keys = keysOf([
      "2024.pem": Signer.rsa.publicPEM, "a.b.pem": Signer.p256.publicPEM, "s.secret": Self.secret,
      ".hidden.pem": "x", "README": "keys of the example",
    ])
    #expect(keys.names == "2024 (RS256), a.b (ES256), s (HS256)")
    #expect(taken(Signer.rsa, kid: "2024", by: keys) && taken(Signer.p256, kid: "a.b", by: keys))
  }

  @Test(arguments: ["", "\n", "\r\n"])
  func aLineEndIsNotPartOfASecret(end: String) {
    let signer = Signer(secret: Self.secret.utf8)
    #expect(taken(signer, kid: "s", by: keysOf(["s.secret": Self.secret + end])))
  }

  @Test(arguments: [" ", "\n\n", "\n "])
  func allElseInItsFileIs(end: String) {
    let keys = keysOf(["s.secret": Self.secret + end])
    #expect(!taken(Signer(secret: Self.secret.utf8), kid: "s", by: keys))
  }

  @Test func whatIsNoGoodKeyIsRefusedWithWhatToDo() throws {
    #expect(try refusal(["a.pem": Signer.rsa.privatePEM]).hasPrefix("keys/a.pem is a private key"))
    #expect(try refusal(["a.pem": Signer.p256.privatePEM]).hasPrefix("keys/a.pem is a private key"))
    #expect(try refusal(["a.pem": Signer.smallRSA.publicPEM]).hasPrefix("keys/a.pem is an RSA key of 1024 bits"))
    #expect(try refusal(["a.pem": Signer.p384.publicPEM]).hasPrefix("keys/a.pem is an EC key of another curve"))
    #expect(try refusal(["a.pem": Signer.ed25519.publicPEM]).hasPrefix("keys/a.pem is neither an RSA key"))
    #expect(try refusal(["a.pem": "-----BEGIN CERTIFICATE-----\n"]).hasPrefix("keys/a.pem is a certificate"))
    #expect(try refusal(["a.pem": "nonsense"]).hasPrefix("keys/a.pem is no public key"))
    #expect(try refusal(["a.pem": ""]).hasPrefix("keys/a.pem is no public key"))
    #expect(
      try refusal(["a.pem": Signer.rsa.publicPEM + Signer.p256.publicPEM]).hasPrefix("keys/a.pem has several keys"))
    #expect(try refusal(["a.secret": "too short\n"]).hasPrefix("keys/a.secret has 9 bytes"))
    #expect(try refusal(["a.secret": Self.secret.dropLast() + "\n"]).hasPrefix("keys/a.secret has 31 bytes"))
    #expect(try refusal(["a.secret": String(repeating: "s", count: 70_000)]).hasPrefix("keys/a.secret can't be read"))
    #expect(
      try refusal(["a.pem": Signer.rsa.publicPEM, "a.secret": Self.secret]).hasPrefix("keys has a.pem and a.secret"))
    #expect(try refusal([:]).hasPrefix("keys has no key"))
    #expect(throws: KeyFolderError.self) { try KeyFolder(path: "/nowhere") }
  }

  @Test func aKeyThatIsPutInTakenOutOrChangedIsSoAtTheNextLook() throws {
    let folder = try TemporaryFolder(["a.secret": Self.secret])
    let keys = try KeyFolder(path: folder.path)
    let old = Signer(secret: Self.secret.utf8)
    let new = Signer(secret: Self.otherSecret.utf8)

    #expect(keys.reload() == [])
    try folder.write("b.pem", Signer.rsa.publicPEM)
    #expect(keys.reload() == [.keys("a (HS256), b (RS256)")])
    #expect(taken(Signer.rsa, kid: "b", by: keys.keys))

    try folder.write("a.secret", Self.otherSecret)
    #expect(keys.reload() == [.keys("a (HS256), b (RS256)")])
    #expect(!taken(old, kid: "a", by: keys.keys) && taken(new, kid: "a", by: keys.keys))

    try folder.remove("a.secret")
    #expect(keys.reload() == [.keys("b (RS256)")])
    #expect(!taken(new, kid: "a", by: keys.keys))
  }

  @Test func aBrokenFileLeavesItsKeyAsItWasAndIsToldOnce() throws {
    let folder = try TemporaryFolder(["a.secret": Self.secret, "b.pem": Signer.rsa.publicPEM])
    let keys = try KeyFolder(path: folder.path)
    try folder.write("b.pem", "half of a ke")
    #expect(
      keys.reload() == [
        .trouble("\(folder.path)/b.pem is no public key in PEM (-----BEGIN PUBLIC KEY-----) that can be read")
      ])
    #expect(keys.reload() == [])
    #expect(taken(Signer.rsa, kid: "b", by: keys.keys))

    try folder.write("b.pem", Signer.p256.publicPEM)
    #expect(keys.reload() == [.keys("a (HS256), b (ES256)")])
    #expect(!taken(Signer.rsa, kid: "b", by: keys.keys) && taken(Signer.p256, kid: "b", by: keys.keys))
  }

  @Test(arguments: ["pem", "secret"]) func ofTwoKeysWithOneIdThePublicOneCounts(first: String) throws {
    let files = ["a.pem": Signer.rsa.publicPEM, "a.secret": Self.secret]
    let folder = try TemporaryFolder(files.filter { $0.key.hasSuffix(first) })
    let keys = try KeyFolder(path: folder.path)
    for (name, text) in files where !name.hasSuffix(first) { try folder.write(name, text) }
    #expect(
      keys.reload().first == .trouble("\(folder.path) has a.pem and a.secret; a key's id is its own, so rename one"))
    #expect(taken(Signer.rsa, kid: "a", by: keys.keys))
    #expect(!taken(Signer(secret: Self.secret.utf8), kid: "a", by: keys.keys))
  }

  @Test func withNoKeyLeftNoTokenIsTaken() throws {
    let folder = try TemporaryFolder(["a.secret": Self.secret])
    let keys = try KeyFolder(path: folder.path)
    try folder.remove("a.secret")
    #expect(keys.reload() == [.trouble("\(folder.path) has no key left; no token is taken"), .keys("")])
    #expect(!taken(Signer(secret: Self.secret.utf8), kid: "a", by: keys.keys))
  }

  @Test func aFolderThatGoesAwayLeavesItsKeysUntilItIsBack() throws {
    let folder = try TemporaryFolder(["a.secret": Self.secret])
    let keys = try KeyFolder(path: folder.path)
    let aside = folder.url.appendingPathExtension("aside")
    try FileManager.default.moveItem(at: folder.url, to: aside)
    #expect(keys.reload() == [.trouble("\(folder.path) can't be read; its keys stay as they were")])
    #expect(taken(Signer(secret: Self.secret.utf8), kid: "a", by: keys.keys))
    try FileManager.default.moveItem(at: aside, to: folder.url)
    #expect(keys.reload() == [])
    #expect(taken(Signer(secret: Self.secret.utf8), kid: "a", by: keys.keys))
  }

  /// A folder as Kubernetes mounts it: a link changes, and through it every file at once.
  @Test func keysBehindALinkAreReadAnewWhenTheLinkChanges() throws {
    let folder = try TemporaryFolder()
    for (version, secret) in [("1", Self.secret), ("2", Self.otherSecret)] {
      let data = folder.url.appending(path: "..\(version)")
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: false)
      try Data(secret.utf8).write(to: data.appending(path: "a.secret"))
    }
    func link(_ name: String, to target: String) throws {
      let link = folder.url.appending(path: name).path
      try? FileManager.default.removeItem(atPath: link)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    }
    try link("..data", to: "..1")
    try link("a.secret", to: "..data/a.secret")
    let keys = try KeyFolder(path: folder.path)
    #expect(taken(Signer(secret: Self.secret.utf8), kid: "a", by: keys.keys))
    try link("..data", to: "..2")
    #expect(keys.reload() == [.keys("a (HS256)")])
    #expect(taken(Signer(secret: Self.otherSecret.utf8), kid: "a", by: keys.keys))
  }
}
