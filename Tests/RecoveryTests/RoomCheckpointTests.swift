import Recovery
import Testing

@Suite struct RoomCheckpointTests {
  private func read(_ bytes: [UInt8]) throws -> RoomCheckpoint {
    try bytes.withUnsafeBytes { try RoomCheckpoint($0) }
  }

  @Test func whatIsWrittenIsReadBack() throws {
    var bytes: [UInt8] = []
    RoomCheckpoint.header(offset: 0x0102_0304, isLast: true, into: &bytes)
    #expect(bytes == [1, 1, 4, 3, 2, 1, 0, 0, 0, 0])
    let checkpoint = try read(bytes + [7, 8])
    #expect(checkpoint.offset == 0x0102_0304)
    #expect(checkpoint.isLast)
    #expect(checkpoint.state == [7, 8])
  }

  @Test(
    arguments: [
      ([], "it is empty"), ([2, 0, 0, 0, 0, 0, 0, 0, 0, 0], "version 2 is not known here"),
      ([1, 0, 0, 0, 0], "it is cut short"),
    ] as [([UInt8], String)])
  func whatIsNoCheckpointIsRefused(bytes: [UInt8], why: String) {
    #expect(throws: RestoreError.checkpoint(why)) { try read(bytes) }
  }
}

@Suite struct SavepointTests {
  private func read(_ text: String) throws -> Savepoint { try Array(text.utf8).withUnsafeBytes { try Savepoint($0) } }

  @Test func whatIsWrittenIsReadBack() throws {
    let savepoint = Savepoint(offset: 5, metadata: .nothing(before: 3, partitions: 2))
    #expect(savepoint.text == "5 " + savepoint.metadata.text)
    #expect(try read(savepoint.text) == savepoint)
  }

  @Test(arguments: ["", "5", "5 ", "five {}", "{}"]) func whatIsNoneIsRefused(text: String) {
    #expect(throws: RestoreError.self) { try read(text) }
  }
}
