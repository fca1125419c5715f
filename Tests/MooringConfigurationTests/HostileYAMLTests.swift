import MooringConfiguration
import MooringModel
import SeededNumbers
import Testing

struct HostileYAMLTests {
    private func refused(_ text: String, within limit: Duration = .seconds(10)) -> String {
        let clock = ContinuousClock()
        var refusal = ""
        let time = clock.measure { refusal = Sample.refusal(text) }
        #expect(time < limit)
        return refusal
    }

    private func laughs(_ last: String) -> String {
        var lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
        for level in 1...30 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            lines.append("a\(level): &a\(level) [\(aliases)]")
        }
        return lines.joined(separator: "\n") + "\n" + last
    }

    @Test("aliases that stand for more than the bound are refused at once")
    func laughs() {
        #expect(
            refused(laughs("")) == "mooring.yaml:1: more than 100000 values or 32 levels with its "
                + "aliases put in; use fewer aliases")
    }

    @Test(
        "the same aliases within a key are refused before Yams hashes them",
        arguments: ["*a30 : x", "? *a30\n: x", "? [*a30]\n: x", "{[*a30]: x}", "b: {*a30 : x}"])
    func laughingKeys(last: String) {
        #expect(
            refused(laughs(last)) == "mooring.yaml: more than 12 aliases beside keys that are no "
                + "texts; write such keys as plain texts")
    }

    @Test("a few doubling aliases and a key of them are bounded")
    func fewLaughingKeys() {
        var lines = ["a0: &a0 [x]"]
        for level in 1...5 {
            lines.append("a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]")
        }
        lines.append("*a5 : x")
        #expect(
            refused(lines.joined(separator: "\n")).contains("a key must be a text; found a list"))
    }

    @Test("many aliases of one small map are welcome")
    func manyAliases() throws {
        var text = Sample.replacing("- model: Song", "- &song {model: M0}")
        text += "\nrepair: {overrides: [&o {cause: cleared, orphan: keep}"
        text += String(repeating: ", *o", count: 500) + "]}"
        let configuration = try Sample.read(text)
        #expect(configuration.repair.overrides.count == 503)
    }

    @Test("a megabyte of brackets, braces, dashes or anchors ends in a refusal")
    func nesting() {
        for unit in ["[", "{", "- ", "? ", "[[]:", "&a ", "!!a ", "'", "|\n", "a: "] {
            let text = String(repeating: unit, count: 1_000_000 / unit.utf8.count)
            #expect(refused(text).hasPrefix("mooring.yaml"), "\(unit)")
        }
    }

    @Test("a megabyte of keys is refused with twenty problems and a count")
    func manyKeys() {
        let text = (0..<80_000).map { "key\($0): 1\n" }.joined()
        let refusal = refused(text + "version: 1\n", within: .seconds(30))
        #expect(refusal.split(separator: "\n").count == 1)
        let fewer = (0..<1_000).map { "key\($0): 1\n" }.joined()
        let lines = refused(fewer + "version: 1\n").split(separator: "\n")
        #expect(lines.count == 21)
        #expect(lines.last == "and 982 more problems")
    }

    @Test("NUL and other control characters are named with their line")
    func controlCharacters() {
        #expect(
            refused("version: 1\nledger: a\u{0}b")
                == "mooring.yaml:2: found the control character U+0000")
        #expect(
            refused("version: 1\u{7F}") == "mooring.yaml:1: found the control character U+007F")
    }

    @Test("what YAML refuses is refused with line and column")
    func syntax() {
        #expect(
            refused("version: 1\nrecords:\n\t- name: app")
                == "mooring.yaml:3: not YAML at column 1: while scanning for the next token, found "
                + "character that cannot start any token")
        #expect(
            refused("version: 1\nledger: \"open")
                == "mooring.yaml:2: not YAML at column 14: while scanning a quoted scalar, found "
                + "unexpected end of stream")
        #expect(
            refused("version: 1\nledger: *gone")
                == "mooring.yaml:2: not YAML at column 9: found undefined alias")
        #expect(refused("a: 1\n---\nb: 2").contains("but found another document"))
    }

    @Test("a file that says nothing, or is no map, is refused")
    func nothing() {
        let empty = "mooring.yaml: the file says nothing; 'mooring init' writes a commented one"
        #expect(refused("") == empty)
        #expect(refused("# only this\n") == empty)
        #expect(refused("---\n") == empty)
        #expect(refused("- a") == "mooring.yaml:1: the file needs a map; found a list")
        #expect(refused("a") == "mooring.yaml:1: the file needs a map; found 'a'")
    }

    @Test("a key that stands twice is refused, in any map")
    func duplicates() {
        #expect(
            refused(Sample.with("version: 1"))
                == "mooring.yaml:1: 'version' stands twice in one map; keep one")
        #expect(
            refused(Sample.with("repair: {apply: true, apply: false}"))
                == "mooring.yaml:10: 'apply' stands twice in one map; keep one")
    }

    @Test("no value of a secret and no control character is printed")
    func printing() {
        let text = Sample.with("confirm: \"\\e[31m<script>\\n\"")
        #expect(
            refused(text) == "mooring.yaml:10: unknown confirm '\u{FFFD}[31m<script>\u{FFFD}'; "
                + "known here: auto, always, never")
        let long = Sample.with("confirm: " + String(repeating: "x", count: 5_000))
        #expect(refused(long).count < 200)
        let secret = Sample.refusal(
            Sample.with("confirm: ${TOKEN}\nrepair: {retention: \"${TOKEN}\"}"),
            environment: ["TOKEN": "hunter2"])
        #expect(!secret.contains("hunter2"))
        #expect(secret.contains("unknown confirm '${TOKEN}'"))
    }

    @Test("a file with random damage is accepted or refused, and nothing else happens")
    func damage() {
        let seed = Seed.one()
        var state = seed
        func draw(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let extra = """

            repair: {overrides: [{cause: cleared, orphan: keep}], retention: 30d}
            gates: ["new.orphan.settled.bytes < 1GiB", *a, &b "orphan == 0"]
            race: {preset: offline, offlineWindow: ${W}}
            levels: {team: "teams/{identity}/"}
            """
        let whole = Array((Sample.bucket("ignore: ['a/**']\nquarantine: q") + extra).utf8)
        let tokens =
            ["*a", "&a ", "{", "}", "[", "]", ":", "- ", "\n", "  ", "? ", "|\n", "'", "\""]
            + ["${", "$${", "%", "\t", "#", "!!x ", "<<: ", "\u{FEFF}", "\u{2028}", "é", "..", "/"]
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0...draw(4) {
                let place = draw(bytes.count)
                switch draw(3) {
                case 0: bytes.removeSubrange(place..<min(bytes.count, place + draw(12)))
                case 1: bytes.insert(contentsOf: tokens[draw(tokens.count)].utf8, at: place)
                default: bytes[place] = UInt8(draw(128))
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let refusal = Sample.refusal(text, environment: ["W": "30d"])
            let isSafe = refusal.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" }
            #expect(isSafe && (refusal == "accepted" || refusal.hasPrefix("mooring.yaml")))
        }
    }
}
