import HTTP
import TestSupport
import Testing

struct RequestHeadTests {
  private func step(_ text: String, cuttingWith random: inout SplitMix64) -> (RequestHead.Step, Int, RequestHead) {
    var head = RequestHead(headLimit: 300, bodyLimit: 1000)
    var taken = 0
    let bytes = Array(text.utf8)
    while taken < bytes.count {
      let piece = bytes[taken..<min(bytes.count, taken + 1 + Int(random.next() % 20))]
      let (step, count) = head.take(piece)
      taken += count
      if step != .incomplete { return (step, taken, head) }
    }
    return (.incomplete, taken, head)
  }

  /// Wherever it is cut, and nothing of what comes after it is taken.
  @Test func aHeadIsTheSameHoweverItComes() {
    var random = SplitMix64(seed: 9)
    for (text, expected) in [
      ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", RequestHead.Step.complete(bodyCount: 0)),
      ("POST /a?b=%20 HTTP/1.0\r\nCONTENT-LENGTH: \t017 \r\nexpect: 100-Continue\r\n\r\n", .complete(bodyCount: 17)),
      ("OPTIONS * HTTP/1.1\r\nhost:\r\n\r\n", .complete(bodyCount: 0)),
      ("GET /a HTTP/1.1\r\nHost: [::1]:65535\r\nX: \u{e9}\tb\r\n\r\n", .complete(bodyCount: 0)),
    ] {
      for _ in 0..<50 {
        let (step, count, head) = step(text + "GET /next", cuttingWith: &random)
        #expect(step == expected)
        #expect(count == text.utf8.count)
        #expect(head.bytes == Array(text.utf8))
      }
    }
  }

  @Test func aBodyOfJustTheLimitIsTaken() {
    var random = SplitMix64(seed: 2)
    func step(_ count: Int) -> RequestHead.Step {
      self.step("POST / HTTP/1.0\r\nContent-Length: \(count)\r\n\r\n", cuttingWith: &random).0
    }
    #expect(step(1000) == .complete(bodyCount: 1000))
    guard case .refused(let refusal) = step(1001) else {
      Issue.record("a larger body was taken")
      return
    }
    #expect(refusal.error == "too_large")
  }

  @Test func aLineThatIsNotCountedBeforeAHeadIsLeftOut() {
    var random = SplitMix64(seed: 1)
    let (step, _, head) = step("\r\n\r\nGET / HTTP/1.0\r\n\r\n", cuttingWith: &random)
    #expect(step == .complete(bodyCount: 0))
    #expect(head.bytes == Array("GET / HTTP/1.0\r\n\r\n".utf8))
  }

  /// So evhttp has nothing to refuse by itself: not a host, not a POST whose body has no length.
  @Test(arguments: [
    ("GET http://h:65535/a?b HTTP/1.1\r\nHost: h", "GET /a?b HTTP/1.1\r\nHost: h"),
    ("GET HTTPS://[::1]:8?b HTTP/1.1\r\nHost: h", "GET /?b HTTP/1.1\r\nHost: h"),
    ("GET http://h HTTP/1.0", "GET / HTTP/1.0"),
    ("OPTIONS http://h HTTP/1.1\r\nHost: h", "OPTIONS * HTTP/1.1\r\nHost: h"),
    (
      "POST /a HTTP/1.1\r\nHost: h\r\nConnection: keep-alive",
      "POST /a HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\nContent-Length: 0"
    ),
  ])
  func whatIsPassedOnIsPlain(head text: String, passedOn: String) {
    var random = SplitMix64(seed: 5)
    for _ in 0..<20 {
      let (step, count, head) = step(text + "\r\n\r\n", cuttingWith: &random)
      #expect(step == .complete(bodyCount: 0) && count == text.utf8.count + 4)
      #expect(String(decoding: head.bytes, as: UTF8.self) == passedOn + "\r\n\r\n")
    }
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n", "GET / HTTP/1.1\r\nHost: h\r\nhost: i\r\n",
    "GET / HTTP/1.0\r\nHost: h\r\nHost: h\r\n", "GET / HTTP/1.1\r\nHost: a b\r\n",
    "GET / HTTP/1.1\r\nHost: h/a\r\n", "GET / HTTP/1.1\r\nHost: u@h\r\n", "GET / HTTP/1.1\r\nHost: h:99999\r\n",
    "GET / HTTP/1.1\r\nHost: :80\r\n", "GET / HTTP/1.1\r\nHost: [::1\r\n", "GET / HTTP/1.1\r\nHost: [::1]80\r\n",
    "GET / HTTP/1.1\r\nHost: h\u{e9}\r\n", "GET http://h:99999/ HTTP/1.1\r\nHost: h\r\n",
    "GET http:///a HTTP/1.1\r\nHost: h\r\n", "GET http://u@h/a HTTP/1.1\r\nHost: h\r\n",
    "GET http://h//a HTTP/1.1\r\nHost: h\r\n", "GET http://[::1/ HTTP/1.1\r\nHost: h\r\n",
    "GET ftp://h/ HTTP/1.1\r\nHost: h\r\n",
  ])
  func aHostIsThereOnceAndIsOne(head: String) {
    var random = SplitMix64(seed: 6)
    for _ in 0..<10 {
      guard case (.refused(let why), _, _) = step(head + "\r\n", cuttingWith: &random) else {
        return #expect(Bool(false), "\(head)")
      }
      #expect(why.error == "bad_request")
    }
  }

  @Test(arguments: [
    "Content-Length: 3\r\nContent-Length: 3", "Content-Length: 3, 50", "Content-Length: -1", "Content-Length: +3",
    "Content-Length: 0x3", "Content-Length: 3 0", "Content-Length:", "Content-Length: 18446744073709551619",
    "Content-Length : 3", " Content-Length: 3", "Content Length: 3", ": 3", "Content-Length", "X: a\u{0}b",
    "X: a\u{7f}",
    "X: a\rb", "Content-Length: 3\n",
  ])
  func whatReadersTakeDifferentlyIsRefused(headers: String) {
    var random = SplitMix64(seed: 2)
    for _ in 0..<10 {
      let (step, _, _) = step("POST / HTTP/1.1\r\nHost: h\r\n\(headers)\r\n\r\n", cuttingWith: &random)
      guard case .refused(let why) = step else { return #expect(Bool(false), "\(headers)") }
      #expect(why.error == "bad_request")
    }
  }

  @Test func aHeadWithoutAnEndIsRefusedAtItsLimit() {
    var random = SplitMix64(seed: 4)
    for text in ["GET /", "GET / HTTP/1.1\r\nX: ", "GET / HTTP/1.1\r\nX: y\r\n"] {
      let (step, count, _) = step(text + String(repeating: "a", count: 1000), cuttingWith: &random)
      guard case .refused = step else { return #expect(Bool(false), "\(text)") }
      #expect(count <= 320)
    }
  }
}

struct AddressGroupTests {
  @Test func oneAddressIsOneHoweverItIsSpelled() throws {
    for spellings in [
      ["192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201"],
      ["2001:db8:0:1::7", "2001:0DB8:0000:0001:0000:0000:0000:0007", "2001:db8:0:1:ffff::"],
    ] {
      #expect(Set(try spellings.map { try #require(AddressGroup($0)) }).count == 1)
    }
    let all = ["192.0.2.1", "192.0.2.2", "2001:db8:0:1::", "2001:db8:0:2::", "::1"]
    #expect(Set(try all.map { try #require(AddressGroup($0)) }).count == all.count)
    for text in ["", "h", "192.0.2", "192.0.2.1:80", "[::1]", "192.0.2.1 "] { #expect(AddressGroup(text) == nil) }
  }
}
