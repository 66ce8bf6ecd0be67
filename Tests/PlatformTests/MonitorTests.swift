import Platform
import Testing

struct MonitorTests {
  @Test func nothingIsLostBetweenThreads() {
    let count = Monitor(0)
    let threads = (0..<4).map { _ in
      SystemThread { for _ in 0..<10_000 { count.change { $0 += 1 } } }
    }
    #expect(count.wait { $0 == 40_000 ? "all" : nil } == "all")
    for thread in threads { thread.join() }
    #expect(count.read { $0 } == 40_000)
  }

  @Test func whoWaitsHearsOfEachChange() {
    let turn = Monitor(0)
    let other = SystemThread {
      for n in stride(from: 1, to: 1000, by: 2) {
        turn.wait { $0 == n ? () : nil }
        turn.change { $0 += 1 }
      }
    }
    for n in stride(from: 0, to: 1000, by: 2) {
      turn.wait { $0 == n ? () : nil }
      turn.change { $0 += 1 }
    }
    other.join()
    #expect(turn.read { $0 } == 1000)
  }
}
