import RoomScreen
import Testing

struct CommandIDTests {
  private func text(_ topic: String, _ partition: Int32, _ offset: Int64, _ place: Int64?) -> ID {
    Array(topic.utf8).withUnsafeBytes {
      CommandID.text(topic: $0, partition: partition, offset: offset, place: place)
    }
  }

  @Test(
    arguments: [
      ("im.gifts", 0, 17, 3), ("t", .max, .max, .max), ("阿", 10, 0, 0), ("im.gifts", 5, 16, nil),
      ("t", .min, .min, nil),
      ("", 1, 2, 3), ("9", 9, 9, 9),
    ] as [(String, Int32, Int64, Int64?)])
  func whatIsPrintedIsParsed(topic: String, partition: Int32, offset: Int64, place: Int64?) throws {
    let id = text(topic, partition, offset, place)
    #expect(id.string == "\(topic)/\(partition)/\(offset)" + (place.map { "/\($0)" } ?? ""))
    let parts = try #require(CommandID(id))
    #expect(parts.partition == partition && parts.offset == offset && parts.place == place)
    #expect(String(Substring(id.string.utf8.prefix(parts.topicCount))) == topic)
    #expect(String(Substring(id.string.utf8.prefix(parts.logCount))) == "\(topic)/\(partition)")
  }

  @Test(arguments: [
    "", "/", "///", "t", "t/0", "t/0/", "t/0/1/", "t/0//1", "t/x/1/0", "t/0/x/0", "t/0/1/x", "a/t/0/1/0",
    "t/2147483648/1/0",
    "t/0/9223372036854775808/0", "t/0/9223372036854775809/0", "t/0/-9223372036854775809/0",
    "t/0/99999999999999999999/0",
    "t/0/1/-", "t/0/1/0 ", "t/0/+-1/0", "t/0/１/0",
  ])
  func whatIsNoIDIsNone(text: String) { #expect(CommandID(ID(text)) == nil) }
}
