import Foundation
import MooringModel
import Testing

@testable import MooringAWS

@Suite struct SharedFileTests {
    private func parse(_ text: String) -> SharedFile { SharedFile(parsing: Array(text.utf8)) }

    @Test func readsSectionsAndSettings() {
        let file = parse(
            """
            # a comment
            [default]
            Region = eu-west-1
            empty =
            aws_secret_access_key=a=b/c+d#e
            [profile "my own"] ; and a remark
            region: eu-west-2

            [ profile   wide ]
            region = eu-west-3
            """)
        #expect(
            file.sections == [
                "default": [
                    "region": "eu-west-1", "empty": "", "aws_secret_access_key": "a=b/c+d#e",
                ],
                "profile my own": ["region": "eu-west-2"],
                "profile wide": ["region": "eu-west-3"],
            ])
        #expect(file.firstFault == nil)
    }

    @Test func settingsBelowAnotherAreNotTheProfiles() {
        let file = parse(
            """
            [default]
            s3 =
              region = nested
              aws_access_key_id = NESTED
            \taws_secret_access_key = nested
            region = outer
            [profile b]
            \(" ")
                region = c
            """)
        #expect(file.sections["default"] == ["s3": "", "region": "outer"])
        #expect(file.sections["profile b"] == ["region": "c"])
    }

    @Test func aByteOrderMarkAndCarriageReturnsAreOverlooked() {
        let file = parse("\u{FEFF}[default]\r\nregion = a\r\n\r\n; x\r\nb = c\r")
        #expect(file.sections == ["default": ["region": "a", "b": "c"]])
    }

    @Test func sectionsThatComeTwiceAreOne() {
        let file = parse("[a]\nx = 1\ny = 1\n[b]\n[a]\nx = 2")
        #expect(file.sections == ["a": ["x": "2", "y": "1"], "b": [:]])
    }

    @Test func whatIsNoSettingIsNotedAndOverlooked() {
        #expect(parse("region = a\n[default]\nb = c").firstFault == 1)
        #expect(parse("region = a\n[default]\nb = c").sections == ["default": ["b": "c"]])
        #expect(parse("[default]\njust words\nb = c").firstFault == 2)
        #expect(parse("[default\nb = c").sections.isEmpty)
        #expect(parse("[default]\n = c").sections == ["default": [:]])
    }

    @Test func hostileBytesAreRead() {
        var bytes = Array("[default]\na = ".utf8) + [0xFF, 0x00, 0xFE]
        #expect(SharedFile(parsing: bytes).sections["default"]?["a"]?.isEmpty == false)
        bytes = Array("[default]\nregion = a\nlong = ".utf8)
        bytes += [UInt8](repeating: UInt8(ascii: "x"), count: 10_000_000)
        bytes += Array("\nafter = b".utf8)
        let file = SharedFile(parsing: bytes)
        #expect(file.sections["default"]?["after"] == "b")
        #expect(file.sections["default"]?["long"]?.utf8.count == 10_000_000)
        for _ in 0..<200 {
            let noise = (0..<64).map { _ in Array("[]=: \n\t\"\\#;a".utf8).randomElement() ?? 0 }
            _ = SharedFile(parsing: noise)
        }
    }

    @Test(arguments: [
        ("a b", ["a", "b"]), ("  a\t b\n", ["a", "b"]), ("'a b' \"c d\"", ["a b", "c d"]),
        ("a\\ b", ["a b"]), ("''", [""]), ("a'b'\"c\"", ["abc"]), ("'a\\b'", ["a\\b"]),
        (#""a\"b\\c\d""#, [#"a"b\c\d"#]), ("$HOME `x` * > y", ["$HOME", "`x`", "*", ">", "y"]),
        ("", []),
    ])
    func aCommandLineIsSplitAsTheCLIDoes(line: String, words: [String]) throws {
        let split = try ShellWords.split(Array(line.utf8))
        #expect(split.map { String(decoding: $0, as: UTF8.self) } == words)
    }

    @Test(arguments: ["'a", "\"a", "a\\", "\"a\\\""])
    func anUnfinishedCommandLineIsRefused(line: String) {
        #expect(throws: ShellWords.Unfinished.self) { try ShellWords.split(Array(line.utf8)) }
    }
}
