import MooringAWS
import MooringModel
import Testing

@testable import MooringS3

@Suite struct S3ListingTests {
    private let hostile = Listings.keys(
        "a b", "a+b", "a%20b", "a%2Bb", "a&b<c>", "é/ü", "q\"'", "x\ny", "z\u{1}", "日本", "~", "0")

    @Test(arguments: [FakeS3.Manners.Writing.percent, .form])
    func listsEveryKeyAsItIs(_ writing: FakeS3.Manners.Writing) async throws {
        for pageLimit in [1, 2, 3, 1_000] {
            let store = FakeS3(hostile, manners: .init(writing: writing, pageLimit: pageLimit))
            let (keys, result) = try await Listings.objects(Listings.of(store))
            #expect(
                keys.sorted { $0.lexicographicallyPrecedes($1) }
                    == hostile.sorted {
                        $0.lexicographicallyPrecedes($1)
                    })
            #expect(result.isComplete, "\(result.problems)")
            #expect(result.requests == store.requestCounts["ListObjectsV2"])
        }
    }

    @Test func findsOutWhatAPlusMeans() async throws {
        for writing in [FakeS3.Manners.Writing.percent, .form] {
            let key = writing == .form ? "a b" : "a b"
            let store = FakeS3(Listings.keys(key), manners: .init(writing: writing))
            let (keys, result) = try await Listings.objects(Listings.of(store))
            #expect(keys == Listings.keys(key) && result.isComplete)
        }
    }

    @Test func takesKeysAsTheyStandWhereNobodyEncodesThem() async throws {
        let texts = Listings.keys("a b", "a%20b", "a%2Bb", "a+b", "é")
        for pageLimit in [1, 2, 1_000] {
            let store = FakeS3(texts, manners: .init(writing: .literal, pageLimit: pageLimit))
            let (keys, result) = try await Listings.objects(Listings.of(store))
            #expect(Set(keys) == Set(texts), "\(pageLimit)")
            #expect(result.isComplete, "\(result.problems)")
        }
    }

    @Test func leavesTheHiddenOut() async throws {
        let store = FakeS3(
            Listings.keys(".mooring/lease", ".mooring/quarantine/r/k", "a", "b", "public/x"))
        let scope = ListingScope(
            hiddenPrefixes: [Array(".mooring/quarantine/".utf8)],
            hiddenKeys: [ObjectKey(".mooring/lease")])
        let (keys, result) = try await Listings.objects(Listings.of(store), scope)
        #expect(Set(keys) == Set(Listings.keys("a", "b", "public/x")) && result.isComplete)
    }

    @Test func listsVersionsOverPages() async throws {
        let versions: [[UInt8]: [FakeS3.Version]] = [
            Array("a".utf8): (0..<7).map { .init(id: "a\($0)", isMarker: $0 == 3) },
            Array("b".utf8): [.init(id: "b0", isMarker: true), .init(id: "b1")],
        ]
        for begins in [true, false] {
            let store = FakeS3(
                versions.keys, manners: .init(pageLimit: 2, beginsWithMarker: begins),
                versions: versions)
            var all: [ListedVersion] = []
            let result = try await Listings.of(store).versions(ListingScope()) { all += $0 }
            #expect(result.isComplete, "\(result.problems)")
            #expect(
                Set(all.compactMap(\.version.versionID))
                    == Set(versions.values.joined().map(\.id)) && all.count == 9)
            #expect(
                Set(all.filter { $0.isNewest && !$0.isMarker }.map(\.key)) == [ObjectKey("a")])
            let one = try await Listings.of(store).versions(of: ObjectKey("b"))
            #expect(one.map(\.version.versionID) == ["b0", "b1"])
        }
    }
}
