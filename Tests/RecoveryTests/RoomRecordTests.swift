import Recovery
import Testing

@Suite struct RoomRecordTests {
  private func read(_ bytes: [UInt8], of room: String = "r1") throws -> RoomRecord {
    try Array(room.utf8).withUnsafeBytes { room in try bytes.withUnsafeBytes { try RoomRecord($0, of: room) } }
  }

  private func written(_ kind: RoomRecord.Kind = .last) -> [UInt8] {
    var bytes: [UInt8] = []
    Array("r1".utf8).withUnsafeBytes {
      RoomRecord.write(kind, offset: 0x0102_0304, of: $0, into: &bytes) { $0 += [7, 8] }
    }
    return bytes
  }

  @Test func whatIsWrittenIsReadBack() throws {
    let bytes = written()
    #expect(bytes[..<10] == [2, 1, 4, 3, 2, 1, 0, 0, 0, 0])
    let record = try read(bytes)
    #expect(record.offset == 0x0102_0304)
    #expect(record.kind == .last)
    #expect(record.content == [7, 8])
  }

  @Test func oneOfVersion1HasNoSum() throws {
    let record = try read([1, 0, 4, 3, 2, 1, 0, 0, 0, 0, 7, 8])
    #expect(record.offset == 0x0102_0304)
    #expect(record.kind == .whole)
    #expect(record.content == [7, 8])
  }

  @Test func aByteThatIsWrongIsNoticed() {
    let whole = written()
    for at in whole.indices {
      for bit in 0..<8 {
        var bytes = whole
        bytes[at] ^= 1 << UInt8(bit)
        #expect(throws: RestoreError.checkpoint("its checksum is another")) { try read(bytes) }
      }
    }
    #expect(throws: RestoreError.checkpoint("its checksum is another")) { try read(whole, of: "r2") }
  }

  @Test(
    arguments: [
      ([], "it is empty"), ([1, 0, 0, 0, 0], "it is cut short"), ([2, 0, 0, 0, 0, 0, 0, 0, 0, 0], "it is cut short"),
      ([1, 9, 0, 0, 0, 0, 0, 0, 0, 0], "it is of no kind"),
    ] as [([UInt8], String)])
  func whatIsNoRecordOfARoomIsRefused(bytes: [UInt8], why: String) {
    #expect(throws: RestoreError.checkpoint(why)) { try read(bytes) }
  }
}

@Suite struct SavepointTests {
  private func read(_ text: String) throws -> Savepoint { try Array(text.utf8).withUnsafeBytes { try Savepoint($0) } }

  @Test func whatIsWrittenIsReadBack() throws {
    let savepoint = Savepoint(offset: 5, metadata: .nothing(before: 3, partitions: 2))
    #expect(savepoint.text.hasPrefix("5 " + savepoint.metadata.text + " "))
    #expect(try read(savepoint.text) == savepoint)
  }

  @Test(arguments: ["", "5", "5 ", "five {}", "{}"]) func whatIsNoneIsRefused(text: String) {
    #expect(throws: RestoreError.self) { try read(text) }
  }

  @Test func aCharacterThatIsWrongIsNoticed() {
    let whole = Array(Savepoint(offset: 5, metadata: .nothing(before: 3, partitions: 2)).text.utf8)
    for at in whole.indices {
      var bytes = whole
      bytes[at] ^= 1
      #expect(throws: RestoreError.damagedMetadata, "\(at)") { try bytes.withUnsafeBytes { try Savepoint($0) } }
    }
  }
}
