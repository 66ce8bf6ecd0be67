import CRdKafka
import Glibc
import Platform

/// A broker that answers is not all that a question needs: the partition's leader or the group's coordinator may be away
/// for some seconds, or just begin.
extension Client {
  private static let pauseMicroseconds: UInt32 = 100_000

  /// Asks again where somebody else will have the answer soon, until the time is over.
  ///
  /// - Parameter body: asks once, within the milliseconds that it is given.
  func patiently<R>(_ timeoutMs: Int32, _ body: (Int32) throws(KafkaError) -> R) throws(KafkaError) -> R {
    let endMs = MonotonicClock.nowMs() + Int64(timeoutMs)
    while true {
      let leftMs = Int32(clamping: max(1, endMs - MonotonicClock.nowMs()))
      do throws(KafkaError) {
        let answer = try body(leftMs)
        inbox.areAllAway = false
        return answer
      } catch {
        guard error.isOfElections, MonotonicClock.nowMs() + 100 < endMs else { throw explained(error) }
        poll()
        usleep(Self.pauseMicroseconds)
      }
    }
  }

  /// Whether a broker has answered, and not all are away since.
  var isAnswered: Bool {
    guard !inbox.areAllAway, let cluster = rd_kafka_clusterid(handle, 0) else { return false }
    rd_kafka_mem_free(handle, cluster)
    return true
  }

  /// Judges an error after its time limit: a broker that answered is reachable, and a topic without a leader exists.
  func judged(_ error: KafkaError) -> KafkaError {
    var judged = error
    if error.isOfElections { judged.kind = .unreachable }
    judged.isAnswered = judged.kind == .unreachable && isAnswered
    return judged
  }
}
