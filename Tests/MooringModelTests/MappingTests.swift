import MooringModel
import SeededNumbers
import Testing

@Suite struct MappingTests {
    @Test("A key template is read from left to right")
    func template() throws {
        let template = try #require(KeyTemplate("u/{id}-{uuid}/{field:album}{*}.jpg"))
        #expect(
            template.parts == [
                .literal(Array("u/".utf8)), .id, .literal(Array("-".utf8)), .uuid,
                .literal(Array("/".utf8)), .field("album"), .any, .literal(Array(".jpg".utf8)),
            ])
        #expect(template.namesOwner)
        #expect(template.neverReusesKeys)
        let plain = try #require(KeyTemplate("{field:a}"))
        #expect(!plain.namesOwner)
        #expect(!plain.neverReusesKeys)
        #expect(try #require(KeyTemplate("")).parts.isEmpty)
    }

    @Test(
        "A template with an open brace or an unknown word is refused",
        arguments: [
            "{", "}", "{id", "id}", "{}", "{ID}", "{id }", "{field:}", "{field}", "{{id}}", "{**}",
            "{id}}",
        ])
    func templateMalformed(text: String) {
        #expect(KeyTemplate(text) == nil)
    }

    @Test("An access level is split at its identity")
    func accessLevel() {
        let level = AccessLevel(name: "private", prefix: "private/{identity}/")
        #expect(level.head == Array("private/".utf8))
        #expect(level.tail == Array("/".utf8))
        let guest = AccessLevel(name: "guest", prefix: "public/")
        #expect(guest.head == Array("public/".utf8))
        #expect(guest.tail == nil)
        let bare = AccessLevel(name: "bare", prefix: "{identity}")
        #expect(bare.head.isEmpty)
        #expect(bare.tail == [])
        let twice = AccessLevel(name: "twice", prefix: "{identity}/{identity}")
        #expect(twice.head.isEmpty)
        #expect(twice.tail == Array("/{identity}".utf8))
        #expect(AccessLevel.amplify.map(\.name) == ["guest", "protected", "private"])
    }

    @Test("A model names each column once, the identifier first")
    func columns() {
        let model = ModelMapping(
            model: "Song", id: ["pk", "sk"], version: "_version", changed: "_changed",
            deleted: "_deleted", identity: "owner", files: [FileField(field: "key")],
            relations: [Relation(field: "owner", model: "User")])
        #expect(
            model.columns == ["pk", "sk", "_version", "_changed", "_deleted", "owner", "key"])
        #expect(model.table == "Song")
    }

    @Test("Findings sort by kind, bucket, key bytes, then id")
    func findingOrder() {
        func finding(_ id: String, _ kind: FindingKind, _ bucket: String?, _ key: [UInt8]?)
            -> Finding
        {
            var finding = Finding(id: id, kind: kind, cause: nil, verdict: .settled)
            finding.bucket = bucket
            finding.key = key.map { ObjectKey($0) }
            return finding
        }
        let sorted = [
            finding("z", .dangling, "z", [0xFF]), finding("a", .orphan, nil, [0xFF]),
            finding("y", .orphan, "a", nil), finding("c", .orphan, "a", [0x7A]),
            finding("d", .orphan, "a", [0x7A]), finding("b", .orphan, "a", [0x80]),
            finding("a", .orphan, "b", [0x00]), finding("0", .shared, "a", [0x00]),
        ]
        var generator = SeededGenerator("findingOrder")
        for _ in 0..<50 {
            let shuffled = sorted.shuffled(using: &generator)
            #expect(shuffled.sorted(by: Finding.precedes) == sorted)
            var own = shuffled
            own.sortForReports()
            #expect(own == sorted)
        }
    }

    @Test("Many findings are put into the order of reports where they lie")
    func manyInOrder() {
        var generator = SeededGenerator("manyInOrder")
        for count in [0, 1, 2, 3, 100, 1_000] {
            let sorted = (0..<count).map { number in
                var finding = Finding(id: "id", kind: .orphan, cause: nil, verdict: .settled)
                finding.key = ObjectKey("\(10_000 + number)")
                return finding
            }
            // Sorted all but for one that was added behind and belongs in front, too.
            let rotated = Array(sorted.dropFirst() + sorted.prefix(1))
            for shuffled in [rotated] + (0..<5).map({ _ in sorted.shuffled(using: &generator) }) {
                var findings = shuffled
                findings.sortForReports()
                #expect(findings == sorted)
            }
        }
    }

    @Test("A scan with any problem is incomplete, also one whose problems are not kept")
    func scanResult() {
        let window = ScanWindow(from: Instant(seconds: 0), to: Instant(seconds: 1))
        let problems = (1...150).map { ScanProblem(place: "a.csv", line: $0, reason: "bad") }
        let result = ScanResult(window: window, problems: problems, consistency: "snapshot")
        #expect(!result.isComplete)
        #expect(result.problems.count == ScanResult.problemLimit)
        #expect(result.problemCount == 150)
        #expect(result.summary.problems.first == "a.csv:1: bad")
        #expect(ScanProblem(place: "a", reason: "b").text == "a: b")
        #expect(ScanResult(window: window, consistency: "moving").isComplete)
        #expect(!ScanResult(window: window, problemCount: 1, consistency: "moving").isComplete)
    }

    @Test(
        "A field's bytes are what a key is made from",
        arguments: [
            (FieldValue.absent, nil), (.null, nil), (.integer(-7), Array("-7".utf8)),
            (.text([0xFF]), [0xFF]), (.blob([]), []),
        ] as [(FieldValue, [UInt8]?)])
    func fieldBytes(value: FieldValue, expected: [UInt8]?) {
        #expect(value.bytes == expected)
        #expect(value.isMissing == (expected == nil))
    }
}
