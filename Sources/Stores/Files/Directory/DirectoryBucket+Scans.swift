package import MooringModel
import Synchronization

extension DirectoryBucket {
    /// What a file that the walk met counts as.
    private enum Meaning<Item> {
        case item(Item)
        case nothing
        /// It lies where Mooring puts nothing, for the reason given.
        case outside(String)
        /// Something is not known that has to be, for the reason given.
        case problem(String)
    }

    private static let batchSize = 1_000

    /// Lists every file and link below the folder, but for quarantine, lease, marker and the app's
    /// own files; sockets, fifos, devices and empty folders are no objects.
    package func list(
        _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult {
        let quarantine = quarantinePlace
        let resolver = linkResolver()
        let own = Mutex(OwnFilesMet(ownFiles))
        let source = WalkSource(
            place: [], open: { (_) throws(StoreError) in try self.openRoot() },
            links: .ignoring { self.ignores($0) }
        ) { path, facts in
            if path == quarantine { return .leaveOut }
            return own.withLock { $0.admits(facts, at: path) }
        }
        var result = try await scan(
            source,
            meaning: { path, facts, link in
                if OwnKey.contains(ObjectKey(path)) { return .nothing }
                if own.withLock({ $0.isOfNeighbour(path) }) { return .nothing }
                if own.withLock({ $0.takes(facts, at: path) || $0.takes(link?.end, at: path) }) {
                    return .nothing
                }
                let folder = path.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? []
                var object = ListedObject(
                    key: ObjectKey(path), version: facts.version(trust: self.trust),
                    linkTarget: link.flatMap { resolver.key(of: $0.target, linkIn: folder) },
                    doubt: Self.doubt(about: link), isIgnored: link?.end?.kind == .folder)
                if let link, !link.isMount {
                    if link.end != nil { object.linkEnd = resolver.end(path) }
                    object.leadsTo = resolver.places(of: link.target, linkIn: folder)
                } else if link != nil {
                    switch resolver.origin(ofMountAt: path) {
                    case .elsewhere: return .nothing
                    case .inside(let key): object.linkEnd = key
                    case .unknown: return .problem(Self.unknownMount)
                    }
                }
                return .item(object)
            }, receive)
        result.notes += own.withLock { $0.notes }
        return result
    }

    private static let unknownMount =
        "a folder of the same file system is mounted here, and where else that lies cannot be "
        + "told: its files may be this bucket's own under other keys, so that it cannot be ignored"

    // What is left of a link when the disk that it leads to is not mounted.
    private static func doubt(about link: FolderWalk.Link?) -> String? {
        guard let link, link.end == nil else { return nil }
        return "it is a symbolic link to something that is not there, most likely on a disk that "
            + "is not mounted"
    }

    // Only a pattern for all that lies in a folder covers a link or a mount in the folder's place:
    // were it not there one night, keys below it would be absent.
    private func ignores(_ path: [UInt8]) -> Bool {
        isIgnored(ObjectKey(path + Self.anyNameBelow))
    }

    private static let anyNameBelow = Array("/\u{1}/\u{1}".utf8)

    /// Lists the files below the quarantine's run folders; no quarantine is an empty one, and
    /// whatever lies outside a run's folder is a problem.
    package func listQuarantine(
        _ receive: ([QuarantinedObject]) async throws -> Void
    ) async throws -> ScanResult {
        let slash = UInt8(ascii: "/")
        let resolver = linkResolver()
        let source = WalkSource(
            place: quarantinePlace + [slash],
            open: { (problems) throws(StoreError) in try self.openQuarantine(&problems) },
            links: .takingAll
        ) { path, _ in
            if path.contains(slash) || Self.run(path) != nil { return .enter }
            return .refuse("is no run's folder, and only those belong in the quarantine")
        }
        return try await scan(
            source,
            meaning: { path, facts, link in
                guard let end = path.firstIndex(of: slash), let run = Self.run(path[..<end]) else {
                    if self.isOwn(path) { return .nothing }
                    return .outside("lies in the quarantine outside every run's folder")
                }
                let key = ObjectKey(Array(path[(end + 1)...]))
                if OwnKey.contains(key) { return .nothing }
                var object = QuarantinedObject(
                    key: key, run: run, version: facts.version(trust: self.trust))
                if let link {
                    let folder = key.bytes.lastIndex(of: slash).map { key.bytes[..<$0] } ?? []
                    object.leadsTo = resolver.places(of: link.target, linkIn: folder)
                }
                return .item(object)
            }, receive)
    }

    private func linkResolver() -> LinkResolver {
        LinkResolver(
            folder: folderPath,
            all: [(name, folderPath)] + ownFiles.neighbours.map { ($0.name, $0.folder) })
    }

    /// The path of the quarantine's folder, without a slash at its end.
    var quarantinePlace: [UInt8] {
        Array(quarantinePath.joined(separator: [UInt8(ascii: "/")]))
    }

    // What Mooring itself puts beside the runs' folders, or a crash may have left there: a file to
    // measure the clock with, a lease or marker on its way, and in a quarantine called .mooring/
    // both of them.
    private func isOwn(_ path: [UInt8]) -> Bool {
        path.starts(with: Self.clockFilePrefix) || path.starts(with: Self.stagedLeasePrefix)
            || OwnKey.contains(ObjectKey(quarantinePlace + [UInt8(ascii: "/")] + path))
    }

    private static func run(_ name: some Sequence<UInt8>) -> RunID? {
        String(validating: Array(name), as: UTF8.self).flatMap { RunID($0) }
    }

    // No folder and no problem when there is no quarantine yet.
    private func openQuarantine(_ problems: inout ProblemList) throws(StoreError) -> Folder? {
        let root = try openRoot()
        do {
            return try Descent(from: root, along: quarantinePath).folder
        } catch {
            if case .absent = error.cause { return nil }
            problems.add(
                ScanProblem(
                    place: String(decoding: quarantinePlace, as: UTF8.self), reason: error.reason))
            return nil
        }
    }

    private struct WalkSource {
        let place: [UInt8]
        let open: (inout ProblemList) throws(StoreError) -> Folder?
        let links: FolderWalk.LinkJudge
        let admit: ([UInt8], FileFacts) -> FolderWalk.Admission
    }

    private func scan<Item>(
        _ source: WalkSource,
        meaning: (_ path: [UInt8], FileFacts, FolderWalk.Link?) -> Meaning<Item>,
        _ receive: ([Item]) async throws -> Void
    ) async throws -> ScanResult {
        let from = Instant.now
        var problems = ProblemList()
        var batch: [Item] = []
        if let walk = walk(source, &problems) {
            while let step = walk.next() {
                switch step {
                case .problem(let problem): problems.add(problem)
                case .object(let path, let facts, let link):
                    switch meaning(path, facts, link) {
                    case .item(let item): batch.append(item)
                    case .nothing: break
                    case .outside(let reason):
                        let place = String(decoding: source.place + path, as: UTF8.self)
                        problems.add(
                            ScanProblem(place: place, reason: reason, isOutside: true))
                    case .problem(let reason):
                        let place = String(decoding: source.place + path, as: UTF8.self)
                        problems.add(ScanProblem(place: place, reason: reason))
                    }
                }
                if batch.count == Self.batchSize {
                    try await receive(batch)
                    batch.removeAll(keepingCapacity: true)
                }
            }
        }
        if !batch.isEmpty { try await receive(batch) }
        return problems.result(
            window: ScanWindow(from: from, to: .now), consistency: "moving")
    }

    private func walk(_ source: WalkSource, _ problems: inout ProblemList) -> FolderWalk? {
        let folder: Folder
        do {
            guard let opened = try source.open(&problems) else { return nil }
            folder = opened
        } catch {
            problems.add(ScanProblem(place: error.place, reason: error.reason))
            return nil
        }
        do {
            return try FolderWalk(
                folder, place: source.place, links: source.links, admit: source.admit)
        } catch {
            let reason = "the folder could not be read: \(error.text)"
            problems.add(ScanProblem(place: folderPath, reason: reason))
            return nil
        }
    }
}
