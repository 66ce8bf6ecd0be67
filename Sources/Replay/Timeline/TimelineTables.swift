import RoomModel
import Wire

/// Rows packed for a page: those of one kind with the same members are a table, written column by column, which is less
/// than a third of what the rows would be, and compresses well.
///
/// A block is a line of JSON: `[[shared…],[kind,[column…],[value…]…]…]`. A column's name begins with how it is read: `#`
/// each number is more than the one above by that; `+` after the row's `s` or `t`; `=` as it is; `$` an index of what is
/// shared, which counts on from block to block, and names all members between commas; `@` two numbers a row, an offset, by
/// how much it is more than the one above, and a place, of a command of the row's partition `p`; `%` of each row a list of
/// times and counts, each more than the last by that, the first time after the row's.
struct TimelineTables {
  private var tables: [TimelineTable] = []
  private var places: [String: Int] = [:]
  private var shared: [[String]: Int] = [:]
  private var newlyShared: [UInt8] = []
  /// The size of the block, but for the heads of its tables.
  private(set) var count = 0

  mutating func row(_ kind: StaticString, _ members: (inout TimelineRow) -> Void) {
    var row = TimelineRow(kind)
    members(&row)
    append(row)
  }

  private mutating func append(_ row: TimelineRow) {
    let shape = row.members.map { $0.value.sign + "\($0.name)" }
    let key = "\(row.kind) " + shape.joined(separator: " ")
    if places[key] == nil {
      places[key] = tables.count
      tables.append(TimelineTable(kind: "\(row.kind)", shape))
    }
    let table = places[key]!
    let time = row.time
    for (column, (_, value)) in row.members.enumerated() {
      let before = tables[table].columns[column].count
      if before > 0 { tables[table].columns[column].append(UInt8(ascii: ",")) }
      switch value {
      case .number(let number): tables[table].append(number, column)
      case .after(let after): tables[table].columns[column] += "\(after - time)".utf8
      case .text(let text): tables[table].columns[column].string(text)
      case .shared(let texts):
        let index = share(texts)
        tables[table].columns[column] += "\(index)".utf8
      case .command(let name):
        tables[table].append(name.offset, column)
        tables[table].columns[column] += ",\(name.place)".utf8
      case .steps(let steps): tables[table].append(steps, after: time, column)
      }
      count += tables[table].columns[column].count - before
    }
  }

  private mutating func share(_ texts: [String]) -> Int {
    if let index = shared[texts] { return index }
    let index = shared.count
    shared[texts] = index
    let before = newlyShared.count
    if before > 0 { newlyShared += ",".utf8 }
    newlyShared += "[".utf8
    for (index, text) in texts.enumerated() {
      if index > 0 { newlyShared += ",".utf8 }
      newlyShared.string(text)
    }
    newlyShared += "]".utf8
    count += newlyShared.count - before
    return index
  }

  /// Takes out the rows since the last block.
  mutating func takeBlock() -> [UInt8] {
    var block = Array("[[".utf8) + newlyShared + "]".utf8
    for table in tables {
      block += table.head
      for column in table.columns {
        block += ",[".utf8
        block += column
        block += "]".utf8
      }
      block += "]".utf8
    }
    block += "]".utf8
    (tables, places, newlyShared, count) = ([], [:], [], 0)
    return block
  }
}

/// Its columns so far, as JSON without brackets.
private struct TimelineTable {
  let head: [UInt8]
  var columns: [[UInt8]]
  /// The last number of each column.
  private var above: [Int64]

  init(kind: String, _ shape: [String]) {
    var head = Array(",[\"\(kind)\",[".utf8)
    for (index, name) in shape.enumerated() {
      if index > 0 { head += ",".utf8 }
      head.string(name)
    }
    self.head = head + "]".utf8
    columns = Array(repeating: [], count: shape.count)
    above = Array(repeating: 0, count: shape.count)
  }

  mutating func append(_ number: Int64, _ column: Int) {
    columns[column] += "\(number &- above[column])".utf8
    above[column] = number
  }

  mutating func append(_ steps: [(at: LogTime, count: Int64)], after time: LogTime, _ column: Int) {
    var last = (at: time, count: Int64(0))
    columns[column] += "[".utf8
    for (index, step) in steps.enumerated() {
      if index > 0 { columns[column] += ",".utf8 }
      columns[column] += "\(step.at &- last.at),\(step.count &- last.count)".utf8
      last = step
    }
    columns[column] += "]".utf8
  }
}

extension Array where Element == UInt8 {
  /// Appends the text as a JSON string.
  fileprivate mutating func string(_ text: String) {
    var json = ByteBuffer(capacity: text.utf8.count)
    json.appendEscaped(string: text)
    append(UInt8(ascii: "\""))
    append(contentsOf: json.bytes)
    append(UInt8(ascii: "\""))
  }
}
