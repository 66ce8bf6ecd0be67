import Foundation
import Replay
import Testing

/// The rows that a page holds, each a line of JSON: its kind, then its members in their order.
enum TimelineRows {
  static func of(_ page: String) throws -> [String] {
    let start = try #require(page.range(of: #"id="data">"#)).upperBound
    let end = try #require(page[start...].range(of: "</script>")).lowerBound
    let packed = try #require(Data(base64Encoded: String(page[start..<end])))
    let file = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString).gz")
    defer { try? FileManager.default.removeItem(at: file) }
    try packed.write(to: file)
    var log = try LogFile(path: file.path)
    var rows: [String] = []
    while let line = try log.nextLine() { rows.append(String(decoding: line, as: UTF8.self)) }
    // As the page's script does.
    _ = try JSONSerialization.jsonObject(with: Data(rows.joined().utf8))
    #expect(rows.first?.first == "[" && rows.last?.last == "]")
    return rows.enumerated().map { number, row in
      String(row.dropFirst(number == 0 ? 1 : 0).dropLast())
    }
  }
}
