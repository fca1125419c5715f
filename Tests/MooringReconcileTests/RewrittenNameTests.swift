import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

/// What a zip, another code page or another system makes of the names of missing files.
@Suite("Names that were rewritten")
struct RewrittenNameTests {
    private static let file = FileField(field: "cover", level: .root)
    private let world = World([ModelMapping(model: "Song", files: [file])])

    private func scan(_ values: [String], _ keys: [[UInt8]]) -> ConfirmScan {
        let batches = [
            World.batch(
                "Song",
                values.enumerated().map { number, value in
                    ["id": .text(Array("s\(number)".utf8)), "cover": .text(Array(value.utf8))]
                })
        ]
        let (_, _, dangling) = world.join(batches, [])
        var scan = ConfirmScan(
            models: world.models, buckets: world.buckets, resolver: world.resolver,
            wanted: keys.map { WantedKey(bucket: 0, key: ObjectKey($0)) }, dangling: dangling)
        for batch in batches { scan.read(batch, source: "app", searchesText: true) }
        return scan
    }

    private func areOne(_ value: String, _ key: [UInt8]) -> Bool {
        let scan = scan([value], [key])
        let both = (scan.doubtful == [0], scan.named.keys.contains(0))
        #expect(both.0 == both.1, "\(value)")
        return both.0 && both.1
    }

    @Test("Of many names that are alike the first few are in doubt, the same ones in every run")
    func many() {
        let values = (1..<16).map { colons in
            let name = Array("1020").enumerated().map { place, digit in
                colons >> place & 1 == 1 ? "\(digit):" : "\(digit)"
            }
            return "up/\(name.joined()).jpg"
        }
        #expect(scan(values, [Array("up/1020.jpg".utf8)]).doubtful == Set(0..<8))
    }

    @Test(
        "A missing file and what a rewrite made of its name are in doubt, in its own folder",
        arguments: [
            ("up/M\u{FC}ller-0.jpg", "up/M\u{251C}\u{255D}ller-0.jpg"),
            ("up/M\u{FC}ller-0.jpg", "up/M\u{413}\u{458}ller-0.jpg"),
            ("up/\u{141}ukasz-4.jpg", "up/\u{C5}\u{81}ukasz-4.jpg"),
            ("z/sigma-\u{E9}t\u{E9}-z5.jpg", "z/sigma-#U00e9t#U00e9-z5.jpg"),
            ("z/sigma-\u{E9}t\u{E9}-z6.jpg", "z/sigma-??t??-z6.jpg"),
            ("z/sigma-\u{E9}t\u{E9}-z7.jpg", "z/sigma-__t__-z7.jpg"),
            ("z/sigma-\u{E9}t\u{E9}-z8.jpg", "z/sigma-ete-z8.jpg"),
            ("z/sigma-\u{E9}t\u{E9}-z9.jpg", "z/sigma-t-z9.jpg"),
            ("z/sigma-\u{E9}t\u{E9}.jpg", "z/sigma-\u{FFFD}t\u{FFFD}.jpg"),
            ("Fotos M\u{E4}rz/1.jpg", "Fotos M\u{251C}\u{F1}rz/1.jpg"),
            ("a/\u{E9}t\u{E9}.jpg", "a/ete.jpg"), ("a/\u{E9}t\u{E9}.jpg", "a/_t_.jpg"),
            ("a/\u{5199}\u{771F}.jpg", "a/\u{3C3}\u{E5}\u{3C4}\u{A3}.jpg"),
            ("a/\u{5199}\u{771F}.jpg", "a/__.jpg"),
            ("up/M?ller-0.jpg", "up/M\u{FC}ller-0.jpg"),
            ("up/M_ller-0.jpg", "up/M\u{FC}ller-0.jpg"),
            ("up/M\u{FFFD}ller-0.jpg", "up/M\u{FC}ller-0.jpg"),
            ("up/2024-01-05T10:20:30Z.jpg", "up/2024-01-05T10-20-30Z.jpg"),
            ("up/2024-01-05T10:20:30Z.jpg", "up/2024-01-05T10_20_30Z.jpg"),
            ("up/10:20.jpg", "up/1020.jpg"), ("up/10-20.jpg", "up/10_20.jpg"),
        ])
    func rewritten(value: String, key: String) {
        #expect(areOne(value, Array(key.utf8)))
    }

    @Test(
        "So are bytes of another code page",
        arguments: [
            ("z/sigma-\u{E9}t\u{E9}-z1.jpg", [0x82, 0x74, 0x82], "z/sigma-", "-z1.jpg"),
            ("z/\u{5199}\u{771F}-z.jpg", [0x8E, 0xCA, 0x90, 0x5E], "z/", "-z.jpg"),
            ("z/\u{43E}\u{431}\u{43B}.jpg", [0xCF, 0xC2, 0xCC], "z/", ".jpg"),
        ])
    func raw(value: String, bytes: [UInt8], head: String, tail: String) {
        #expect(areOne(value, Array(head.utf8) + bytes + Array(tail.utf8)))
    }

    @Test(
        "Another word, another folder and other letters are another file",
        arguments: [
            ("up/M\u{FC}ller-0.jpg", "up/M\u{F6}ller-0.jpg"),
            ("up/M\u{FC}ller-0.jpg", "down/M\u{251C}\u{255D}ller-0.jpg"),
            ("up/M\u{FC}ller-0.jpg", "up/M\u{251C}\u{255D}ller-1.jpg"),
            ("up/M\u{FC}ller-0.jpg", "up/a/M\u{251C}\u{255D}ller-0.jpg"),
            ("a/\u{5199}\u{771F}.jpg", "a/\u{52D5}\u{753B}.jpg"),
            ("a/\u{5199}\u{771F}.jpg", "a/other.jpg"), ("a/\u{5199}.jpg", "a/\u{251C}.png"),
            ("a/1 23.jpg", "a/12 3.jpg"), ("a/IMG_1.jpg", "a/IMGx1.jpg"),
        ])
    func others(value: String, key: String) {
        #expect(!areOne(value, Array(key.utf8)))
    }

    @Test("A folder of foreign names is in doubt only where about as many are new as missing")
    func balance() {
        let letters = (0..<300).map { Unicode.Scalar(UInt32(0x4E00 + $0)).map(String.init) ?? "" }
        func rewritten(_ count: Int) -> [[UInt8]] {
            (0..<count).map {
                let sign = Unicode.Scalar(UInt32(0x2580 + $0)).map(String.init) ?? ""
                return Array("a/\u{251C}\(sign).jpg".utf8)
            }
        }
        for (missing, new, isDoubtful) in [
            (1, 8, true), (1, 9, false), (20, 20, true), (20, 41, false), (100, 100, true),
            (100, 201, false), (200, 90, false),
        ] {
            let scan = scan(letters.prefix(missing).map { "a/\($0).jpg" }, rewritten(new))
            #expect(scan.doubtful.count == (isDoubtful ? missing : 0), "\(missing) and \(new)")
            #expect(scan.named.count == (isDoubtful ? new : 0), "\(missing) and \(new)")
        }
    }

    @Test("Its cost grows with the number of names and no faster")
    func cost() {
        func time(_ count: Int) -> Duration {
            let values = (0..<count).map { number in
                "a/\u{5199}\(number % 2 == 0 ? "" : "\(number)")\u{771F}\(number).jpg"
            }
            let field = Self.file
            let batches = [
                World.batch(
                    "Song",
                    values.enumerated().map { number, value in
                        ["id": .text(Array("s\(number)".utf8)), "cover": .text(Array(value.utf8))]
                    })
            ]
            let world = World([ModelMapping(model: "Song", files: [field])])
            let (_, _, dangling) = world.join(batches, [])
            let wanted = (0..<count).map {
                WantedKey(bucket: 0, key: ObjectKey("a/\u{251C}\u{255D}\u{C4}\($0).jpg"))
            }
            return processorTime { _ = RewrittenNames(dangling, wanted).pairs.count }
        }
        _ = time(500)
        let (small, large) = (time(2_000), time(16_000))
        #expect(large < small * 24, "\(small) and \(large)")
    }
}
