/// The head of a request as its bytes come, held against what all readers take alike (RFC 9112). Readers that take an
/// unclear head differently (a proxy and this server, say) take what is one client's body for the next client's
/// request; so what is not clear is refused.
package struct RequestHead {
  package struct Refusal: Equatable, Sendable {
    package let status: Status
    /// The error in one word, for programs.
    package let error: String
    /// The error in a sentence, for people.
    package let message: String
  }

  package enum Step: Equatable, Sendable {
    case incomplete
    /// A body with this number of bytes comes after it.
    case complete(bodyCount: Int)
    case refused(Refusal)
  }

  /// The bytes that have come, as evhttp gets them.
  package private(set) var bytes: [UInt8] = []
  /// The method; empty until the first line has come.
  package private(set) var method = ""
  private var lineStart = 0
  private var isHTTP10 = false
  private var hostCount = 0
  private var lengths: [Int] = []
  private var isCoded = false
  private var expectsOther = false
  private let headLimit: Int
  private let bodyLimit: Int

  /// evhttp reads a body of these; another's it would take for a request.
  private static let withBody: Set<String> = ["POST", "PUT", "PATCH"]
  private static let known = withBody.union(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"])

  package init(headLimit: Int, bodyLimit: Int) {
    self.headLimit = headLimit
    self.bodyLimit = bodyLimit
  }

  /// Takes what came next.
  ///
  /// - Returns: the number of its bytes that belong to the head, too.
  package mutating func take(_ chunk: ArraySlice<UInt8>) -> (Step, count: Int) {
    var rest = chunk
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      bytes += rest[...end]
      rest = rest[(end + 1)...]
      let step = takeLine()
      if step != .incomplete { return (step, chunk.count - rest.count) }
    }
    bytes += rest
    return (bytes.count > headLimit ? .refused(tooLong) : .incomplete, chunk.count)
  }

  /// The line that has just ended.
  private mutating func takeLine() -> Step {
    if bytes.count > headLimit { return .refused(tooLong) }
    let line = bytes[lineStart..<(bytes.count - 1)]
    guard line.last == UInt8(ascii: "\r") else { return refused("a line of the head has no CR at its end") }
    let text = line.dropLast()
    let isFirst = lineStart == 0
    lineStart = bytes.count
    if let wrong = text.first(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) {
      return refused("the head has a control character, \(wrong)")
    }
    if isFirst {
      // Some clients end a body with a line that is not counted.
      if text.isEmpty {
        bytes = []
        lineStart = 0
        return .incomplete
      }
      return takeRequestLine(text)
    }
    return text.isEmpty ? verdict() : takeHeader(text)
  }

  private mutating func takeRequestLine(_ line: ArraySlice<UInt8>) -> Step {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(Self.isOfName) else {
      return refused("the first line is not a method, an address and HTTP/1.1 with a blank between them")
    }
    method = String(decoding: parts[0], as: UTF8.self)
    isHTTP10 = parts[2].elementsEqual("HTTP/1.0".utf8)
    guard isHTTP10 || parts[2].elementsEqual("HTTP/1.1".utf8) else {
      return refused("only HTTP/1.1 is understood")
    }
    guard let authority = Self.authority(ofTarget: parts[1]) else {
      return refused("the address names no host, or a port that is none")
    }
    let target = parts[1][(parts[1].startIndex + authority)...]
    if let wrong = Self.complaint(aboutTarget: target, isAbsolute: authority > 0, method) { return refused(wrong) }
    if authority > 0 { shorten(to: target) }
    return Self.known.contains(method)
      ? .incomplete
      : .refused(Refusal(status: .notImplemented, error: "not_implemented", message: "there is no such method"))
  }

  /// The bytes of `http://host:port` before the path; 0: it begins with its path. Nil: the host or the port is none.
  private static func authority(ofTarget target: ArraySlice<UInt8>) -> Int? {
    let start = String(decoding: target.prefix(8), as: UTF8.self).lowercased()
    let scheme = start.hasPrefix("http://") ? 7 : start.hasPrefix("https://") ? 8 : 0
    if scheme == 0 { return 0 }
    let authority = target.dropFirst(scheme).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    return isHost(authority, mayBeEmpty: false) ? scheme + authority.count : nil
  }

  /// RFC 3986, section 3.2, without a user: a name, an address, or an address in brackets; then perhaps a port.
  private static func isHost(_ text: ArraySlice<UInt8>, mayBeEmpty: Bool) -> Bool {
    var name = text
    if text.first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")), end > text.startIndex + 1 else { return false }
      let address = text[(text.startIndex + 1)..<end]
      guard address.allSatisfy({ $0 == UInt8(ascii: ":") || isOfName($0) }) else { return false }
      name = text[(end + 1)...]
      if name.isEmpty { return true }
      guard name.first == UInt8(ascii: ":") else { return false }
    } else {
      name = text.drop { $0 != UInt8(ascii: ":") }
      let host = text[..<name.startIndex]
      guard mayBeEmpty && text.isEmpty || !host.isEmpty,
        host.allSatisfy({ $0 == UInt8(ascii: "%") || "(),;=".utf8.contains($0) || isOfName($0) })
      else { return false }
    }
    let port = name.dropFirst()
    guard port.count <= 5, port.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    return port.reduce(0) { 10 * $0 + Int($1 - 0x30) } <= 65_535
  }

  /// evhttp gets the path alone: whose server this is doesn't matter here, and it would refuse some hosts by itself.
  private mutating func shorten(to target: ArraySlice<UInt8>) {
    let path = target.first == UInt8(ascii: "/") ? Array(target) : [UInt8(ascii: "/")] + target
    let isOfServer = target.isEmpty && method == "OPTIONS"
    let version = isHTTP10 ? "HTTP/1.0" : "HTTP/1.1"
    bytes = Array("\(method) ".utf8) + (isOfServer ? [UInt8(ascii: "*")] : path) + Array(" \(version)\r\n".utf8)
    lineStart = bytes.count
  }

  /// An address has one spelling, so that what a proxy keeps to itself is not served under another.
  private static func complaint(
    aboutTarget target: ArraySlice<UInt8>, isAbsolute: Bool, _ method: String
  ) -> String? {
    if target.contains(where: { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "#") }) {
      return "the address has a tab or a #"
    }
    if target.elementsEqual("*".utf8), method == "OPTIONS" { return nil }
    if target.first == UInt8(ascii: "/") {
      return target.dropFirst().first == UInt8(ascii: "/") ? "the path of the address begins with //" : nil
    }
    return isAbsolute ? nil : "the address begins with no /"
  }

  private mutating func takeHeader(_ line: ArraySlice<UInt8>) -> Step {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(Self.isOfName)
    else { return refused("a header has no name, or a name with a character that no name may have") }
    let trimmed = line[(colon + 1)...].trimmed
    let value = String(decoding: trimmed, as: UTF8.self)
    switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
    case "content-length":
      guard (1...15).contains(value.utf8.count), value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return refused("Content-Length is no number")
      }
      lengths.append(Int(value)!)
    case "transfer-encoding": isCoded = true
    case "host":
      hostCount += 1
      guard Self.isHost(trimmed, mayBeEmpty: true) else { return refused("Host is no host") }
    case "expect":
      // evhttp leaves a tab before a value in it, takes it for another and answers by itself.
      let hasTab = line[(colon + 1)...].prefix { $0 <= 0x20 }.contains(0x09)
      expectsOther = expectsOther || hasTab || value.lowercased() != "100-continue"
    default: break
    }
    return .incomplete
  }

  private mutating func verdict() -> Step {
    if isCoded {
      return .refused(
        Refusal(
          status: .lengthRequired, error: "length_required",
          message: "Transfer-Encoding is not taken; send the body with a Content-Length"))
    }
    if hostCount > 1 { return refused("Host is there more than once; send it once") }
    if hostCount == 0, !isHTTP10 { return refused("there is no Host; a request of HTTP/1.1 has one") }
    if lengths.count > 1 { return refused("the length of the body is told more than once; tell it once") }
    let count = lengths.first ?? 0
    if count > 0, !Self.withBody.contains(method) { return refused("a request of this method has no body") }
    if count > bodyLimit {
      return .refused(
        Refusal(
          status: .contentTooLarge, error: "too_large", message: "the body has more than \(bodyLimit) bytes"))
    }
    if expectsOther {
      return .refused(
        Refusal(
          status: .expectationFailed, error: "expectation_failed", message: "only Expect: 100-continue is understood")
      )
    }
    if lengths.isEmpty, Self.withBody.contains(method) { tellLength() }
    return .complete(bodyCount: count)
  }

  /// evhttp refuses by itself a body without a length on a connection that is to stay.
  private mutating func tellLength() {
    bytes.removeLast(2)
    bytes += Array("Content-Length: 0\r\n\r\n".utf8)
  }

  private var tooLong: Refusal { .malformed("the head has more than \(headLimit) bytes") }

  private func refused(_ message: String) -> Step { .refused(.malformed(message)) }

  /// RFC 9110, section 5.6.2: a token.
  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

extension RequestHead.Refusal {
  static func malformed(_ message: String) -> Self {
    .init(status: .badRequest, error: "bad_request", message: message)
  }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmed: ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    var slice = drop(while: isBlank)
    while let last = slice.last, isBlank(last) { slice = slice.dropLast() }
    return slice
  }
}
