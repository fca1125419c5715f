import MooringAWS
import MooringModel
import Synchronization

/// A bucket in memory that answers as S3 does, or in one of the ways in which servers fail to.
final class FakeS3: AWSCaller {
    /// How it answers.
    struct Manners: Sendable {
        /// How it writes a key: `percent` as Ceph, `form` as AWS, `literal` without saying so.
        enum Writing: Sendable { case percent, form, literal }
        var writing = Writing.percent
        /// The most keys on a page; a page may be shorter by chance.
        var pageLimit = 1_000
        var givesShortPages = false
        var givesTokens = true
        var givesRawTokens = false
        var repeatsTokens = false
        var ignoresStart = false
        var isDisordered = false
        /// Lists a folder's names in their order, and all that lies below a name behind it, as
        /// stores do that keep folders: `a/b` before `a-b`.
        var sortsFolders = false
        /// Says that there is more when there is not.
        var neverEnds = false
        /// One in so many requests fails; 0 for none.
        var failureRate = 0
        /// A key whose page is no XML.
        var brokenKey: [UInt8]?
        /// A marker without an id begins with its own key's versions, as on Ceph.
        var beginsWithMarker = false

        /// Whether a key stands before another one.
        func precedes(_ one: [UInt8], _ other: [UInt8]) -> Bool {
            guard sortsFolders else { return one.lexicographicallyPrecedes(other) }
            return one.lazy.map(Self.rank).lexicographicallyPrecedes(other.lazy.map(Self.rank))
        }

        private static func rank(_ byte: UInt8) -> Int { byte == 0x2F ? -1 : Int(byte) }
    }

    private func precedes(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        manners.precedes(one, other)
    }

    /// A version of a key, newest first.
    struct Version: Sendable {
        var id: String
        var isMarker = false
    }

    let manners: Manners
    private let keys: [[UInt8]]
    private let versions: [[UInt8]: [Version]]
    private let state: Mutex<(random: SeededRandom, counts: [String: Int], log: [String])>

    init(
        _ keys: some Sequence<[UInt8]>, manners: Manners = Manners(), seed: UInt64 = 1,
        versions: [[UInt8]: [Version]] = [:]
    ) {
        self.keys = Set(keys).sorted { manners.precedes($0, $1) }
        self.manners = manners
        self.versions = versions
        state = Mutex((SeededRandom(seed), [:], []))
    }

    var requestCounts: [String: Int] { state.withLock { $0.counts } }
    /// The requests in order, as `prefix|start-after`.
    var log: [String] { state.withLock { $0.log } }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        var query: [String: [UInt8]] = [:]
        for parameter in request.query { query[parameter.name] = parameter.value }
        let fails = state.withLock { state in
            state.counts[request.call, default: 0] += 1
            state.log.append(
                Self.text(query["prefix"] ?? []) + "|" + Self.text(query["start-after"] ?? []))
            return manners.failureRate > 0 && state.random.below(manners.failureRate) == 0
        }
        if fails {
            if state.withLock({ $0.random.below(2) }) == 0 {
                throw AWSFailure(call: request.call, reason: "no answer", mayHaveHappened: false)
            }
            return AWSResponse(status: 500, headers: [], body: [])
        }
        let text = query["versions"] == nil ? objects(query) : versionPage(query)
        return AWSResponse(status: 200, headers: [], body: Array(text.utf8))
    }

    private func limit(_ query: [String: [UInt8]]) -> Int {
        let asked = query["max-keys"].flatMap { Int(Self.text($0)) } ?? 1_000
        let limit = min(asked, manners.pageLimit)
        guard manners.givesShortPages else { return limit }
        return max(1, limit - state.withLock { $0.random.below(max(1, limit / 2)) })
    }

    private func objects(_ query: [String: [UInt8]]) -> String {
        let prefix = query["prefix"] ?? []
        var start = query["start-after"] ?? []
        let token = query["continuation-token"]
        if manners.ignoresStart { start = [] }
        if let token { start = manners.givesRawTokens ? token : Self.bytes(hex: token) }
        let isGrouped = query["delimiter"] != nil
        var (page, groups): ([[UInt8]], [[UInt8]]) = ([], [])
        var (isTruncated, last): (Bool, [UInt8]) = (false, [])
        let limit = limit(query)
        let begin = max(index(behind: start), index(behind: prefix) - 1, 0)
        for key in keys[begin...] {
            guard key.starts(with: prefix) else {
                if precedes(prefix, key) { break }
                continue
            }
            if !precedes(start, key) { continue }
            let rest = key[prefix.count...]
            var group: [UInt8]?
            if isGrouped, let slash = rest.firstIndex(of: 0x2F) { group = Array(key[...slash]) }
            if let group, group == groups.last || !precedes(start, group + [0xFF]) {
                last = key
                continue
            }
            if page.count + groups.count == limit {
                isTruncated = true
                break
            }
            if let group { groups.append(group) } else { page.append(key) }
            last = key
        }
        if manners.isDisordered, page.count > 1 { page.swapAt(0, page.count - 1) }
        var more = ""
        if manners.neverEnds { isTruncated = true }
        if isTruncated, manners.givesTokens {
            let next = manners.repeatsTokens ? start : last
            // As on Ceph, where a token is the key and may be no XML.
            let text = manners.givesRawTokens ? Self.escape(Self.text(next)) : Self.hex(next)
            more = "<NextContinuationToken>\(text)</NextContinuationToken>"
        }
        let said = manners.writing == .literal ? "" : "<EncodingType>url</EncodingType>"
        var items = page.map { key in
            "<Contents><Key>\(write(key))</Key><LastModified>2026-11-21T10:00:00.123Z"
                + "</LastModified><ETag>&quot;e\(key.count)&quot;</ETag><Size>\(key.count)</Size>"
                + "<StorageClass>STANDARD</StorageClass></Contents>"
        }
        if let broken = manners.brokenKey, page.contains(broken) { items.append("\u{1}") }
        items += groups.map {
            "<CommonPrefixes><Prefix>\(write($0))</Prefix></CommonPrefixes>"
        }
        return "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"x\"><Name>b</Name><Prefix>"
            + "\(write(prefix))</Prefix><IsTruncated>\(isTruncated)</IsTruncated>" + more
            + items.joined() + said + "</ListBucketResult>"
    }

    private func versionPage(_ query: [String: [UInt8]]) -> String {
        let prefix = query["prefix"] ?? []
        let marker = query["key-marker"] ?? []
        let id = query["version-id-marker"].map { Self.text($0) } ?? ""
        var (items, isTruncated) = ([String](), false)
        let limit = limit(query)
        for key in keys[max(0, index(behind: marker) - 1)...]
        where key.starts(with: prefix) && !key.lexicographicallyPrecedes(marker) {
            var all = versions[key] ?? [Version(id: "null")]
            if key == marker, !marker.isEmpty {
                if id.isEmpty {
                    if !manners.beginsWithMarker { continue }
                } else if let place = all.firstIndex(where: { $0.id == id }) {
                    all.removeFirst(place + 1)
                }
            }
            for version in all {
                if items.count == limit {
                    isTruncated = true
                    break
                }
                let isNewest = version.id == versions[key]?.first?.id || versions[key] == nil
                let name = version.isMarker ? "DeleteMarker" : "Version"
                items.append(
                    "<\(name)><Key>\(write(key))</Key><VersionId>\(version.id)</VersionId>"
                        + "<IsLatest>\(isNewest)</IsLatest>"
                        + "<LastModified>2026-11-21T10:00:00Z</LastModified>"
                        + (version.isMarker ? "" : "<ETag>\"e\"</ETag><Size>1</Size>")
                        + "</\(name)>")
            }
            if isTruncated { break }
        }
        let said = manners.writing == .literal ? "" : "<EncodingType>url</EncodingType>"
        return "<ListVersionsResult><Name>b</Name><IsTruncated>\(isTruncated)</IsTruncated>"
            + items.joined() + said + "</ListVersionsResult>"
    }

    private func index(behind key: [UInt8]) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(key, keys[middle]) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return key.isEmpty ? 0 : low
    }

    private func write(_ key: [UInt8]) -> String {
        if manners.writing == .literal { return Self.escape(Self.text(key)) }
        let encoded = PercentEncoding.path(key)
        guard manners.writing == .form else { return encoded }
        return encoded.split(separator: "%20", omittingEmptySubsequences: false)
            .joined(separator: "+")
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func bytes(hex: [UInt8]) -> [UInt8] {
        stride(from: 0, to: hex.count - 1, by: 2).map {
            UInt8(String(decoding: hex[$0...($0 + 1)], as: UTF8.self), radix: 16) ?? 0
        }
    }

    private static func escape(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: String(character)
            }
        }.joined()
    }
}

/// Random numbers that a seed repeats.
struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var mixed = state
        mixed ^= mixed >> 33
        mixed = mixed &* 0xFF51_AFD7_ED55_8CCD
        return mixed ^ (mixed >> 33)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % max(1, bound) }
}
