import MooringLedger
import MooringModel
import Testing

struct WatchTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
    }

    private func object(
        _ key: [UInt8] = [1], run: Int64 = 0, version: ObjectVersion = Sample.version
    ) -> QuarantinedObject {
        QuarantinedObject(key: ObjectKey(key), run: Sample.run(run), version: version)
    }

    private func watch(
        _ hour: Int64, _ objects: [QuarantinedObject], referenced: Bool = false,
        bucket: String = "photos"
    ) throws {
        try ledger.watch(
            objects.map { (bucket, $0, referenced) }, at: Sample.hour(hour), run: Sample.run(hour))
    }

    /// The looks at these hours, as a ledger keeps them.
    private func looks(_ hours: Int64...) -> CleanLooks {
        var looks = CleanLooks()
        for hour in hours { looks.add(CleanLook(at: Sample.hour(hour))) }
        return looks
    }

    private func close(_ hour: Int64, bucket: String = "photos") throws {
        try ledger.closeWatch(run: Sample.run(hour), bucket: bucket)
    }

    private func watched(_ bucket: String = "photos") throws -> [WatchedObject] {
        try ledger.quarantineWatch(bucket: bucket)
    }

    @Test("Complete runs without a reference add up, each once")
    func addUp() throws {
        try watch(1, [object()])
        try close(1)
        try watch(4, [object()])
        try watch(4, [object()])
        try close(4)
        #expect(
            try watched() == [
                WatchedObject(
                    object: object(), firstCleanAt: Sample.hour(1), lastCleanAt: Sample.hour(4),
                    cleanRuns: 2, looks: looks(1, 4))
            ])
    }

    @Test("A reference sets the count to nothing, whatever else its run says")
    func reference() throws {
        try watch(1, [object()])
        try close(1)
        try watch(2, [object()], referenced: true)
        try watch(2, [object()])
        #expect(try watched() == [WatchedObject(object: object())])
        // Even a run that never ends has seen the reference.
        try ledger.begin(Sample.summary(3))
        try watch(3, [object()])
        try watch(3, [object()], referenced: true)
        try close(3)
        #expect(try watched() == [WatchedObject(object: object())])
        try watch(4, [object()])
        try close(4)
        #expect(try watched().first?.firstCleanAt == Sample.hour(4))
        #expect(try watched().first?.cleanRuns == 1)
    }

    @Test("A run that did not end counts for nothing once another begins")
    func unfinishedRun() throws {
        try watch(1, [object()])
        try close(1)
        try watch(2, [object(), object([2])])
        #expect(try watched().map(\.cleanRuns) == [2, 1])
        try ledger.begin(Sample.summary(3))
        #expect(
            try watched() == [
                WatchedObject(
                    object: object(), firstCleanAt: Sample.hour(1), lastCleanAt: Sample.hour(1),
                    cleanRuns: 1, looks: looks(1)),
                WatchedObject(object: object([2])),
            ])
        try watch(3, [object(), object([2])])
        try close(3)
        #expect(try watched().map(\.cleanRuns) == [2, 1])
        // The look of the run that did not end is gone with it.
        #expect(try watched().map(\.looks) == [looks(1, 3), looks(3)])
    }

    @Test("Another version at the same place starts anew")
    func otherVersion() throws {
        try watch(1, [object()])
        try close(1)
        let other = ObjectVersion(
            size: 17, etag: "abc", lastModified: Sample.start, versionID: "\u{0}")
        try watch(2, [object(version: other)])
        try close(2)
        #expect(
            try watched() == [
                WatchedObject(
                    object: object(version: other), firstCleanAt: Sample.hour(2),
                    lastCleanAt: Sample.hour(2), cleanRuns: 1, looks: looks(2))
            ])
    }

    @Test("What a complete listing of its bucket does not hold is forgotten")
    func closing() throws {
        try watch(1, [object([1]), object([2])])
        try watch(1, [object([1])], bucket: "other")
        try close(1)
        try close(1, bucket: "other")
        try watch(2, [object([2])])
        try close(2)
        #expect(try watched().map(\.object) == [object([2])])
        #expect(try watched("other").map(\.object) == [object([1])])
    }

    @Test("Places are told apart by key bytes and run, and listed in that order")
    func places() throws {
        let objects = Sample.hostile.flatMap { [object($0, run: 1), object($0, run: 2)] }
        try watch(3, objects.shuffled())
        try close(3)
        let expected = objects.sorted {
            $0.key == $1.key ? $0.run < $1.run : $0.key < $1.key
        }
        #expect(try watched().map(\.object) == expected)
    }
}
