import Glibc
import Platform
import Testing

@Suite struct ShortFileTests {
  @Test func itIsReadWhole() throws {
    let path = "/tmp/flyscreen-short-file-\(getpid())"
    let file = try #require(fopen(path, "w"))
    fputs("12345", file)
    fclose(file)
    defer { unlink(path) }
    #expect(try ShortFile.read(path, mostBytes: 5) == Array("12345".utf8))
    #expect(try ShortFile.read(path, mostBytes: 100) == Array("12345".utf8))
  }

  @Test func aLongerOneHasOneByteMoreThanTheMost() throws {
    #expect(try ShortFile.read("/dev/zero", mostBytes: 4).count == 5)
  }

  @Test func theReasonIsTold() {
    #expect(throws: SystemError(code: ENOENT)) { try ShortFile.read("/nowhere/at/all", mostBytes: 1) }
    // Opens well, and fails when it is read.
    #expect(throws: SystemError(code: EISDIR)) { try ShortFile.read("/", mostBytes: 1) }
    #expect(SystemError(code: ENOENT).description == "No such file or directory")
  }
}
