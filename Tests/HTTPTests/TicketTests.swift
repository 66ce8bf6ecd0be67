import Foundation
import HTTP
import Testing

/// Session tickets of shared keys, as OpenSSL's own client sees them.
struct TicketTests {
  private let files: Certificates

  init() throws {
    files = try Certificates()
    try files.make("a")
    for (name, length) in [("new", 80), ("old", 80), ("short", 48), ("stranger", 80)] {
      try Data((0..<length).map { _ in UInt8.random(in: 0...255) }).write(to: URL(filePath: files.path(name)))
    }
  }

  private func certificate(_ keys: [String]) throws -> TLSCertificate {
    try TLSCertificate(certificate: files.path("a.pem"), key: files.path("a.key"), ticketKeys: keys.map(files.path))
  }

  /// Visits a server with these keys, which ends afterwards.
  private func visit(_ keys: [String], _ protocolFlag: String, _ more: [String]) throws -> Visit {
    let server = try serve(certificate(keys))
    defer { server.stop() }
    return try visit(server, protocolFlag, more)
  }

  private func serve(_ certificate: TLSCertificate) throws -> RunningServer {
    try RunningServer(tls: certificate) { $0.respond(Response(.ok, body: Array("hello".utf8))) }
  }

  private enum Visit { case whole, resumed, none }

  private func visit(_ server: RunningServer, _ protocolFlag: String, _ more: [String]) throws -> Visit {
    let client =
      "printf 'GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n' | timeout 20 openssl s_client -ign_eof"
      + " -connect localhost:\(server.port) \(protocolFlag) \(more.joined(separator: " "))"
    let output = try Certificates.run(["sh", "-c", client]).output
    guard output.contains("hello") else { return .none }
    return output.contains("\nReused, TLS") ? .resumed : .whole
  }

  private func keep(_ ticket: String) -> [String] { ["-sess_out", files.path(ticket)] }
  private func show(_ ticket: String) -> [String] { ["-sess_in", files.path(ticket)] }

  @Test(arguments: ["-tls1_3", "-tls1_2"], ["new", "short"])
  func aTicketIsGoodAtAnyServerWithItsKey(protocolFlag: String, key: String) throws {
    #expect(try visit([key], protocolFlag, keep("ticket")) == .whole)
    #expect(try visit([key], protocolFlag, show("ticket")) == .resumed)
    #expect(try visit(["stranger", key], protocolFlag, show("ticket")) == .resumed)
  }

  @Test(arguments: ["-tls1_3", "-tls1_2"])
  func aTicketOfAnotherKeyMeansAWholeHandshake(protocolFlag: String) throws {
    #expect(try visit(["old"], protocolFlag, keep("ticket")) == .whole)
    #expect(try visit(["new"], protocolFlag, show("ticket")) == .whole)
    #expect(try visit([], protocolFlag, show("ticket")) == .whole)
    // The name of a key that it knows, before what another key made.
    var forged = try Data(contentsOf: URL(filePath: files.path("stranger")))
    forged.replaceSubrange(..<16, with: try Data(contentsOf: URL(filePath: files.path("old"))).prefix(16))
    try forged.write(to: URL(filePath: files.path("forged")))
    #expect(try visit(["forged"], protocolFlag, show("ticket")) == .whole)
  }

  /// By TLS 1.3: OpenSSL's client keeps no ticket that TLS 1.2 renews.
  @Test func aTicketOfAnOlderKeyIsReplacedByOneOfTheFirst() throws {
    #expect(try visit(["old"], "-tls1_3", keep("ticket")) == .whole)
    #expect(try visit(["new", "old"], "-tls1_3", show("ticket") + keep("next")) == .resumed)
    #expect(try visit(["new"], "-tls1_3", show("next")) == .resumed)
    #expect(try visit(["old"], "-tls1_3", show("next")) == .whole)
  }

  @Test func keysThatChangeAreTakenAndOthersChangeNothing() throws {
    try files.copy("old", to: "first")
    let certificate = try certificate(["first", "short"])
    let server = try serve(certificate)
    defer { server.stop() }
    #expect(try visit(server, "-tls1_3", keep("ticket")) == .whole)

    try Data(count: 47).write(to: URL(filePath: files.path("first")))
    #expect(throws: TLSError.self) { try certificate.reload()?.get() }
    #expect(certificate.reload() == nil)
    #expect(try visit(server, "-tls1_3", show("ticket")) == .resumed)

    try files.copy("new", to: "first")
    try certificate.reload()?.get()
    #expect(try visit(server, "-tls1_3", show("ticket")) == .whole)
    #expect(try visit(server, "-tls1_3", keep("next")) == .whole)
    #expect(try visit(["new"], "-tls1_3", show("next")) == .resumed)
  }

  @Test func withoutKeysATicketIsGoodAtTheServerThatGaveIt() throws {
    let server = try serve(certificate([]))
    defer { server.stop() }
    #expect(try visit(server, "-tls1_3", keep("ticket")) == .whole)
    #expect(try visit(server, "-tls1_3", show("ticket")) == .resumed)
  }

  @Test func filesThatWillNotDoAreNamed() throws {
    func refusal(_ key: String) -> String? {
      #expect(throws: TLSError.self) { try certificate(["new", key]) }?.description
        .replacing(files.folder.path, with: "tls")
    }
    #expect(refusal("none")?.hasPrefix("tls/none can't be read: No such file or directory") == true)
    let pem = try Data(contentsOf: URL(filePath: files.path("a.pem"))).count
    #expect(refusal("a.pem")?.hasPrefix("tls/a.pem has \(pem) bytes; a key of tickets has 80 (or 48)") == true)
  }
}
