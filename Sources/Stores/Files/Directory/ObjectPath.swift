import MooringModel

/// A key as the path of one file: names, none of which the file system reads as anything else.
struct ObjectPath {
    /// Why a key is no such path.
    struct Unusable: Error {
        /// The doubt, as the answer to a look at the key names it.
        let reason: String
    }

    /// The names of the folders that hold the file.
    let folders: [[UInt8]]
    /// The file's own name.
    let name: [UInt8]

    /// The longest name that a Linux file system holds, in bytes.
    static let nameLimit = 255

    /// Reads a key; a key that path rules could take for another file is refused, since its
    /// absence as a file would prove nothing about the object.
    init(_ key: ObjectKey) throws(Unusable) {
        guard !key.bytes.isEmpty else { throw Unusable(reason: "the key is empty") }
        guard !key.bytes.contains(0) else { throw Unusable(reason: "the key holds a NUL byte") }
        var names = key.bytes.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        ).map { Array($0) }
        for name in names {
            if name.isEmpty {
                throw Unusable(reason: "the key has an empty part, so it names no one file")
            }
            if name == [46] || name == [46, 46] {
                throw Unusable(
                    reason: "the key has a part \".\" or \"..\", so it names no one file")
            }
            if name.count > Self.nameLimit {
                throw Unusable(reason: "a part of the key is longer than 255 bytes")
            }
        }
        name = names.removeLast()
        folders = names
    }

    /// All names from the first folder to the file.
    var components: [[UInt8]] { folders + [name] }
}
