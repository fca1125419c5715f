/// Writes a tar archive, deflated, into a new file: the same members give the same bytes.
package final class TarWriter {
    private let file: NewFile
    private let deflater: GzipDeflater
    private let time: Int64
    private var rest: Int64 = 0
    private var padding = 0
    /// The digest of the file as far as it was written; of all of it once it is finished.
    package private(set) var digest = RunningDigest()

    /// An archive without members; each of them will have this time, in seconds since 1970.
    package init(path: String, time: Int64) throws(WriteFailure) {
        file = try NewFile(path: path)
        deflater = try GzipDeflater()
        self.time = time
    }

    /// Begins a member; as many bytes must follow as its size says.
    package func begin(_ name: String, size: Int64) throws(WriteFailure) {
        guard name.utf8.count <= 100, rest == 0 else {
            throw WriteFailure(reason: "\(name) does not fit into the archive")
        }
        try put(TarHeader(name: name, size: size, time: time).bytes)
        rest = size
        padding = TarHeader.padding(of: size)
    }

    /// Appends to the member that was begun.
    package func append(_ piece: [UInt8]) throws(WriteFailure) {
        guard piece.count <= rest else {
            throw WriteFailure(reason: "a member is longer than its header says")
        }
        try put(piece)
        rest -= Int64(piece.count)
        if rest == 0 {
            try put([UInt8](repeating: 0, count: padding))
            padding = 0
        }
    }

    /// Ends the archive, and puts the file in its place.
    package func finish() throws(WriteFailure) {
        guard rest == 0 else {
            throw WriteFailure(reason: "a member is shorter than its header says")
        }
        try put([UInt8](repeating: 0, count: 2 * TarHeader.blockSize))
        var last: [UInt8] = []
        try deflater.finish(into: &last)
        digest.add(last)
        try file.append(last)
        try file.commit()
    }

    private func put(_ bytes: [UInt8]) throws(WriteFailure) {
        guard !bytes.isEmpty else { return }
        var deflated: [UInt8] = []
        try deflater.deflate(bytes, into: &deflated)
        digest.add(deflated)
        try file.append(deflated)
    }
}
