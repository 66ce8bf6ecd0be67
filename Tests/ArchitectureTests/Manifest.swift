import Foundation

/// The targets that Package.swift declares, read from its text.
enum Manifest {
  struct Target: CustomStringConvertible, Sendable {
    let name: String
    let dependencies: [String]
    let isTest: Bool
    /// The folder of its sources, from the root.
    let folder: String

    var description: String { name }
  }

  static let targets: [Target] = {
    let text = SourceTree.files.first { $0.path == "Package.swift" }!.code.joined(separator: "\n")
    let begins = text.matches(
      of: /\b(library\(|tests\(|(?:target|executableTarget|systemLibrary|plugin)\(\s*name:)\s*"(\w+)"/)
    return begins.indices.map { i in
      let rest = text[
        begins[i].range.upperBound..<(i + 1 < begins.count ? begins[i + 1].range.lowerBound : text.endIndex)]
      let list = rest.prefixMatch(of: /,\s*(?:dependencies:\s*)?\[([^\]]*)\]/)?.output.1 ?? ""
      let name = String(begins[i].output.2)
      let isTest = begins[i].output.1 == "tests("
      return Target(
        name: name, dependencies: list.matches(of: /"(\w+)"/).map { String($0.output.1) }, isTest: isTest,
        folder: rest.firstMatch(of: /path: "([^"]+)"/).map { String($0.output.1) }
          ?? (isTest ? "Tests/\(name)" : "Sources/\(name)"))
    }
  }()

  static func dependencies(of target: String) -> [String] { targets.first { $0.name == target }?.dependencies ?? [] }
}
