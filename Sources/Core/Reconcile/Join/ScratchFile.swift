import Glibc

/// A file without a name in a folder, for what does not fit into memory. Its room is free again as
/// soon as the process ends, however it does; where the file system makes no files without a name,
/// an empty one stays of a process that is killed in the moment of making it.
package final class ScratchFile: Sendable {
    /// That it cannot be made, written or read, with the system's reason.
    package struct Failure: Error, Sendable {
        /// What the system says.
        package let reason: String

        fileprivate init(_ number: Int32) { reason = String(cString: strerror(number)) }

        /// A failure that was told before.
        init(_ reason: String) { self.reason = reason }
    }

    // O_TMPFILE of open(2), which the C library hides behind a macro.
    private static let nameless = 0o20000000 | O_DIRECTORY

    /// The open file.
    let descriptor: Int32

    /// An empty file in a folder that is there.
    package init(in folder: String) throws(Failure) {
        var opened = open(folder, Self.nameless | O_RDWR | O_CLOEXEC, 0o600)
        // Not every file system makes files without a name.
        if opened < 0, errno == EOPNOTSUPP || errno == EISDIR {
            var template = Array("\(folder)/mooring-rows-XXXXXX".utf8CString)
            opened = mkstemp(&template)
            if opened >= 0 {
                unlink(template)
                _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
            }
        }
        guard opened >= 0 else { throw Failure(errno) }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Writes bytes at an offset, over what is there.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
                offset + done)
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(errno)
            }
            done += count
        }
    }

    /// Writes values as they lie in memory at an offset, over what is there.
    func write(_ values: some Collection<some BitwiseCopyable>, at offset: Int) throws(Failure) {
        let failed = ContiguousArray(values).withUnsafeBytes { bytes -> Failure? in
            do throws(Failure) {
                try write(bytes, at: offset)
                return nil
            } catch {
                return error
            }
        }
        if let failed { throw failed }
    }

    /// Reads the bytes at an offset, as many as there is room; fails where the file has fewer.
    package func read(
        into room: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(Failure) {
        var done = 0
        while done < room.count {
            let count = pread(
                descriptor, room.baseAddress?.advanced(by: done), room.count - done,
                offset + done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(count < 0 ? errno : EIO) }
            done += count
        }
    }
}
