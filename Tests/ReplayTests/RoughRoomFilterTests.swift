import JSON
import Replay
import RoomModel
import RoomScreen
import TestSupport
import Testing
import Wire

/// Values of other rooms' records are left out, and never one of the room's.
struct RoughRoomFilterTests {
  private func keeps(_ value: [UInt8]?, key: String?, _ filter: RoughRoomFilter) -> Bool {
    let key = key.map { Array($0.utf8) }
    return (key ?? []).withUnsafeBytes { keyBytes in
      (value ?? []).withUnsafeBytes { bytes in
        let record = LogRecord(
          offset: 1, timestampMs: 5, key: key == nil ? nil : keyBytes, value: value == nil ? .none : .bytes(bytes))
        var line = LogLine(topic: Text("im.gifts"), partition: 0, content: .record(record))
        filter.apply(to: &line)
        guard case .record(let left) = line.content, case .bytes = left.value else { return false }
        return true
      }
    }
  }

  @Test(arguments: Format.allCases) func whatIsOfTheRoomIsKept(format: Format) {
    let filter = RoughRoomFilter(asked: .event("e7"), room: "r1")
    func value(_ event: RoomEvent) -> [UInt8] {
      var bytes = ByteBuffer()
      EventEncoder(format: format).encode(event, into: &bytes)
      return Array(bytes.bytes)
    }
    #expect(keeps(value(.gift("7", room: "r1")), key: nil, filter))
    #expect(keeps(value(.wish("7", "w1", room: "r1")), key: "r2", filter))
    #expect(!keeps(value(.gift("7", room: "r2")), key: "r2", filter))
    #expect(!keeps(value(.tap("7", room: "r2")), key: nil, filter))
    // Somebody's who asked in the wrong room.
    #expect(keeps(value(.gift("7", id: "e7", room: "r2")), key: "r2", filter))
    #expect(!keeps(value(.gift("7", id: "e7", room: "r2")), key: "r2", RoughRoomFilter(room: "r1")))
  }

  @Test func whatMayBeOfTheRoomIsKept() {
    let filter = RoughRoomFilter(room: "r1")
    #expect(keeps(Array(#"{"roomId":"\u00721","tap":{"userId":"7"}}"#.utf8), key: nil, filter))
    #expect(keeps(Array("what is this".utf8), key: "r1", filter))
    #expect(!keeps(Array("what is this".utf8), key: "r2", filter))
    #expect(!keeps([], key: "r2", filter) && !keeps(nil, key: "r1", filter))
    #expect(!keeps(Array("r".utf8), key: nil, filter) && keeps(Array("rr1".utf8), key: nil, filter))
  }
}
