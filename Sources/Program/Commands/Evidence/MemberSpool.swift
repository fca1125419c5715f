import MooringFiles
import MooringModel
import MooringReconcile

/// A member of an archive as it grows, in a file without a name: an archive tells the size of a
/// member before its bytes.
final class MemberSpool {
    /// The member's name.
    let name: String
    private let file: ScratchFile
    private var digest = RunningDigest()
    private var buffer: [UInt8] = []
    private var written = 0

    private static let pieceSize = 64 << 10

    /// An empty member, in a folder for scratch.
    init(_ name: String, in folder: String) throws {
        self.name = name
        do {
            file = try ScratchFile(in: folder)
        } catch {
            throw CommandError(
                "\(folder): no scratch file (\(error.reason)); --scratch names another")
        }
    }

    /// Appends bytes.
    func append(_ bytes: [UInt8]) throws {
        digest.add(bytes)
        buffer += bytes
        if buffer.count >= Self.pieceSize { try flush() }
    }

    /// Appends a value as one line.
    func append(line value: JSONValue) throws { try append(value.rendered + [0x0A]) }

    /// What the manifest says of it.
    var member: EvidenceManifest.Member {
        EvidenceManifest.Member(name: name, size: digest.count, digest: digest.text)
    }

    /// Hands over all of it, piece by piece.
    func read(_ take: ([UInt8]) throws -> Void) throws {
        try flush()
        var offset = 0
        while offset < written {
            var piece = [UInt8](repeating: 0, count: min(Self.pieceSize, written - offset))
            do {
                try piece.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
            } catch let error as ScratchFile.Failure {
                throw CommandError("the scratch file cannot be read (\(error.reason))")
            }
            try take(piece)
            offset += piece.count
        }
    }

    private func flush() throws {
        do {
            try buffer.withUnsafeBytes { try file.write($0, at: written) }
        } catch let error as ScratchFile.Failure {
            throw CommandError(
                "the scratch file cannot be written (\(error.reason)); --scratch names another "
                    + "folder")
        }
        written += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}
