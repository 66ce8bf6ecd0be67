import Foundation
import TestSupport
import Testing

struct ReplayTests {
  private func withLog(_ text: String, _ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString)").path
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private let gift =
    #"{"topic":"im.gifts","partition":0,"offset":17,"timestampMs":1000,"key":"r1","#
    + #""value":{"roomId":"r1","gift":{"sender":{"userId":"7"},"giftId":"rose"}}}"#

  /// Hash tables are seeded anew in each process.
  @Test(arguments: ["all-4-1", "flood-3", "mixed-3"])
  func twoProcessesPrintTheSameBytes(vector: String) throws {
    let until = try Vectors.text(vector, "until")
    func run() throws -> Program.Outcome {
      try Program.run(
        "replay", "--input", Vectors.path(vector, "log.ndjson"), "--settings", Vectors.path(vector, "settings.json"),
        "--until",
        until.trimmingCharacters(in: .whitespacesAndNewlines), "--json")
    }
    let first = try run()
    #expect(first.status == 0)
    #expect(first.errors == "")
    let commands = try Vectors.text(vector, "commands.ndjson")
    #expect(first.output.utf8.count == commands.utf8.count)
    #expect(try run() == first)
  }

  @Test(arguments: [
    ["replay"], ["replay", "--json"], ["replay", "--what-if", "/dev/null"], ["explain", "--room", "r1", "--user", "7"],
  ])
  func whatCantBeWrittenIsSaid(arguments: [String]) throws {
    try withLog(gift) { log in
      let outcome = try Program.run(arguments + ["--input", log], output: FileHandle(forWritingAtPath: "/dev/full"))
      #expect(outcome.status == 1)
      #expect(
        outcome.errors == "flyscreen: \(arguments[0]): the output can't be written: No space left on device\n")
    }
  }

  @Test func filesHaveCommasBetweenThemWhateverTheyAreNamed() throws {
    try withLog(gift) { log in
      let outcome = try Program.run("replay", "--input", log, "--what-if", "/dev/null,\u{301}.yaml")
      #expect(outcome.status == 64 && outcome.errors.contains(" \u{301}.yaml"), "\(outcome)")
    }
  }

  @Test func afterALostLineOfTheJournalNothingIsExact() throws {
    let log = #"{"topic":"im.gifts","partition":0,"doubt":"a line is lost"}"# + "\n" + gift
    try withLog(log) { log in
      let replay = try Program.run("replay", "--input", log)
      #expect(replay.status == 3 && replay.output.hasPrefix("not exact: im.gifts[0]: a line is lost\n"), "\(replay)")
      let table = try Program.run("replay", "--input", log, "--what-if", "/dev/null")
      #expect(table.status == 3 && table.output.hasPrefix("not exact: im.gifts[0]: a line is lost\nas it was\n"))
      let json = try Program.run("replay", "--json", "--input", log)
      let mark = #"{"notExact":{"partition":"im.gifts[0]","why":"a line is lost"}}"#
      #expect(json.status == 3 && json.output.hasPrefix(mark), "\(json)")
      let explain = try Program.run("explain", "--room", "r1", "--user", "7", "--input", log, "--json")
      #expect(explain.status == 3 && explain.output.contains(#""exact":false"#), "\(explain)")
    }
  }

  @Test func whatOlderRulesWorkedThroughIsNotExact() throws {
    let log = #"{"topic":"im.gifts","partition":0,"settings":{},"rules":2}"# + "\n" + gift
    try withLog(log) { log in
      let why = "it was worked through under rules 2, and this program has rules "
      let replay = try Program.run("replay", "--input", log)
      #expect(replay.status == 3 && replay.output.hasPrefix("not exact: im.gifts[0]: \(why)"), "\(replay)")
      #expect(replay.errors.contains("replay: not exact from there on: \(why)"), "\(replay)")
      let table = try Program.run("replay", "--input", log, "--what-if", "/dev/null")
      #expect(table.status == 3 && table.output.hasPrefix("not exact: im.gifts[0]: \(why)"), "\(table)")
      let json = try Program.run("replay", "--json", "--input", log)
      let mark = #"{"notExact":{"partition":"im.gifts[0]","why":"\#(why)"#
      #expect(json.status == 3 && json.output.hasPrefix(mark), "\(json)")
      #expect(json.output.split(separator: "\n").count == 2)
    }
  }

  @Test func withoutJSONItSumsUp() throws {
    try withLog(gift + "\n") { path in
      let outcome = try Program.run("replay", "--input", path, "--until", "1550")
      #expect(
        outcome
          == Program.Outcome(
            status: 0,
            output: """
              records         1 in 1 partition
              log time        1000…1000 (0.000 s)
              rooms           1
              duplicates      0
              not understood  0
              commands        2
                giftShow      1
                giftBump      1

              """, errors: ""))
    }
  }

  @Test func settingsBeforeTheFirstLineComeFromFlagsOrTheirFile() throws {
    try withLog(gift + "\n") { path in
      #expect(try Program.run("replay", "--input", path, "--json").output.contains(#""enterMs":250"#))
      let flags = try Program.run("replay", "--input", path, "--json", "--gift.enterMs", "9")
      #expect(flags.output.contains(#""enterMs":9"#))
      try withLog(#"{"gift":{"enterMs":8}}"#) { settings in
        let file = try Program.run("replay", "--input", path, "--json", "--settings", settings)
        #expect(file.output.contains(#""enterMs":8"#))
        let variable = try Program.run(
          "replay", "--input", path, "--json", "--settings", settings, environment: ["GIFT_ENTER_MS": "9"])
        #expect(variable.status == 0 && variable.output == file.output)
        #expect(
          variable.errors.hasPrefix("flyscreen: replay: gift.enterMs of the environment or --config has no say here"))
      }
    }
  }

  @Test(arguments: [
    #""settings":{"gift":{"enterMs":8}}"#, #""settings":{"gift":{"enterMs":8}},"rules":2"#,
    #""offset":17,"state":STATE"#,
  ])
  func aFileThatBeginsWithItsSettingsGoesByThem(first: String) throws {
    let state =
      #"{"version":4,"clockMs":0,"lastOffset":-1,"settings":{"gift":{"enterMs":8}},"settingsEpoch":1,"rooms":[],"#
      + #""markSeed":"0000000000000000","seenEvents":[]}"#
    let isWhole = first.contains("STATE") || first.contains("rules")
    let line = #"{"topic":"im.gifts","partition":0,"# + first.replacing("STATE", with: state) + "}\n"
    try withLog(line + gift + "\n") { path in
      for command in [["replay", "--json"], ["explain", "--room", "r1", "--user", "7"]] {
        let run = command + ["--input", path]
        let alone = try Program.run(run)
        // Rules 2 are older ones.
        let status: Int32 = first.contains("rules") && command[0] == "replay" ? 3 : 0
        #expect(alone.status == status && !alone.errors.contains("has no say"))
        let variable = try Program.run(run, environment: ["GIFT_LANES": "3", "GIFT_ENTER_MS": "9"])
        #expect(variable.status == status && variable.output == alone.output)
        #expect(variable.errors.contains("gift.lanes, gift.enterMs of the environment or --config have no say here"))
        for flag in [["--gift.lanes", "3"]] + (isWhole ? [["--settings", "/dev/null"]] : []) {
          let refused = try Program.run(run + flag)
          #expect(refused.status == 64 && refused.output == "")
          #expect(refused.errors.hasPrefix("flyscreen: \(command[0]): \(flag[0]) has no say here, leave it out: "))
          #expect(refused.errors.contains("--what-if FILE"))
        }
      }
      #expect(try Program.run("replay", "--json", "--input", path).output.contains(#""enterMs":8"#))
      if !isWhole {
        // They were in force before that line, which comes first all the same.
        let before = try Program.run("replay", "--json", "--input", path, "--settings", "/dev/null")
        #expect(before.status == 0 && before.output.contains(#""enterMs":8"#))
      }
    }
  }

  @Test(arguments: [
    ["replay", "--input", "LOG", "--settings", "/dev/null"], ["replay", "--topic", "im.gifts", "--compare"],
    ["replay", "--topic", "im.gifts"], ["explain", "--room", "r1", "im.gifts/0/17/0"],
    ["record", "--topic", "im.gifts", "--output", "/dev/null"],
  ])
  func aSettingThatWouldHaveNoSayIsRefused(words: [String]) throws {
    let outcome = try Program.run(words + ["--gift.enterMs", "9", "--kafka.bootstrap.servers", "127.0.0.1:1"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("flyscreen: \(words[0]): --gift.enterMs has no say here, leave it out: "))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  /// The range is refused before the broker is asked.
  @Test func timesOfDayAreThoseOfTheZone() throws {
    func complaint(_ words: String...) throws -> String {
      try Program.run(["replay", "--topic", "t", "--kafka.bootstrap.servers", "127.0.0.1:1"] + words).errors
    }
    let before = "--to is before --from"
    #expect(try complaint("--from", "2026-11-21T20:31", "--to", "2026-11-21T12:31Z").contains(before))
    for zone in ["America/New_York", "-05:00", "-5", "-0500"] {
      let words = ["--zone", zone, "--from", "2026-11-21T20:31", "--to"]
      #expect(
        try Program.run(["replay", "--topic", "t"] + words + ["2026-11-21T23:00Z"]).errors.contains(before), "\(zone)")
    }
    #expect(try complaint("--zone", "Mars", "--from", "20:31").contains("--zone: 'Mars' is no time zone"))
    #expect(try complaint("--from", "25:31").contains("--from: '25:31' will not do"))
    // The last 20:31 there was lies before now, and an hour of day that ends a range comes after its beginning.
    #expect(try complaint("--from", "20:31", "--to", "2020-01-01").contains(before))
    #expect(try complaint("--from", "-1s", "--to", "20:31", "--partition", "x").contains("--partition"))
  }

  @Test func aTopicHasItsSettingsInItsJournal() throws {
    let outcome = try Program.run("replay", "--topic", "t", "--settings", "/dev/null")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("--settings goes with --input") && outcome.errors.contains("--what-if FILE"))
  }

  @Test func aRangeThatEndsBeforeItBeginsIsRefused() throws {
    for (from, to) in [("offset:8", "offset:7"), ("-14m", "-15m"), ("2026-11-21T20:31Z", "2026-11-21 20:31+08")] {
      let outcome = try Program.run(
        "replay", "--topic", "t", "--from", from, "--to", to, "--kafka.bootstrap.servers", "127.0.0.1:1")
      #expect(
        outcome
          == Program.Outcome(
            status: 64, output: "",
            errors: "flyscreen: replay: --to is before --from; give the earlier one to --from\n"))
    }
  }

  @Test func aBrokenLogIsOneLineThatSaysWhere() throws {
    func complaint(_ log: String) throws -> String {
      var said = ""
      try withLog(log) { path in
        let outcome = try Program.run("replay", "--input", path, "--json")
        #expect(outcome.status == 1)
        said = outcome.errors.replacing(path, with: "LOG")
      }
      return said
    }
    #expect(
      try complaint("\(gift)\n{}\n\(gift)\n") == "flyscreen: replay: LOG line 2: topic must be there: a string\n")
    let cut = try complaint("\(gift)\n\(gift.dropLast(20))")
    #expect(
      cut.hasPrefix("flyscreen: replay: LOG line 2 (the last, and nothing ends it: was the file cut short?): it is not")
    )
    #expect(cut.split(separator: "\n").count == 1)
    #expect(
      try Program.run("replay", "--input", "/no/such.ndjson")
        == Program.Outcome(
          status: 1, output: "",
          errors: "flyscreen: replay: /no/such.ndjson can't be read: No such file or directory\n"))
    #expect(
      try Program.run("replay")
        == Program.Outcome(
          status: 64, output: "",
          errors: "flyscreen: replay: --input FILE or --topic T is missing: what is to be replayed?\n"))
  }
}
