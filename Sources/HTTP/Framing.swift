internal import CLibevent

/// Where a request ends. Readers that take an unclear head differently (a proxy and this server, say) take what is one
/// client's body for the next client's request; so what is not clear is refused, and its connection closed.
/// evhttp itself knows only some of this.
enum Framing {
  /// - Parameter mayHaveBody: whether evhttp reads a body of this method; another's it would take for a request.
  /// - Returns: what is wrong, to be told to people.
  static func complaint(_ headers: UnsafeMutablePointer<evkeyvalq>?, mayHaveBody: Bool) -> String? {
    var lengths = 0
    var codings = 0
    var next = headers?.pointee.tqh_first
    while let header = next {
      next = header.pointee.next.tqe_next
      let name = String(cString: header.pointee.key)
      guard !name.isEmpty, name.utf8.allSatisfy(isOfName) else {
        return "a header's name has a blank, or what is like it"
      }
      let value = String(cString: header.pointee.value)
      switch name.lowercased() {
      case "content-length":
        guard (1...15).contains(value.utf8.count), value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
          return "Content-Length is no number"
        }
        if !mayHaveBody, Int(value) != 0 { return "a request of this method has no body" }
        lengths += 1
      case "transfer-encoding":
        guard value.lowercased() == "chunked" else { return "of Transfer-Encoding only chunked is understood" }
        if !mayHaveBody { return "a request of this method has no body" }
        codings += 1
      default: break
      }
    }
    return lengths + codings > 1 ? "the length of the body is told more than once; tell it once" : nil
  }

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
