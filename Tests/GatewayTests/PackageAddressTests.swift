import Foundation
import Gateway
import Settings
import TestSupport
import Testing

/// The client package at the address of its version, where browsers keep it.
struct PackageAddressTests {
  private typealias Ask = (_ path: String, _ headers: [String]) throws -> String

  private func withGateway(_ body: (Ask) throws -> Void) throws {
    let topic = try CommandTopic()
    try topic.withGateway({ $0.gateway.corsOrigins = ["https://a.example"] }) { (gateway: RunningGateway) throws in
      try body { try gateway.ask("GET \($0)", $1) }
    }
  }

  private static func version() throws -> String {
    let file = URL(filePath: #filePath).appending(path: "../../../Sources/Page/site/package.json").standardized
    let package = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    return try #require(package?["version"] as? String)
  }

  @Test func atItsVersionItIsKeptForAYear() throws {
    try withGateway { ask in
      let version = try Self.version()
      for path in ["flyscreen.js", "package.json"] {
        let answer = try ask("/flyscreen@\(version)/\(path)", ["Origin: https://a.example"])
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(path)")
        #expect(answer.contains("Cache-Control: public, max-age=31536000, immutable\r\n"))
        // A cache keeps it for all: another page may ask for it next.
        #expect(answer.contains("Access-Control-Allow-Origin: https://a.example\r\n"))
        #expect(answer.contains("Vary: Origin\r\n") && answer.contains("Vary: Accept-Encoding\r\n"))
        let tag = try #require(answer.firstMatch(of: #/ETag: ([^\r]+)/#)).1
        let again = try ask("/flyscreen@\(version)/\(path)", ["If-None-Match: \(tag)"])
        #expect(again.hasPrefix("HTTP/1.1 304 ") && again.contains("immutable\r\n"))
      }
      #expect(try ask("/flyscreen.js", []).contains("Cache-Control: no-cache\r\n"), "a file without a version changes")
    }
  }

  @Test func theFirstNumberLeadsToThisVersion() throws {
    try withGateway { ask in
      let version = try Self.version()
      let first = version.prefix { $0 != "." }
      for (path, location) in [
        ("/flyscreen@\(first)/flyscreen.js", "../flyscreen@\(version)/flyscreen.js"),
        ("/flyscreen@\(first).999/flyscreen.js", "../flyscreen@\(version)/flyscreen.js"),
        ("/flyscreen@\(first).999.9/package.json", "../flyscreen@\(version)/package.json"),
      ] {
        let answer = try ask(path, ["Origin: https://a.example"])
        #expect(answer.hasPrefix("HTTP/1.1 307 "), "\(path)")
        #expect(answer.contains("Location: \(location)\r\n"), "\(path), also behind a proxy's path")
        #expect(answer.contains("Cache-Control: public, max-age=300\r\n"))
        #expect(answer.contains("Access-Control-Allow-Origin: https://a.example\r\n"))
      }
    }
  }

  @Test func versionsThatAreNoneAreNotThere() throws {
    try withGateway { ask in
      let version = try Self.version()
      let next = try #require(Int(version.prefix { $0 != "." })) + 1
      for path in [
        "/flyscreen@\(next)/flyscreen.js", "/flyscreen@\(next).0.0/flyscreen.js", "/flyscreen@0/flyscreen.js",
        "/flyscreen@/flyscreen.js", "/flyscreen@latest/flyscreen.js", "/flyscreen@1.x/flyscreen.js",
        "/flyscreen@1./flyscreen.js", "/flyscreen@1.0.0.0/flyscreen.js", "/flyscreen@1.0.0%0d%0aX/flyscreen.js",
        "/flyscreen@\(version)", "/flyscreen@\(version)/", "/flyscreen@\(version)/index.html",
        "/flyscreen@\(version)/client/screen.js",
      ] {
        #expect(try ask(path, []).hasPrefix("HTTP/1.1 404 "), "\(path)")
      }
    }
  }
}
