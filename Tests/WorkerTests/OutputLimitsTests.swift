import Testing
import Worker

struct OutputLimitsTests {
  private func limits(_ told: [String: Int] = [:], producer: Int = 100_000_000) -> OutputLimits {
    var limits = OutputLimits(producerBytes: producer)
    limits.read(told.mapValues { ["max.message.bytes": "\($0)"] })
    return limits
  }

  @Test func aRecordIsLessThanItsTopicTakesAndABatchLessThanAny() {
    let limits = limits(["a": 1_048_588, "b": 100_000])
    #expect((1_000_000..<1_048_588).contains(limits.recordBytes(for: "a")))
    #expect((99_000..<100_000).contains(limits.recordBytes(for: "b")))
    #expect(limits.batchBytes == limits.recordBytes(for: "b"))
  }

  @Test func whereNothingIsToldTheProducersOwnBoundHolds() {
    #expect(limits(producer: 5000).recordBytes(for: "a") == 5000)
    #expect(limits(["a": 1_048_588], producer: 5000).recordBytes(for: "a") == 5000)
    #expect(limits().batchBytes == .max)
  }

  @Test func aSegmentIsABoundToo() {
    var limits = limits()
    limits.read(["a": ["max.message.bytes": "3000000", "segment.bytes": "1048576"]])
    #expect(limits.recordBytes(for: "a") < 1_048_576)
  }

  @Test func whatARefusalTellsIsTakenOver() {
    var limits = limits(["a": 3_000_000])
    limits.refused("a", ["a": ["max.message.bytes": "500000"]])
    #expect((490_000..<500_000).contains(limits.recordBytes(for: "a")))
  }

  /// Otherwise the same record would be refused for ever.
  @Test(arguments: [[:], ["a": 3_000_000]])
  func aRefusalThatNothingExplainsLowersTheLimitUntilThereIsNone(told: [String: Int]) {
    var limits = limits(told)
    let settings = told.mapValues { ["max.message.bytes": "\($0)"] }
    var before = limits.recordBytes(for: "a")
    for _ in 0..<10 {
      limits.refused("a", settings)
      let now = limits.recordBytes(for: "a")
      #expect(now < before && now <= 1_048_588)
      before = now
    }
    #expect(limits.recordBytes(for: "b") == 100_000_000, "nothing was learned of another topic")
    // Raised by somebody: what was learned is of the past.
    limits.read(["a": ["max.message.bytes": "4000000"]])
    #expect(limits.recordBytes(for: "a") > 3_900_000)
  }
}
