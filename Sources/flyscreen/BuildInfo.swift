import Build
import Page
import Probes
import Recovery

/// The program's version and build, for `--version` and for metrics.
enum BuildInfo {
  /// The page and the JavaScript client have the same.
  static let version = pageVersion

  /// The commit, with `-dirty` if files were changed; `unknown`: the build was not told.
  static let commit = String(cString: flyscreen_commit())

  /// The numbers of the forms that it writes. Builds that share them may be rolled one by one.
  static let forms: [(name: String, number: Int64)] = [
    ("commits", CommitMetadata.version), ("rooms", Int64(RoomRecord.version)), ("journals", JournalLine.version),
  ]

  static var text: String {
    let forms = forms.map { "\($0.name) \($0.number)" }.joined(separator: ", ")
    return "flyscreen \(version) (commit \(commit))\nforms: \(forms)"
  }

  static func register(in metrics: Metrics) {
    metrics.gauge(
      "flyscreen_build_info", "1; the labels name the build and the numbers of the forms that it writes.",
      [("version", version), ("commit", commit)] + forms.map { ($0.name, String($0.number)) }
    ).set(1)
  }
}
