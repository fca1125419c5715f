import CRename
import Glibc

/// Asks the kernel when a file came to be, and what kind of file system it lies on.
enum BirthLook {
    // The kernel's `struct statx`: which fields are set, and the birth's seconds and nanoseconds.
    private static let size = 256
    private static let mask = 0
    private static let seconds = 80
    private static let nanoseconds = 88
    private static let wanted: UInt32 = 0x800

    // The magic numbers of ext2 to ext4, XFS, Btrfs, F2FS and ZFS.
    private static let keeping: Set<UInt32> = [
        0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x2FC1_2FC1,
    ]
    // SMB: a server that keeps no births tells the earliest of a file's other times instead.
    private static let guessing: Set<UInt32> = [0x517B, 0xFF53_4D42, 0xFE53_4D42]

    /// When a name in an open folder, which is no link, came to be, in nanoseconds since 1970; nil
    /// where its file system does not tell, or guesses.
    static func birth(_ folder: Int32, _ name: UnsafePointer<CChar>) -> Int64? {
        guard !guessing.contains(system(folder)) else { return nil }
        var facts = [UInt8](repeating: 0, count: size)
        let result = facts.withUnsafeMutableBytes {
            statx(folder, name, AT_SYMLINK_NOFOLLOW, wanted, $0.baseAddress)
        }
        guard result == 0 else { return nil }
        return facts.withUnsafeBytes { bytes in
            guard bytes.loadUnaligned(fromByteOffset: mask, as: UInt32.self) & wanted != 0 else {
                return nil
            }
            let whole = bytes.loadUnaligned(fromByteOffset: seconds, as: Int64.self)
            let rest = bytes.loadUnaligned(fromByteOffset: nanoseconds, as: UInt32.self)
            let (time, isTooFar) = whole.multipliedReportingOverflow(by: 1_000_000_000)
            return isTooFar || (whole == 0 && rest == 0) ? nil : time &+ Int64(rest)
        }
    }

    /// Whether files keep their inodes for good where an open folder lies, whatever is mounted
    /// anew.
    static func keepsInodes(_ folder: Int32) -> Bool { keeping.contains(system(folder)) }

    // 0 where it cannot be asked; `f_type` comes first in the C library's `struct statfs`.
    private static func system(_ folder: Int32) -> UInt32 {
        var facts = [UInt8](repeating: 0, count: size)
        let result = facts.withUnsafeMutableBytes { fstatfs(folder, $0.baseAddress) }
        guard result == 0 else { return 0 }
        return facts.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 0, as: UInt32.self) }
    }
}
