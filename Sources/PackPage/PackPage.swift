import Foundation
import PackagePlugin

/// Runs `Sources/Page/pack` whenever a file of the page has changed.
@main struct PackPage: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let script = target.directoryURL.appending(path: "pack")
    let site = FileManager.default.enumerator(
      at: target.directoryURL.appending(path: "site"), includingPropertiesForKeys: [.isRegularFileKey])
    let files = (site?.allObjects as? [URL] ?? []).filter {
      (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
    }
    return [
      .buildCommand(
        displayName: "Packing the page", executable: script, arguments: [context.pluginWorkDirectoryURL.path],
        inputFiles: [script] + files.sorted { $0.path < $1.path },
        outputFiles: [context.pluginWorkDirectoryURL.appending(path: "Files.swift")])
    ]
  }
}
