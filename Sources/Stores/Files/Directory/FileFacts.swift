import Glibc
import MooringModel

/// What the file system says of one name, without following a link.
struct FileFacts {
    /// What kind of file a name stands for.
    enum Kind {
        case file
        case folder
        case link
        /// A socket, a fifo, a device: never an object.
        case other
    }

    /// The kind of file.
    let kind: Kind
    /// Bytes of content; of a link, the length of its target's path.
    let size: Int64
    /// The file system it lies on.
    let device: UInt64
    /// Its number on that file system.
    let inode: UInt64
    private let modified: timespec
    private let changed: timespec

    /// The facts in the C library's form.
    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .link
        default: kind = .other
        }
        size = Int64(status.st_size)
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        modified = status.st_mtim
        changed = status.st_ctim
    }

    /// Whether the name stands for an object: a regular file, or a link as itself.
    var isObject: Bool { kind == .file || kind == .link }

    /// When the content was written, by the file's own account.
    var modifiedAt: Instant { Instant(modified) }

    /// The version, with an ETag made from size, mtime and inode: a rename changes none of them.
    func version(trust: DirectoryBucket.Trust) -> ObjectVersion {
        let written = modifiedAt
        let lastModified = trust == .ctime ? max(written, Instant(changed)) : written
        return ObjectVersion(size: size, etag: etag, lastModified: lastModified)
    }

    // The letters keep it from ever ending in "-NUMBER", which would mean a multipart object.
    private var etag: String {
        let seconds = Int64(modified.tv_sec)
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (time, carried) = whole.addingReportingOverflow(Int64(modified.tv_nsec))
        // A file may claim a year that nanoseconds in 64 bits cannot hold.
        let label = overflow || carried ? "\(seconds)n\(modified.tv_nsec)" : "\(time)"
        return "s\(size).m\(label).i\(inode)"
    }
}

extension Instant {
    /// A moment of the C library, held at the ends of the range.
    init(_ time: timespec) {
        self = Instant(seconds: Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// This machine's clock.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(time)
    }
}
