import Glibc
import MooringModel

/// Where the files of exports lie, by their paths below one place.
package protocol ExportStore: Sendable {
    /// The place, for messages.
    var place: String { get }

    /// The paths of all files below the place. Throws `StoreError`.
    func files() async throws -> [String]

    /// The bytes of a file from an offset on, at most `count` of them; fewer, or none, only at its
    /// end. Throws `StoreError`.
    func read(_ path: String, from offset: Int, count: Int) async throws -> [UInt8]
}

extension ExportStore {
    // Manifests name a part in some 200 bytes.
    private static var longest: Int { 256 << 20 }

    /// A whole small file. Throws `StoreError`.
    func whole(_ path: String) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try await read(path, from: bytes.count, count: 1 << 20)
            if piece.isEmpty { return bytes }
            bytes += piece
            guard bytes.count <= Self.longest else {
                throw StoreError(
                    place: "\(place)/\(path)",
                    reason: "is larger than \(Self.longest >> 20) MiB, which no manifest is")
            }
        }
    }
}

/// A folder that exports were copied into.
package struct ExportFolder: ExportStore {
    /// The folder's path.
    package let place: String

    // Prefix, AWSDynamoDB, the export's own folder and its data: one more for each table's copy.
    private static let depth = 8

    /// A folder.
    package init(_ path: String) { place = path }

    package func files() async throws -> [String] {
        var found: [String] = []
        try collect("", depth: 0, &found)
        return found
    }

    private func collect(_ path: String, depth: Int, _ found: inout [String]) throws {
        let folder = path.isEmpty ? place : "\(place)/\(path)"
        guard let stream = opendir(folder) else {
            throw StoreError(place: folder, reason: "cannot be read: \(Self.reason())")
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else {
                    throw StoreError(place: folder, reason: "cannot be read: \(Self.reason())")
                }
                return
            }
            // An entry is only as long as its name, so that its structure must not be copied.
            guard let start = MemoryLayout<dirent>.offset(of: \.d_name) else {
                throw StoreError(place: folder, reason: "cannot be read: its entries have no names")
            }
            let name = String(
                cString: UnsafeRawPointer(entry).advanced(by: start)
                    .assumingMemoryBound(to: CChar.self))
            if name == "." || name == ".." { continue }
            let own = path.isEmpty ? name : "\(path)/\(name)"
            var status = stat()
            guard stat("\(place)/\(own)", &status) == 0 else {
                throw StoreError(
                    place: "\(place)/\(own)", reason: "cannot be looked at: \(Self.reason())")
            }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                found.append(own)
                continue
            }
            // A link may lead round in a circle.
            guard depth < Self.depth else {
                throw StoreError(
                    place: "\(place)/\(own)",
                    reason: "lies too deep to be looked into, and an export may lie there",
                    hint: "name a folder nearer to the exports")
            }
            try collect(own, depth: depth + 1, &found)
        }
    }

    package func read(_ path: String, from offset: Int, count: Int) async throws -> [UInt8] {
        let file = open("\(place)/\(path)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        var isFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let result = pread(
                    file, buffer.baseAddress?.advanced(by: filled), count - filled,
                    off_t(offset + filled))
                if result < 0, errno == EINTR { continue }
                if result < 0 { isFailed = true }
                if result <= 0 { return }
                filled += result
            }
        }
        if isFailed { throw failure(path) }
        return bytes
    }

    private func failure(_ path: String) -> StoreError {
        StoreError(place: "\(place)/\(path)", reason: "cannot be read: \(Self.reason())")
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
