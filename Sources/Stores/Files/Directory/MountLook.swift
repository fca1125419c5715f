import CRename
import Glibc

/// Asks the kernel whether a name is the root of a mount.
///
/// The number of the file system does not tell: a folder that is bound to a second place is of the
/// same one, and its files then have two keys, or come and go with the mount.
enum MountLook {
    // The kernel's `struct statx`, and what it says of a root of a mount.
    private static let size = 256
    private static let attributes = 8
    private static let knownAttributes = 56
    private static let isRoot: UInt64 = 0x2000

    /// Whether something is mounted at a name in an open folder, which is no link. Kernels before
    /// 5.8 cannot tell, and say no.
    static func isMount(
        _ folder: Int32, _ name: UnsafePointer<CChar>
    ) throws(SystemFailure) -> Bool {
        var facts = [UInt8](repeating: 0, count: size)
        let result = facts.withUnsafeMutableBytes {
            statx(folder, name, AT_SYMLINK_NOFOLLOW, 0, $0.baseAddress)
        }
        guard result == 0 else {
            let failure = SystemFailure()
            // A kernel, or a sandbox before it, that does not know the call.
            if failure.code == ENOSYS || failure.code == EPERM { return false }
            throw failure
        }
        return facts.withUnsafeBytes { bytes in
            let known = bytes.loadUnaligned(fromByteOffset: knownAttributes, as: UInt64.self)
            let set = bytes.loadUnaligned(fromByteOffset: attributes, as: UInt64.self)
            return known & set & isRoot != 0
        }
    }
}
