/// Room for what becomes of single records of a producer, for as many as may be on their way at the same time.
///
/// On the producer's thread. A receipt is given back once its outcome is more than `.waiting`, or when its producer is closed.
package final class DeliveryReceipts {
  package enum Outcome: Hashable, Sendable {
    case waiting
    /// The broker has it, here; -1: it didn't report where.
    case delivered(offset: Int64)
    /// The broker refused it, or didn't answer in time; then it may have it all the same.
    case failed
  }

  /// The slot of one record's delivery report.
  package struct Receipt {
    fileprivate let slot: UnsafeMutablePointer<Int64>

    var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(slot) }
  }

  private var free: [UnsafeMutablePointer<Int64>]

  package init(_ producer: Producer, capacity: Int) {
    let slots = producer.slots(capacity)
    free = (0..<capacity).map { slots + $0 }
  }

  /// Nil: as many as may be are on their way.
  package func take() -> Receipt? {
    guard let slot = free.popLast() else { return nil }
    slot.pointee = Inbox.noReport
    return Receipt(slot: slot)
  }

  package func outcome(of receipt: Receipt) -> Outcome {
    switch receipt.slot.pointee {
    case Inbox.noReport: .waiting
    case Inbox.failureReport: .failed
    case let offset: .delivered(offset: max(-1, offset))
    }
  }

  package func giveBack(_ receipt: Receipt) { free.append(receipt.slot) }
}
