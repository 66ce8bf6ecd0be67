package import RoomModel

/// The form of events, commands and results: one schema, two forms (Schemas/flyscreen.proto).
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
    let text = contentType.baseAddress.map { Text(start: $0, count: contentType.count) } ?? .empty
    // Nearly everybody spells them like this.
    if text == Self.protobuf.contentType {
      self = .protobuf
    } else if text == Self.json.contentType {
      self = .json
    } else if let format = Self.allCases.first(where: { $0.isNamed(by: contentType) }) {
      self = format
    } else {
      return nil
    }
  }

  /// The format of a record whose last header `content-type` has this value; nil: it has no such header.
  @inline(__always) init(ofRecordWith contentType: UnsafeRawBufferPointer?) throws(NotUnderstood) {
    guard let contentType else {
      self = .json
      return
    }
    guard let format = Format(contentType: contentType) else {
      let name = contentType.baseAddress.map { Text(start: $0, count: contentType.count) } ?? .empty
      throw NotUnderstood(
        .contentType,
        "content-type \(name.quoted) is neither \(Format.json.contentType) nor \(Format.protobuf.contentType)")
    }
    self = format
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
