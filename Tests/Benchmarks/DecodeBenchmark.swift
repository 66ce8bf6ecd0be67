import JSON
import RoomModel
import Simulation
import Wire

/// Reading alone: gifts of the backlog, from their bytes to the words of the model, checked in full.
enum DecodeBenchmark {
  /// Of the formats only that which `--format` names, if it does.
  static func run(_ options: Options) throws {
    let count = try options.integer("count") ?? 300_000
    for format in Format.allCases where options["format"] ?? format.rawValue == format.rawValue {
      let records = EncodedBacklog(count: count, format: format)
      var decoder = EventDecoder()
      var values: Int64 = 0
      let time = least(passes: 7) {
        values = 0
        for index in 0..<count {
          let record = records[index]
          do throws(NotUnderstood) {
            let event = try decoder.decode(
              key: record.key, value: record.value, contentType: format.contentType.bytes, keyRule: .roomId)
            if case .gift(let gift) = event.body { values += gift.value }
          } catch {
            fatalError("the backlog can't be read: \(error.description)")
          }
        }
      }
      Report.line(
        "decode \(format.rawValue)", ("ns", Report.each(time, count)),
        ("events/s", Report.perSecond(count, nanoseconds: time)), ("bytes", "\(records.bytes / count)"),
        ("sum", "\(values)"))
    }
  }
}

/// The backlog's records, one after the other in memory.
struct EncodedBacklog: ~Copyable {
  private var values = ByteBuffer(capacity: 1 << 20)
  private var ends: [Int] = [0]
  private var roomIds: [Text] = []
  private var backlog: Backlog

  init(count: Int, format: Format) {
    backlog = Backlog(count: count, pace: .flood)
    let encoder = EventEncoder(format: format)
    while let (_, event) = backlog.next() {
      encoder.encode(event, into: &values)
      ends.append(values.count)
      roomIds.append(event.roomId)
      backlog.forget()
    }
  }

  var bytes: Int { values.count }

  subscript(index: Int) -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    (
      roomIds[index].bytes,
      UnsafeRawBufferPointer(start: values.base + ends[index], count: ends[index + 1] - ends[index])
    )
  }
}
