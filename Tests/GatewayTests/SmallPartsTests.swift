import Gateway
import Kafka
import Settings
import Synchronization
import Testing

struct StreamPositionTests {
  @Test(arguments: [
    [], [PartitionPosition(offset: -1, check: 0)],
    [PartitionPosition(offset: 0, check: 1), PartitionPosition(offset: .max - 1, check: .max)],
  ])
  func itComesBackAsItWas(positions: [PartitionPosition]) throws {
    let position = StreamPosition(list: 0xabc, positions: positions)
    #expect(try #require(StreamPosition(String(decoding: position.text, as: UTF8.self))) == position)
  }

  @Test func itTellsHowFarResultsHaveBeenTold() throws {
    let position = StreamPosition(
      list: 1, positions: [PartitionPosition(offset: 1, check: 2)], resultsMs: 1_795_335_505_713)
    #expect(String(decoding: position.text, as: UTF8.self) == "1-2.2~1a20255c731")
    #expect(StreamPosition("1-2.2~1a20255c731") == position)
    #expect(StreamPosition("1-2.2")?.resultsMs == 0, "the position's form before there were results")
  }

  @Test(arguments: [
    "", "-", "x", "1-", "1-2", "1-2.", "1-.2", "1--2.3", "1-2.3-", "1-ffffffffffffffff.1", "1-2.100000000",
    "1-2.2~", "1-2.2~0", "1-2.2~-1", "1-2.2~x", "1-2.2~1~1", "~1",
  ])
  func whatIsNoneOfOursIsNone(text: String) {
    #expect(StreamPosition(text) == nil)
  }
}

struct ClientAddressTests {
  private let address = ClientAddress(trusted: ["10.0.0.0/8", "::1"].compactMap(Network.init))

  @Test func aPeerThatNobodyTrustsIsTheClientWhateverItSays() {
    #expect(address.of(peer: "203.0.113.7") { "198.51.100.1" } == "203.0.113.7")
  }

  @Test func ofATrustedProxyTheRightmostThatIsNotTrustedCounts() {
    #expect(address.of(peer: "10.0.0.1") { "198.51.100.1, 203.0.113.7, 10.9.9.9" } == "203.0.113.7")
    #expect(address.of(peer: "::1") { "2001:db8::5" } == "2001:db8::5")
    #expect(address.of(peer: "10.0.0.1") { "" } == "10.0.0.1")
    #expect(address.of(peer: "10.0.0.1") { "10.0.0.2, 10.0.0.3" } == "10.0.0.2")
  }

  @Test func whatIsNoAddressEndsTheWay() {
    #expect(address.of(peer: "10.0.0.1") { "203.0.113.7, made up, 10.0.0.2" } == "10.0.0.2")
  }

  /// A comma is one whatever a client put before it: here a sign that joins what follows.
  @Test func whatAClientMakesUpHidesNotWhatItsProxyAdds() {
    #expect(address.of(peer: "10.0.0.1") { "\u{600}, 203.0.113.7" } == "203.0.113.7")
  }
}

struct TokenBucketsTests {
  @Test func aBurstIsTakenAndThenSoManyASecond() {
    let buckets = TokenBuckets<String>(perSecond: 2, burst: 3)
    #expect((0..<4).map { _ in buckets.take("a", nowMs: 0) } == [nil, nil, nil, 500])
    #expect(buckets.take("b", nowMs: 0) == nil, "another's are its own")
    #expect(buckets.take("a", nowMs: 499) == 1)
    #expect(buckets.take("a", nowMs: 500) == nil)
    #expect((0..<4).map { _ in buckets.take("a", nowMs: 100_000) } == [nil, nil, nil, 500])
  }
}

struct EventForSeveralTopicsTests {
  /// It is answered once: when all topics have it, or as soon as one has failed, whatever the others do.
  @Test(arguments: 1...4) func itsFateIsToldOnce(count: Int) {
    let delivered = (0..<count).map { EventIntake.Outcome.delivered(TopicPartition("t\($0)", 0), offset: 7) }
    for failing in [[]] + (0..<count).flatMap({ first in (first..<count).map { [first, $0] } }) {
      let outcomes = delivered.indices.map { failing.contains($0) ? .failed("\($0)") : delivered[$0] }
      let told = Mutex<[(after: Int, outcome: EventIntake.Outcome)]>([])
      let given = Atomic(0)
      let reply = EventIntake.reply(once: count) { outcome in
        told.withLock { $0.append((given.load(ordering: .relaxed), outcome)) }
      }
      for outcome in outcomes {
        given.add(1, ordering: .relaxed)
        reply(outcome)
      }
      let last = failing.first ?? count - 1
      let all = told.withLock { $0 }
      #expect(all.map(\.after) == [last + 1] && all.map(\.outcome) == [outcomes[last]], "\(outcomes)")
    }
  }
}
