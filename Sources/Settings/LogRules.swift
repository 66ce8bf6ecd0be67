/// The number of the rules of STAGES.md, which decide the commands of a log. Any change that gives other commands of
/// the same log, with all settings written out, raises it.
package enum LogRules {
  /// The rules of this program, which knows no others.
  package static let current: Int64 = 4

  /// The reason, in a line, why a log that other rules worked through may give other commands now.
  package static func changed(since rules: Int64) -> String {
    "it was worked through under rules \(rules), and this program has rules \(current) (see CHANGELOG.md)"
  }
}
