import Glibc

/// What a folder and the marker in it keep while they are moved on one disk, as the ledger holds
/// it: `FOLDER/MARKER/BIRTH`, both inodes and the nanoseconds at which the marker came to be. An
/// earlier ledger holds no birth, and a file system may tell none.
struct MarkerTrace: Hashable {
    /// The inode of the folder.
    let folder: UInt64
    /// The inode of the marker.
    let marker: UInt64
    /// When the marker came to be, in nanoseconds since 1970; nil where nothing tells.
    let birth: Int64?

    /// A trace of these.
    init(folder: UInt64, marker: UInt64, birth: Int64?) {
        self.folder = folder
        self.marker = marker
        self.birth = birth
    }

    /// Reads a trace back; nil when the text is none.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let folder = UInt64(parts[0]),
            let marker = UInt64(parts[1])
        else { return nil }
        let birth = parts.count == 3 ? Int64(parts[2]) : nil
        guard parts.count == 2 || birth != nil else { return nil }
        self.init(folder: folder, marker: marker, birth: birth)
    }

    /// As the ledger holds it.
    var text: String { "\(folder)/\(marker)" + (birth.map { "/\($0)" } ?? "") }

    /// Whether this is the same folder at another path: a copy has inodes of its own.
    func isMoved(from other: MarkerTrace) -> Bool {
        (folder, marker) == (other.folder, other.marker) && isBornWith(other) != false
    }

    /// Whether another marker lies where the other one lay. No program sets a birth, so that a copy
    /// has one of its own, and a disk that is mounted anew keeps it, whatever it makes of inodes.
    /// Without births the marker's inode tells, where the file system keeps inodes.
    func replaces(_ other: MarkerTrace, keepsInodes: Bool) -> Bool {
        if let isSame = isBornWith(other) { return !isSame }
        return keepsInodes && marker != other.marker
    }

    private func isBornWith(_ other: MarkerTrace) -> Bool? {
        guard let birth, let known = other.birth else { return nil }
        return birth == known
    }
}
