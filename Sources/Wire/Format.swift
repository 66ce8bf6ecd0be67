package import RoomModel

/// How events, commands and results are written: one schema, two forms (Schemas/flyscreen.proto).
package enum Format: String, CaseIterable, Sendable {
  case json, protobuf

  /// The value of the header `content-type` that names it.
  package var contentType: Text {
    switch self {
    case .json: Text("application/json")
    case .protobuf: Text("application/x-protobuf")
    }
  }

  /// The format that a `content-type` names, whatever its letter case and parameters; nil if it names another.
  package init?(contentType: UnsafeRawBufferPointer) {
    for format in Self.allCases where format.isNamed(by: contentType) {
      self = format
      return
    }
    return nil
  }

  private func isNamed(by header: UnsafeRawBufferPointer) -> Bool {
    let essence = header.prefix { $0 != UInt8(ascii: ";") }
    let name = essence.drop { $0.isBlank }
    guard name.count >= contentType.count else { return false }
    let rest = name.dropFirst(contentType.count)
    return zip(name, contentType.bytes).allSatisfy { $0.lowercased == $1 } && rest.allSatisfy { $0.isBlank }
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  fileprivate var lowercased: UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
  }
}
