import RoomEngine
import RoomModel
import TestSupport
import Testing

/// Duplicates of every log, held against a plain list of all that came.
struct DuplicateLaws {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func duplicatesAreThoseOfAPlainList(seed: UInt64) {
    struct Key: Hashable {
      var room: Int64
      var id: Int64
    }
    var random = SplitMix64(seed: seed)
    var log = PartitionLog(settings: EngineSettings(), hashSeed: seed, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var ends: [Key: LogTime] = [:]
    var now: LogTime = 0
    for offset in 0..<5000 as Range<Int64> {
      now += random.number(0...40)
      if random.once(in: 400) {
        var settings = log.settings
        settings.dedupe.windowMs = random.one(of: [0, 100, 1000, 20_000])
        log.change(to: settings)
      }
      let key = Key(room: random.number(0...2), id: random.number(0...600))
      let event = RoomEvent.like("u", "w", id: "id \(key.id)", room: "r\(key.room)")
      let applied = log.apply(offset: offset, timestampMs: now, event: event, into: &batch)
      #expect((applied == .duplicate) == (now < ends[key, default: .min]))
      ends[key] = max(ends[key, default: .min], now + log.settings.dedupe.windowMs)
    }
  }
}
