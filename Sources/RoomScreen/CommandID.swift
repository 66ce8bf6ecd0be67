/// `topic/partition/offset/n`, taken apart.
package struct CommandID {
  /// `topic/partition`
  package let log: Substring
  package let offset: Int64
  package let place: Int64

  /// Nil if it is no such id.
  package init?(_ id: String) {
    let bytes = id.utf8
    guard let second = bytes.lastIndex(of: UInt8(ascii: "/")),
      let first = bytes[..<second].lastIndex(of: UInt8(ascii: "/")),
      let offset = Int64(id[bytes.index(after: first)..<second]), let place = Int64(id[bytes.index(after: second)...])
    else { return nil }
    log = id[..<first]
    self.offset = offset
    self.place = place
  }

  /// Whether `log` is its log.
  func isOf(_ log: String) -> Bool { self.log.utf8.elementsEqual(log.utf8) }
}
