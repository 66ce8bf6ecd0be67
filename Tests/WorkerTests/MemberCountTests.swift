import Platform
import Testing
import Worker

@Suite struct MemberCountTests {
  private func count(_ cores: Int, _ partitions: [String: Int32], asked: Int? = nil) -> Int {
    MemberCount(asked: asked, cores: UsableCores(affinity: cores, quota: nil), partitions: partitions).count
  }

  @Test func theLeastOfCoresAndTheMostPartitions() {
    #expect(count(4, ["gifts": 8, "wishes": 2]) == 4)
    #expect(count(4, ["gifts": 1, "wishes": 3]) == 3)
    #expect(count(4, ["gifts": 1]) == 1)
    #expect(count(200, ["gifts": 100]) == 64)
    #expect(count(4, [:]) == 1)
  }

  @Test func whatIsAskedForStays() {
    #expect(count(2, ["gifts": 1], asked: 5) == 5)
    #expect(count(8, ["gifts": 8], asked: 1) == 1)
  }

  @Test func theReasonNamesWhatBounds() {
    let partitions: [String: Int32] = ["gifts": 8]
    func reason(_ asked: Int?, quota: Double?) -> String {
      MemberCount(asked: asked, cores: UsableCores(affinity: 4, quota: quota), partitions: partitions).reason
    }
    #expect(reason(nil, quota: 1.5) == "cores: 2 (cgroup quota), most partitions of an input: 8")
    #expect(reason(nil, quota: nil) == "cores: 4 (CPU affinity), most partitions of an input: 8")
    #expect(reason(3, quota: nil) == "worker.members")
  }
}
