/// The rules of STAGES.md, by number: which commands come of a log. Whatever gives other commands of the same log,
/// under settings that are named whole, makes it go up.
package enum LogRules {
  /// The rules of this program, which knows no others.
  package static let current: Int64 = 3

  /// The reason, in a line, why a log that other rules worked through may give other commands now.
  package static func changed(since rules: Int64) -> String {
    "it was worked through under rules \(rules), and this program has rules \(current) (see CHANGELOG.md)"
  }
}
