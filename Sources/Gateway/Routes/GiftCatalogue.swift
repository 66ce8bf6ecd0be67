import JSON
import Platform
import RoomModel

/// A platform's own gifts, for the tray of the page (`gateway.gifts`):
/// `{"gifts":[{"id":"rose","name":"玫瑰","price":1,"icon":"https://…","effect":"https://…"}]}`. It is served as it is, with
/// whatever else stands in it.
package struct GiftCatalogue: Sendable {
  /// A line that says what is wrong with the file, and what to write.
  package struct Refusal: Error, CustomStringConvertible {
    package let description: String
  }

  let json: [UInt8]
  /// The origins of icons and effects, each once.
  private let origins: [String]

  var isEmpty: Bool { json == Self.empty.json }

  /// Names no gifts.
  package static let empty = GiftCatalogue(unchecked: Array(#"{"gifts":[]}"#.utf8), origins: [])

  private static let mostBytes = 1 << 20
  private static let mostGifts = 1000

  private init(unchecked json: [UInt8], origins: [String]) { (self.json, self.origins) = (json, origins) }

  /// Reads a file.
  package init(path: String) throws(Refusal) {
    let bytes: [UInt8]
    do { bytes = try ShortFile.read(path, mostBytes: Self.mostBytes) } catch {
      throw Refusal(description: "gateway.gifts: \(path) can't be read: \(error)")
    }
    var origins: Set<String> = []
    if let wrong = Self.complaint(bytes, &origins) { throw Refusal(description: "gateway.gifts: \(path): \(wrong)") }
    self.init(unchecked: bytes, origins: origins.sorted())
  }

  /// The origins of icons and effects that the page may show only if they are its own.
  ///
  /// - Parameter allowed: The origins of `gateway.images.origins`.
  package func origins(beside allowed: [String]) -> [String] {
    origins.filter { origin in !allowed.contains { Self.isAllowed(origin, by: $0.lowercased()) } }
  }

  /// As browsers read a source of `Content-Security-Policy`.
  private static func isAllowed(_ origin: String, by allowed: String) -> Bool {
    if allowed == "*" { return true }
    let name = allowed.hasSuffix(":443") ? allowed.dropLast(4) : allowed[...]
    return name.hasPrefix("https://*.") ? origin.hasSuffix(name.dropFirst("https://*".count)) : origin == name
  }

  /// Nil: a host that browsers spell in another way.
  private static func origin(of address: some Collection<UInt8>) -> String? {
    let place = address.dropFirst("https://".utf8.count).prefix { !#"/\?#"#.utf8.contains($0) }
    let host = String(decoding: place, as: UTF8.self).split(separator: "@").last?.lowercased() ?? ""
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return "https://\(host.hasSuffix(":443") ? String(host.dropLast(4)) : host)"
  }

  private static func complaint(_ bytes: [UInt8], _ origins: inout Set<String>) -> String? {
    if bytes.count > mostBytes { return "it has more than \(mostBytes) bytes" }
    var document = JSONDocument()
    return bytes.withUnsafeBytes { bytes in
      do throws(JSONSyntaxError) {
        return complaint(try document.parse(bytes), &origins)
      } catch {
        return "it is no JSON: \(error.description)"
      }
    }
  }

  private static func complaint(_ catalogue: JSONValue, _ origins: inout Set<String>) -> String? {
    guard let gifts = catalogue["gifts"]?.elements else {
      return #"it names no gifts; write {"gifts":[{"id":"rose","name":"Rose","price":1}]}"#
    }
    var ids: Set<[UInt8]> = []
    for (number, gift) in gifts.enumerated() {
      let place = "gift \(number + 1)"
      if number == mostGifts { return "it has more than \(mostGifts) gifts" }
      guard let id = gift["id"]?.text, 1...256 ~= id.count else {
        return "\(place) has no id; give one of 1 to 256 bytes"
      }
      guard ids.insert(Array(id.bytes)).inserted else { return "\(place) has the id of another, '\(id)'" }
      guard let name = gift["name"]?.text, name.count <= 1024 else {
        return "\(place) has no name; give a text of up to 1024 bytes"
      }
      guard let price = gift["price"]?.integer, 0...1_000_000_000 ~= price else {
        return "\(place) has no price; give an integer from 0 to 1000000000"
      }
      for (part, value) in [("icon", gift["icon"]), ("effect", gift["effect"])] {
        guard let value, !value.isNull else { continue }
        guard let address = value.text, address.bytes.starts(with: "https://".utf8) else {
          return "\(place) has an \(part) that is no address; give one that begins with https://, or none"
        }
        if let origin = origin(of: address.bytes) { origins.insert(origin) }
      }
    }
    return nil
  }
}
