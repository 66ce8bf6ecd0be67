import Foundation
import Replay
import Testing

/// The rows that a page holds, as its script unpacks them, each a line of JSON: its kind, then its members in their order.
enum TimelineRows {
  static func of(_ page: String) throws -> [String] {
    let start = try #require(page.range(of: #"id="data">"#)).upperBound
    let end = try #require(page[start...].range(of: "</script>")).lowerBound
    let packed = try #require(Data(base64Encoded: String(page[start..<end])))
    let file = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString).gz")
    defer { try? FileManager.default.removeItem(at: file) }
    try packed.write(to: file)
    var log = try LogFile(path: file.path)
    var json = Data()
    while let line = try log.nextLine() { json += Data(line) }
    let blocks = try #require(try JSONSerialization.jsonObject(with: json) as? [[[Any]]])
    var (shared, names) = ([[String]](), [Int: String]())
    return try blocks.flatMap { block in
      shared += try #require(block[0] as? [[String]])
      return try block.dropFirst().flatMap { try rows(of: $0, shared, &names) }
    }
  }

  private static func rows(of table: [Any], _ shared: [[String]], _ names: inout [Int: String]) throws -> [String] {
    let kind = try #require(table[0] as? String)
    let heads = try #require(table[1] as? [String])
    let columns = try table.dropFirst(2).map { try #require($0 as? [Any]) }
    var above = heads.map { _ in Int64(0) }
    return try (0..<columns[0].count).map { row in
      var part = 0
      var time: Int64 = 0
      // Values relative to the row's time may stand before it.
      var members: [() -> String] = []
      for (column, head) in heads.enumerated() {
        let name = head.dropFirst()
        let value = columns[column][head.hasPrefix("@") ? 2 * row : row]
        switch head.prefix(1) {
        case "#":
          above[column] += try number(value)
          let number = above[column]
          if name == "p" { part = Int(number) }
          if name == "s" || name == "t" { time = number }
          members.append { "\"\(name)\":\(number)" }
        case "+":
          let after = try number(value)
          members.append { "\"\(name)\":\(time + after)" }
        case "=":
          let text = try #require(value as? String)
          if kind == "p" { names[part] = text }
          members.append { "\"\(name)\":\(quoted(text))" }
        case "$":
          for (name, text) in zip(name.split(separator: ","), shared[Int(try number(value))]) {
            members.append { "\"\(name)\":\(quoted(text))" }
          }
        case "@":
          above[column] += try number(value)
          let id = "\(try #require(names[part]))/\(above[column])/\(try number(columns[column][2 * row + 1]))"
          members.append { "\"\(name)\":\"\(id)\"" }
        default:
          let flat = try #require(value as? [Any]).map(number)
          members.append { "\"\(name)\":[\(steps(flat, from: time))]" }
        }
      }
      return "{\"k\":\"\(kind)\"" + members.map { "," + $0() }.joined() + "}"
    }
  }

  private static func number(_ value: Any) throws -> Int64 { try #require(value as? NSNumber).int64Value }

  private static func quoted(_ text: String) -> String {
    let bytes = (try? JSONSerialization.data(withJSONObject: [text], options: .withoutEscapingSlashes)) ?? Data()
    return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
  }

  private static func steps(_ flat: [Int64], from time: Int64) -> String {
    var (at, count) = (time, Int64(0))
    return stride(from: 0, to: flat.count, by: 2).map { i in
      at += flat[i]
      count += flat[i + 1]
      return "[\(at),\(count)]"
    }.joined(separator: ",")
  }
}
