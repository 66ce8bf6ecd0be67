import Foundation
import PackagePlugin

/// Makes a target's Swift of events and commands whenever the schema has changed.
@main struct RunMakeMessages: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let schema = context.package.directoryURL.appending(path: "Schemas/flyscreen.proto")
    let output = context.pluginWorkDirectoryURL.appending(path: "Messages.swift")
    return [
      .buildCommand(
        displayName: "Making the messages of \(target.name)", executable: try context.tool(named: "MakeMessages").url,
        arguments: [schema.path, target.name, output.path], inputFiles: [schema], outputFiles: [output])
    ]
  }
}
