import Glibc
import MooringModel

/// The folder of one run's report, which appears whole or not at all.
///
/// Files are written to `DIR/.RUN.partial/`. A process that dies leaves that folder, and the next
/// report of the same run takes it over.
struct ReportFolder {
    /// Where files are written until the report is published.
    let partial: String
    private let directory: String
    private let run: RunID
    private let parent: Folder
    private let open: Folder

    /// Claims the run's partial folder, empty; throws when another process is writing it.
    init(directory: String, run: RunID) throws(ReportError) {
        self.directory = directory.isEmpty ? "." : directory
        self.run = run
        partial = Self.partial(of: run, in: directory)
        try Folder.create(self.directory)
        parent = try Folder(opening: self.directory, followingLink: true)
        // Held while the partial folder is claimed here, or replaced in `publish`.
        let claim = try Folder(opening: self.directory, followingLink: true)
        _ = claim.lock(waiting: true)
        if mkdir(partial, 0o777) != 0, errno != EEXIST {
            throw ReportError(path: partial, doing: "the folder cannot be created", code: errno)
        }
        open = try Folder(opening: partial, followingLink: false)
        guard open.lock(waiting: false) else {
            throw ReportError(
                path: partial, reason: "another process is writing this run's report",
                hint: "wait for it, then run 'mooring report \(run.text)'")
        }
        try open.clear()
    }

    private static func partial(of run: RunID, in directory: String) -> String {
        "\(directory.isEmpty ? "." : directory)/.\(run.text).partial"
    }

    /// Removes the partial folder that a process left which died, if it left one; throws when
    /// another process is writing it.
    static func removeLeft(of run: RunID, in directory: String) throws(ReportError) {
        var status = stat()
        guard lstat(partial(of: run, in: directory), &status) == 0 else { return }
        try ReportFolder(directory: directory, run: run).abandon()
    }

    /// Puts the report in its place and returns its path. Files of an earlier report of the run
    /// that this one does not replace stay beside it.
    func publish(updatingLatest: Bool) throws(ReportError) -> String {
        let path = "\(directory)/\(run.text)"
        let claim = try Folder(opening: directory, followingLink: true)
        _ = claim.lock(waiting: true)
        try open.synchronise()
        var status = stat()
        if lstat(path, &status) == 0 {
            try replace(path)
        } else {
            guard rename(partial, path) == 0 else {
                throw ReportError(path: path, doing: "the report cannot be moved", code: errno)
            }
        }
        try parent.synchronise()
        if updatingLatest {
            try updateLatest()
            try parent.synchronise()
        }
        return path
    }

    /// Removes what was written, as far as possible: the run has an error already, and a partial
    /// folder that is left harms nothing.
    func abandon() {
        guard open.isStillThere else { return }
        do { try open.clear() } catch { return }
        _ = rmdir(partial)
    }

    private func replace(_ path: String) throws(ReportError) {
        let old = try Folder(opening: path, followingLink: false)
        try old.linkFiles(into: open)
        try open.synchronise()
        // One step, so that at every moment one whole report lies at the path.
        guard Self.exchange(partial, path) else {
            return try replaceInTwoSteps(path, old)
        }
        try old.move(into: open)
        _ = rmdir(partial)
    }

    // The C library hides `renameat2` from Swift, since it is an extension; so it is looked up.
    private static func exchange(_ left: String, _ right: String) -> Bool {
        typealias Rename =
            @convention(c) (
                Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
            ) -> Int32
        guard let symbol = dlsym(nil, "renameat2") else { return false }
        let exchangeFlag: UInt32 = 2
        return unsafeBitCast(symbol, to: Rename.self)(
            AT_FDCWD, left, AT_FDCWD, right, exchangeFlag) == 0
    }

    // For file systems that cannot exchange: between the two renames the report is missing, and
    // after a crash there it lies at DIR/.RUN.old.
    private func replaceInTwoSteps(_ path: String, _ old: Folder) throws(ReportError) {
        let aside = "\(directory)/.\(run.text).old"
        var status = stat()
        if lstat(aside, &status) == 0 {
            // A crash here once; the report that replaced it is at the path.
            try Folder(opening: aside, followingLink: false).clear()
        }
        guard rename(path, aside) == 0 else {
            throw ReportError(path: path, doing: "the old report cannot be moved", code: errno)
        }
        guard rename(partial, path) == 0 else {
            let code = errno
            _ = rename(aside, path)
            throw ReportError(path: path, doing: "the report cannot be moved", code: code)
        }
        try old.move(into: open)
        _ = rmdir(aside)
    }

    // Only a run that has just ended moves it, so that a clock which was ahead once holds nothing.
    private func updateLatest() throws(ReportError) {
        let link = "\(directory)/latest"
        let fresh = "\(directory)/.latest.partial"
        _ = unlink(fresh)
        guard symlink(run.text, fresh) == 0 else {
            throw ReportError(path: fresh, doing: "the link cannot be created", code: errno)
        }
        guard rename(fresh, link) == 0 else {
            let code = errno
            _ = unlink(fresh)
            throw ReportError(path: link, doing: "the link cannot be replaced", code: code)
        }
    }
}
