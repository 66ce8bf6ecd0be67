import JSON
import RoomModel
import RoomScreen

/// A JSON object whose members each have a name of their own: of two with one name, readers take different ones.
enum JSONObject {
  private static var maxDepth: Int { 16 }

  /// Calls with each member; the values die when this ends. Bytes that are no such object are refused as `refusal`.
  static func forEach(
    in bytes: [UInt8], else refusal: TokenRefusal,
    _ body: (_ name: String, _ value: JSONValue) throws(TokenRefusal) -> Void
  ) throws(TokenRefusal) {
    var document = JSONDocument(depth: maxDepth)
    let failure = bytes.withUnsafeBytes { bytes -> TokenRefusal? in
      do throws(TokenRefusal) {
        guard let members = (try? document.parse(bytes))?.members else { throw refusal }
        var names: Set<ID> = []
        for member in members {
          let name = member.name.description
          guard names.insert(ID(name)).inserted else { throw refusal }
          try body(name, member.value)
        }
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }
}
