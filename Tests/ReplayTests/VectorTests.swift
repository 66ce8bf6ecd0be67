import Foundation
import Replay
import Settings
import TestSupport
import Testing

/// Worked cases of the contract, byte for byte.
struct VectorTests {
  static let names = Vectors.names

  /// A vector's files.
  private struct Vector {
    var log: [String]
    var settings: LogSettings
    var until: Int64
    var commands: [String]
    var results: [String]

    init(_ name: String) throws {
      func text(_ file: String) throws -> String { try Vectors.text(name, file) }
      log = try text("log.ndjson").split(separator: "\n").map(String.init)
      settings = try LogSettings(file: Vectors.path(name, "settings.json"))
      until = try #require(Int64(try text("until").trimmingCharacters(in: .whitespacesAndNewlines)))
      commands = try text("commands.ndjson").split(separator: "\n").map(String.init)
      results = try text("results.ndjson").split(separator: "\n").map(String.init)
    }
  }

  @Test func thereAreVectors() { #expect(Self.names.count > 50) }

  @Test(arguments: names)
  func commandsOfEveryRoomAreThoseOfTheVector(name: String) throws {
    let vector = try Vector(name)
    let played = try play(vector.log, settings: vector.settings, until: vector.until)
    let expected = byRoom(vector.commands)
    let got = byRoom(played.commands)
    #expect(Set(got.keys) == Set(expected.keys))
    for (room, commands) in expected {
      for (place, (command, other)) in zip(commands, got[room] ?? []).enumerated() where command != other {
        Issue.record("\(room), command \(place)\nexpected \(command)\ngot      \(other)")
        break
      }
      #expect(got[room]?.count == commands.count, "\(room)")
    }
  }

  @Test(arguments: names)
  func resultsAreThoseOfTheVector(name: String) throws {
    let vector = try Vector(name)
    let results = try play(vector.log, settings: vector.settings, until: vector.until).results
    for (got, expected) in zip(results, vector.results) where got != expected {
      Issue.record("expected \(expected)\ngot      \(got)")
      break
    }
    #expect(results.count == vector.results.count)
  }

  @Test(arguments: names)
  func nothingDependsOnHowHashesAreSeeded(name: String) throws {
    let vector = try Vector(name)
    func played(_ seed: UInt64) throws -> Played {
      try play(vector.log, settings: vector.settings, until: vector.until, hashSeed: seed)
    }
    let (one, other) = (try played(1), try played(0xdead_beef_0bad_cafe))
    #expect(byRoom(one.commands) == byRoom(other.commands))
    #expect(one.results == other.results)
  }

  /// A room is that of one partition: its id and what its commands' ids begin with.
  private func byRoom(_ commands: [String]) -> [Substring: [String]] {
    Dictionary(grouping: commands) { command in
      let end = command.range(of: #"","atMs":"#)!.lowerBound
      let offset = command[..<end].lastIndex(of: "/")!
      return command[..<command[..<offset].lastIndex(of: "/")!]
    }
  }
}
