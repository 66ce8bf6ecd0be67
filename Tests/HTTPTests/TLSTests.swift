import Foundation
import HTTP
import Testing

/// Certificates that change, and those that will not do. curl tests the rest of TLS.
struct TLSTests {
  /// The answer that curl gets, which trusts this certificate alone; nil: curl refuses the server.
  private func ask(_ server: RunningServer, trusting certificate: String, _ more: [String] = []) throws -> String? {
    let (status, output) = try Certificates.run(
      ["curl", "-s", "-m", "20", "--cacert", certificate] + more + ["https://localhost:\(server.port)/"])
    return status == 0 ? output : nil
  }

  @Test func aConnectionHasTheCertificateThatThereWasWhenItBegan() throws {
    let files = try Certificates()
    try files.make("old")
    try files.make("new")
    try files.copy("old.pem", to: "cert.pem")
    try files.copy("old.key", to: "key.pem")
    let certificate = try TLSCertificate(certificate: files.path("cert.pem"), key: files.path("key.pem"))
    let server = try RunningServer(tls: certificate) { $0.respond(Response(.ok, body: Array("hello".utf8))) }
    defer { server.stop() }
    #expect(try ask(server, trusting: files.path("old.pem")) == "hello")
    #expect(try ask(server, trusting: files.path("new.pem")) == nil)

    try files.copy("new.pem", to: "cert.pem")
    #expect(throws: TLSError.self, "the key is still the old one") { try certificate.reload()?.get() }
    #expect(certificate.reload() == nil)
    #expect(try ask(server, trusting: files.path("old.pem")) == "hello")

    try files.copy("new.key", to: "key.pem")
    try certificate.reload()?.get()
    #expect(try ask(server, trusting: files.path("new.pem")) == "hello")
    #expect(try ask(server, trusting: files.path("old.pem")) == nil)
  }

  @Test func itIsTLS12OrNewer() throws {
    let files = try Certificates()
    try files.make("a")
    let certificate = try TLSCertificate(certificate: files.path("a.pem"), key: files.path("a.key"))
    let server = try RunningServer(tls: certificate) { $0.respond(Response(.ok, body: Array("hello".utf8))) }
    defer { server.stop() }
    #expect(try ask(server, trusting: files.path("a.pem"), ["--tls-max", "1.2"]) == "hello")
    #expect(try ask(server, trusting: files.path("a.pem"), ["--tlsv1.3"]) == "hello")
    let suite = ["--tls-max", "1.2", "--ciphers"]
    for good in ["ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256", "ECDHE+CHACHA20"] {
      #expect(try ask(server, trusting: files.path("a.pem"), suite + [good]) == "hello")
    }
    for cbc in ["ECDHE+AES+SHA256:ECDHE+AES+SHA384:ECDHE+AES+SHA1", "kRSA", "AES256-GCM-SHA384"] {
      #expect(try ask(server, trusting: files.path("a.pem"), suite + [cbc + ":@SECLEVEL=0"]) == nil, "\(cbc)")
    }
    // curl's own OpenSSL offers 1.1 at this level alone.
    let old = ["--tls-max", "1.1", "--ciphers", "DEFAULT@SECLEVEL=0"]
    #expect(try ask(server, trusting: files.path("a.pem"), old) == nil)
  }

  @Test func browsersComeByTLSAloneFromThenOn() throws {
    let files = try Certificates()
    try files.make("a")
    let certificate = try TLSCertificate(certificate: files.path("a.pem"), key: files.path("a.key"))
    for tls in [certificate, nil] {
      let server = try RunningServer(tls: tls) { $0.respond(Response(.ok)) }
      defer { server.stop() }
      let head = try Certificates.run(
        ["curl", "-s", "-m", "20", "-k", "-I", "\(tls == nil ? "http" : "https")://localhost:\(server.port)/"]
      ).output
      #expect(head.contains("Strict-Transport-Security: max-age=31536000\r\n") == (tls != nil), "\(head)")
    }
  }

  @Test func filesThatWillNotDoAreNamed() throws {
    let files = try Certificates()
    try files.make("a")
    try files.make("b")
    func refusal(_ certificate: String, _ key: String) -> String? {
      #expect(throws: TLSError.self) {
        try TLSCertificate(certificate: files.path(certificate), key: files.path(key))
      }?.description.replacing(files.folder.path, with: "tls")
    }
    #expect(refusal("none.pem", "a.key")?.hasPrefix("tls/none.pem can't be read: No such file or directory") == true)
    #expect(refusal("a.key", "a.key")?.hasPrefix("tls/a.key has no certificate") == true)
    #expect(refusal("a.pem", "a.pem")?.hasPrefix("tls/a.pem has no key") == true)
    #expect(refusal("a.pem", "b.key")?.hasPrefix("tls/b.key has no key") == true)
  }
}
