/// Tells likes from taps (STAGES.md, section 5). `Tests/ClientCases/taps.json` has the cases.
///
/// ``Taps`` does so and sends the likes; this is for who sends them otherwise.
public struct TapRecogniser: Sendable {
  /// A tap so soon after one that is no like is a like, and one so soon after a like.
  private static let double: Duration = .milliseconds(300)
  private static let streak: Duration = .seconds(1)

  private var last: Duration?
  private var isLiking = false

  /// One that has seen no tap.
  public init() {}

  /// A finger touched the stage, and nothing on it that is tapped for its own sake.
  ///
  /// - Parameter now: the time since some moment, by a clock that only moves forward.
  /// - Returns: whether it is a like.
  public mutating func tap(at now: Duration) -> Bool {
    let span = isLiking ? Self.streak : Self.double
    isLiking = last.map { now - $0 < span } ?? false
    last = now
    return isLiking
  }
}
