import JSON
import RoomModel
import Wire

/// The answer of a decoder to a record.
struct Decoding {
  var key: [UInt8]? = Array("r1".utf8)
  var contentType: String?
  var keyRule = KeyRule.roomId

  /// `body` may look at the event; its texts are gone afterwards.
  func of<Result>(_ value: [UInt8]?, _ body: (RoomEvent) -> Result) throws(NotUnderstood) -> Result {
    var decoder = EventDecoder()
    let result: Swift.Result<Result, NotUnderstood> = withBytes(key) { key in
      withBytes(value) { value in
        withBytes(contentType.map { Array($0.utf8) }) { contentType in
          do throws(NotUnderstood) {
            return .success(
              body(try decoder.decode(key: key, value: value, contentType: contentType, keyRule: keyRule)))
          } catch {
            return .failure(error)
          }
        }
      }
    }
    return try result.get()
  }

  /// The event, written again as JSON.
  func written(_ json: String) throws(NotUnderstood) -> String { try of(Array(json.utf8)) { $0.json } }

  func refusal(_ value: [UInt8]?) -> NotUnderstood? {
    do throws(NotUnderstood) {
      _ = try of(value) { _ in }
      return nil
    } catch {
      return error
    }
  }

  func refusal(_ json: String) -> NotUnderstood? { refusal(Array(json.utf8)) }
}

extension RoomEvent {
  var json: String {
    var buffer = ByteBuffer()
    EventEncoder(format: .json).encode(self, into: &buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}

/// An empty array has bytes, none of them; nil has none.
func withBytes<Result>(_ bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
  guard let bytes else { return body(nil) }
  return bytes.withUnsafeBytes { body($0) }
}
