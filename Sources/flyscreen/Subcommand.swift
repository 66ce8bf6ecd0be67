import Kafka
import Settings

/// One command of `flyscreen`.
struct Subcommand: Sendable {
  /// `worker`, `topics create`.
  let name: String
  /// One line, for the list of commands.
  let summary: String
  /// More lines of its help.
  var note = ""
  /// The arguments beside options, for the usage: `COMMAND-ID`.
  var operands = ""
  var options: [CommandOption] = []
  /// The options that it can't be run without.
  var needs: [String] = []
  /// Groups of settings, and single ones, that its help shows. It takes all.
  var settings: [String] = []
  /// Whether it says all that is wrong with the settings, and not the first thing alone.
  var tellsAllProblems = false
  let run: @Sendable (Invocation) throws -> ExitStatus

  var words: [String] { name.split(separator: " ").map(String.init) }
}

/// A command's arguments and all settings, checked.
struct Invocation: Sendable {
  let arguments: Arguments
  let configuration: Configuration
  /// The origin of each setting that is set.
  var origins: [String: Origin] = [:]
  var environment: [String: String] = [:]
}

extension Invocation {
  /// The file of `topics.mapping`; nil: none is named.
  func mapping() throws(SettingsError) -> MappingFile? {
    let path = configuration.topics.mapping
    return path.isEmpty ? nil : try MappingFile(path: path)
  }
}

extension Subcommand {
  func start(_ words: [String], environment: [String: String]) -> ExitStatus {
    do {
      let reader = ConfigurationReader.ofThisProgram
      let arguments = try Arguments(words, options: options, settings: reader.names)
      if arguments.wantsHelp {
        print(help, terminator: "")
        return .done
      }
      for option in needs { _ = try arguments.required(option) }
      if operands.isEmpty, let operand = arguments.operands.first {
        throw SettingsError("'\(operand)' is too much; --help shows what \(name) takes")
      }
      let reading = try reader.readAll(
        file: arguments.configFile, environment: environment, flags: arguments.settings)
      if let first = reading.problems.first {
        if tellsAllProblems { for problem in reading.problems { print("wrong        \(problem)") } }
        throw first
      }
      return try execute(
        Invocation(
          arguments: arguments, configuration: reading.configuration, origins: reading.origins,
          environment: environment))
    } catch let error as SettingsError {
      Flyscreen.printError("\(name): \(error)")
      return .usage
    } catch let failure as CommandFailure {
      Flyscreen.printError("\(name): \(failure.reason)")
      return failure.status
    } catch {
      Flyscreen.printError("\(name): \(error)")
      return .failed
    }
  }

  /// Runs it; Kafka errors are put in terms of the broker that was given.
  private func execute(_ invocation: Invocation) throws -> ExitStatus {
    do {
      return try run(invocation)
    } catch let error as KafkaError {
      throw CommandFailure(
        error, servers: (try? invocation.configuration.bootstrapServers()) ?? "kafka.bootstrap.servers",
        readsLog: options.contains { $0.name == "topic" })
    }
  }
}

extension ConfigurationReader {
  static let ofThisProgram = ConfigurationReader(kafkaProperties: KafkaProperties.names) { name, value in
    do throws(KafkaError) {
      _ = try KafkaProperties([name: value])
      return nil
    } catch {
      // The error names the property and the source of its value already.
      let reason = error.message.split(separator: ": ", maxSplits: 1)
      return String(reason.last ?? "").split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }
}
