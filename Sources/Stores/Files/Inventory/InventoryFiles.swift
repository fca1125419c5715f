import Crypto
import Glibc
import MooringModel
import MooringText

/// A bucket that holds inventories, as they are read from it.
package protocol InventoryStore: Sendable {
    /// The bucket, for messages, such as `s3://reports`.
    var place: String { get }

    /// The bytes of an object from an offset on, at most `count` of them; fewer, or none, only at
    /// its end, and nil where there is no such object. Throws `StoreError`.
    func read(_ key: String, from offset: Int, count: Int) async throws -> [UInt8]?
}

/// One file of an inventory's rows, opened.
struct OpenedPart {
    /// Where it lies, for messages.
    let place: String
    /// What it holds.
    let bytes: ByteSource
}

/// Where the files of one inventory are read.
protocol InventoryFiles: Sendable {
    /// The manifest, for messages.
    var place: String { get }
    /// The last name of the file that holds the manifest's MD5.
    var checksumName: String { get }

    /// The whole manifest, and the MD5 of its bytes. Throws where it cannot be read.
    func manifest() async throws(ReadFailure) -> (bytes: [UInt8], checksum: [UInt8])

    /// What stands in the file of the manifest's MD5; nil where there is none.
    func checksum() async throws(ReadFailure) -> [UInt8]?

    /// The files of rows to read by a manifest, in their order.
    func parts(of manifest: InventoryManifest) -> [InventoryPart]

    /// Opens a part; nil where it is missing.
    func open(_ part: InventoryPart) async throws(ReadFailure) -> OpenedPart?

    /// What to do about a part that is missing, of an inventory written to a bucket.
    func adviceOnMissing(in destination: String) -> String
}

extension InventoryFiles {
    /// All that it names.
    func parts(of manifest: InventoryManifest) -> [InventoryPart] { manifest.parts }
}

/// An inventory of which this machine has a copy.
struct InventoryFolder: InventoryFiles {
    let place: String
    private let places: InventoryPlaces

    /// The inventory of a manifest.
    init(manifest: String) {
        place = manifest
        places = InventoryPlaces(manifest: manifest)
    }

    var checksumName: String { InventoryPlaces.name(of: places.checksum).printable }

    func manifest() throws(ReadFailure) -> (bytes: [UInt8], checksum: [UInt8]) {
        try InventoryManifest.read(place)
    }

    func checksum() throws(ReadFailure) -> [UInt8]? {
        guard try places.isThere(places.checksum) else { return nil }
        return try InventoryManifest.read(places.checksum).bytes
    }

    func open(_ part: InventoryPart) throws(ReadFailure) -> OpenedPart? {
        guard let path = try places.path(of: part) else { return nil }
        return OpenedPart(place: path, bytes: try ByteSource(path: path, isSummed: true))
    }

    func adviceOnMissing(in destination: String) -> String {
        "copy it "
            + (destination.isEmpty ? "" : "from bucket '\(destination.printable)' ")
            + "to beside the manifest"
    }
}

/// An inventory where S3 wrote it.
struct StoredInventory: InventoryFiles {
    private let key: String
    private let store: any InventoryStore
    private let scratch: String

    // Fewer, larger requests than a folder takes.
    private static let piece = 8 << 20

    /// The inventory of a manifest's key; its parts are had in a folder for scratch, one at a time.
    init(manifest: String, store: any InventoryStore, scratch: String) {
        key = manifest
        self.store = store
        self.scratch = scratch
    }

    var place: String { place(of: key) }
    var checksumName: String { InventoryPlaces.name(of: checksumKey).printable }

    private func place(of key: String) -> String { "\(store.place)/\(key.printablePath)" }
    private var checksumKey: String { InventoryPlaces(manifest: key).checksum }

    func manifest() async throws(ReadFailure) -> (bytes: [UInt8], checksum: [UInt8]) {
        guard let bytes = try await whole(key) else {
            throw ReadFailure(
                reason: "is not there; name the manifest.json of an inventory that S3 has written")
        }
        return (bytes, Array(Insecure.MD5.hash(data: bytes)))
    }

    func checksum() async throws(ReadFailure) -> [UInt8]? { try await whole(checksumKey) }

    func adviceOnMissing(in destination: String) -> String {
        "nothing is judged by the rest; name another inventory"
    }

    // Opened before its name goes, so that nothing stays behind, however the run ends.
    func open(_ part: InventoryPart) async throws(ReadFailure) -> OpenedPart? {
        var template = Array("\(scratch)/mooring-inventory-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw ReadFailure(
                reason: "cannot be kept in \(scratch): \(SystemFailure().text); give another "
                    + "folder by --scratch")
        }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer {
            close(descriptor)
            unlink(path)
        }
        guard try await copy(part, to: descriptor) else { return nil }
        return OpenedPart(
            place: place(of: part.key), bytes: try ByteSource(path: path, isSummed: true))
    }

    // One read behind its size tells a longer one, and no more of it is wanted.
    private func copy(
        _ part: InventoryPart, to descriptor: Int32
    ) async throws(ReadFailure) -> Bool {
        var offset = 0
        while offset <= part.size ?? .max {
            guard let bytes = try await read(part.key, from: offset) else { return false }
            if bytes.isEmpty { break }
            try write(bytes, to: descriptor)
            offset += bytes.count
        }
        return true
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(ReadFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw ReadFailure(
                    reason: "cannot be kept in \(scratch): \(SystemFailure().text); give a folder "
                        + "with more room by --scratch")
            }
            written += count
        }
    }

    private func whole(_ key: String) async throws(ReadFailure) -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            guard let piece = try await read(key, from: bytes.count) else {
                return bytes.isEmpty ? nil : bytes
            }
            if piece.isEmpty { return bytes }
            bytes += piece
            try InventoryManifest.refuse(tooLong: bytes.count)
        }
    }

    private func read(_ key: String, from offset: Int) async throws(ReadFailure) -> [UInt8]? {
        do {
            return try await store.read(key, from: offset, count: Self.piece)
        } catch {
            throw ReadFailure(reason: "cannot be read: \(error)")
        }
    }
}
