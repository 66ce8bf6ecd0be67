import JSON
import Kafka
import Recovery
import Testing
import Wire
import Worker

/// Dead letters that are too large for their topic.
struct DeadLetterTests {
  private struct Letter {
    var key: [UInt8]?
    var value: [UInt8]?
    var headers: [(name: String, value: [UInt8]?)]

    func note(_ name: String) -> String? {
      headers.last { $0.name == name }?.value.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The least number of its bytes in a batch without compression.
    var byteCount: Int {
      61 + (key?.count ?? 0) + (value?.count ?? 0)
        + headers.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
    }
  }

  private func send(
    key: [UInt8]?, value: [UInt8]?, headers: Outbox.Headers = [], limit: Int
  ) throws -> Letter {
    var scratch = TaskScratch()
    var outbox = Outbox()
    let task = try PartitionTask.new(before: 5, scratch: &scratch)
    func bytes(_ part: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> Void) {
      if let part { part.withUnsafeBytes { body($0) } } else { body(nil) }
    }
    bytes(key) { key in
      bytes(value) { value in
        task.sendToDeadLetters(
          InputRecord(offset: 7, timestampMs: 0, key: key, value: value, contentType: nil), headers: headers,
          reason: NotUnderstood(.noRoom, "no room"), limit: limit, to: &outbox)
      }
    }
    let entry = outbox.entries[0]
    return Letter(
      key: outbox.key(of: entry).map(Array.init), value: outbox.value(of: entry).map(Array.init),
      headers: outbox.headers[entry.headers])
  }

  private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

  @Test func whatFitsIsAsItCame() throws {
    let headers: Outbox.Headers = [("trace", [1, 2]), ("none", nil)]
    let letter = try send(key: bytes(10), value: bytes(5000), headers: headers, limit: 6000)
    #expect(letter.key == bytes(10) && letter.value == bytes(5000))
    #expect(letter.headers.map(\.name).prefix(2) == ["trace", "none"])
    #expect(letter.note("flyscreen-cut") == nil)
    #expect(try send(key: nil, value: nil, limit: 6000).value == nil)
  }

  @Test func `a batch that is not unpacked is one dead letter, and a line of the journal`() throws {
    var scratch = TaskScratch()
    var outbox = Outbox()
    let task = try PartitionTask.new(before: 5, scratch: &scratch)
    outbox.removeAll()
    let record = InputRecord(offset: 9, timestampMs: 7000, key: nil, value: nil, contentType: nil, isPassed: true)
    let batch = PassedBatch(first: 6, last: 9, records: 4, bytes: 13_000, limit: 67_108_864)
    let reason = try #require(task.pass(batch, record, scratch: &scratch, to: &outbox))
    #expect(reason.reason == .batchTooLarge)
    #expect(reason.description.contains("offsets 6 to 9") && reason.description.contains("13000"))
    task.sendToDeadLetters(record, headers: [], reason: reason, to: &outbox)
    #expect(task.nextOffset == 10 && task.clock == 7000 && task.counts.deadLetters == 1)
    let entries = outbox.entries
    #expect(entries.map(\.target) == [.journal, .deadLetters])
    var document = JSONDocument()
    let line = try outbox.value(of: entries[0]).map { try JournalLine(json: $0, with: &document) }
    #expect(line == JournalLine(offset: 5, what: .passed(through: 9, at: 7000)))
    #expect(outbox.value(of: entries[1]) == nil)
    let again = task.pass(batch, record, scratch: &scratch, to: &outbox)
    #expect(again == nil)
  }

  @Test func theValueIsCutFirst() throws {
    let letter = try send(key: bytes(10), value: bytes(50_000), headers: [("trace", [1, 2])], limit: 6000)
    let value = try #require(letter.value)
    #expect(value == Array(bytes(50_000).prefix(value.count)))
    #expect((5000..<6000).contains(value.count))
    #expect(letter.key == bytes(10) && letter.headers[0].name == "trace")
    #expect(letter.note("flyscreen-cut") == "value=50000 headers=7 key=10")
    #expect(letter.note("flyscreen-offset") == "7")
  }

  @Test func thenHeadersFromTheLastOnAndThenTheKey() throws {
    let headers: Outbox.Headers = [("a", bytes(1000)), ("b", bytes(10_000)), ("c", bytes(10))]
    let half = try send(key: bytes(100), value: bytes(50_000), headers: headers, limit: 6000)
    #expect(half.value == [] && half.key == bytes(100))
    #expect(half.headers.map(\.name).first == "a" && !half.headers.contains { $0.name == "b" || $0.name == "c" })
    let all = try send(key: bytes(50_000), value: nil, headers: headers, limit: 6000)
    #expect(all.value == nil)
    #expect(all.headers.allSatisfy { $0.name.hasPrefix("flyscreen-") })
    #expect(try #require(all.key).count > 5000)
    #expect(all.note("flyscreen-cut") == "value=0 headers=11013 key=50000")
  }

  /// One that was compressed may have very many.
  @Test(.timeLimit(.minutes(2))) func ofHeadersWithoutNumberAsManyStayAsThereIsRoomFor() throws {
    let headers: Outbox.Headers = (0..<300_000).map { ("\($0)", nil) }
    let letter = try send(key: [], value: [], headers: headers, limit: 100_000)
    let kept = letter.headers.filter { !$0.name.hasPrefix("flyscreen-") }
    #expect(kept.map(\.name) == (0..<kept.count).map(String.init))
    #expect((5000..<10_000).contains(kept.count))
    let digits = headers.reduce(0) { $0 + $1.name.utf8.count }
    #expect(letter.note("flyscreen-cut") == "value=0 headers=\(digits) key=0")
  }

  /// Of any record, however long each part of it is.
  @Test func nothingIsLongerThanItMayBe() throws {
    for (key, value, header) in [(0, 0, 9000), (9000, 0, 0), (0, 9000, 0), (3000, 3000, 3000), (4096, 1, 4096)] {
      for limit in [2048, 4096, 8192] {
        let letter = try send(
          key: bytes(key), value: bytes(value), headers: [("h", bytes(header))], limit: limit)
        #expect(letter.byteCount <= limit)
        #expect((letter.note("flyscreen-cut") == nil) == (letter.byteCount > key + value + header))
      }
    }
  }
}
