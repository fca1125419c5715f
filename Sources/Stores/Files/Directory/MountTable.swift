import Glibc
import MooringModel

/// The mounts that this process sees, as the kernel lists them, to find what a folder of the same
/// file system that is mounted at a second place is at its first.
struct MountTable {
    /// Where a mounted folder lies beside its mount.
    enum Origin: Equatable {
        /// Not in the bucket's folder.
        case elsewhere
        /// In the bucket's folder, at this key.
        case inside(ObjectKey)
        /// The kernel does not say, or it holds the bucket's folder itself.
        case unknown
    }

    private struct Mount {
        let device: [UInt8]
        /// What of the file system is mounted.
        let root: [ArraySlice<UInt8>]
        let place: [ArraySlice<UInt8>]
    }

    private let mounts: [Mount]

    /// The mounts in a text of the form of `/proc/self/mountinfo`; lines of another form are no
    /// mounts.
    init(_ text: [UInt8]) {
        mounts = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count > 5 else { return nil }
            return Mount(
                device: Array(fields[2]), root: Self.parts(Self.plain(fields[3])),
                place: Self.parts(Self.plain(fields[4])))
        }
    }

    /// The mounts of this process; none where they cannot be read.
    static func own() -> MountTable {
        let file = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return MountTable([]) }
        defer { close(file) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            // A part of the list could miss the very mount that is asked for.
            guard count >= 0 else { return MountTable([]) }
            if count == 0 { return MountTable(text) }
            text += piece[..<count]
        }
    }

    /// What is mounted at a path below a bucket's folder; both paths are absolute and hold no link.
    func origin(of path: [UInt8], inBucketAt bucket: [UInt8]) -> Origin {
        let (path, bucket) = (Self.parts(path), Self.parts(bucket))
        guard let own = mounts.last(where: { $0.place.elementsEqual(path, by: ==) }),
            let outer = mounts.enumerated().filter({ bucket.starts(with: $0.element.place) })
                .max(by: {
                    ($0.element.place.count, $0.offset) < ($1.element.place.count, $1.offset)
                })?.element
        else { return .unknown }
        guard own.device == outer.device else { return .elsewhere }
        let folder = outer.root + bucket[outer.place.count...]
        if own.root.count > folder.count, own.root.starts(with: folder) {
            let key = own.root[folder.count...].joined(separator: [UInt8(ascii: "/")])
            return .inside(ObjectKey(Array(key)))
        }
        return folder.starts(with: own.root) ? .unknown : .elsewhere
    }

    private static func parts(_ path: [UInt8]) -> [ArraySlice<UInt8>] {
        path.split(separator: UInt8(ascii: "/"))
    }

    // The kernel writes blanks, tabs, line ends and backslashes as `\` and three octal digits.
    private static func plain(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            else {
                output.append(byte)
                continue
            }
            output.append(code)
            rest = rest.dropFirst(3)
        }
        return output
    }
}
