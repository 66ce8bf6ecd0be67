import RoomModel
import Wire

/// Rules for published results, whatever happened to the workers that published them.
///
/// Budgets are not in results; here each rain of the crowd has less than ``budget``.
enum RainLedger {
  static let budget: Int64 = 60

  /// Nil: a user opened each packet once, and no rain paid more than its budget.
  static func breach(of results: some Sequence<String>) -> String? {
    var opened: Set<String> = []
    var paid: [String: Int64] = [:]
    var decoder = ResultDecoder()
    for text in results {
      let breach: String? = Array(text.utf8).withUnsafeBytes { bytes in
        guard let result = (try? decoder.decode(value: bytes, contentType: nil))?.result else {
          return "not a result: \(text)"
        }
        guard result.outcome == .won || result.outcome == .empty else { return nil }
        let rain = "\(result.roomId) \(result.rainId)"
        paid[rain, default: 0] += result.coins
        if paid[rain]! >= budget { return "more than the budget: \(text)" }
        let isFirst = opened.insert("\(rain) \(result.packet) \(result.userId)").inserted
        return isFirst ? nil : "opened twice: \(text)"
      }
      if let breach { return breach }
    }
    return nil
  }
}
