import Glibc
import MooringModel
import MooringText

/// Writes a folder that is there complete or not at all: under another name beside its place
/// first, and renamed at the end.
struct DemoFolder {
    /// Where the folder will be, without a slash at its end.
    let place: String
    /// Where it is written until it is complete.
    let draft: String
    // What was made, so that a failure removes nothing else.
    private var madeFiles: [[CChar]] = []
    private var madeFolders: Set<[UInt8]> = []
    private var folderPaths: [[CChar]] = []

    /// Makes the draft. Throws `SetupError` when the place is taken or cannot be written.
    init(at place: String) throws(SetupError) {
        var place = place
        while place.utf8.count > 1, place.utf8.last == UInt8(ascii: "/") { place.removeLast() }
        self.place = place
        try Self.checkFree(place)
        let cut = place.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = cut.map { String(place[place.utf8.index(after: $0)...]) } ?? place
        let parent = cut.map { String(place[...$0]) } ?? ""
        draft = "\(parent).\(name).\(getpid()).partial"
        guard mkdir(draft, 0o777) == 0 else {
            throw Self.failure("\(Self.shown(place)) cannot be made: \(Self.reason)")
        }
    }

    /// Writes one file and the folders above it, with this modification time.
    mutating func write(
        _ content: [UInt8], to key: ObjectKey, modified: Instant
    ) throws(SetupError) {
        let slash = UInt8(ascii: "/")
        for index in key.bytes.indices where key.bytes[index] == slash {
            try makeFolder(Array(key.bytes[..<index]))
        }
        let path = pathBytes(key.bytes)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw cannotWrite(key) }
        defer { close(descriptor) }
        madeFiles.append(path)
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw cannotWrite(key) }
            rest = rest.dropFirst(count)
        }
        let seconds = modified.nanoseconds / 1_000_000_000
        let time = timespec(
            tv_sec: Int(seconds), tv_nsec: Int(modified.nanoseconds - seconds * 1_000_000_000))
        guard futimens(descriptor, [time, time]) == 0 else { throw cannotWrite(key) }
    }

    /// Gives the draft its own name. An empty folder in the place makes room for it; anything
    /// else there stays, and this throws.
    func complete() throws(SetupError) {
        guard rename(draft, place) == 0 else {
            throw Self.failure("\(Self.shown(place)) cannot be made: \(Self.reason)")
        }
    }

    /// Removes the draft and what was written into it; what cannot be removed stays.
    func discard(alsoFiles names: [String]) {
        for name in names { unlink("\(draft)/\(name)") }
        for path in madeFiles.reversed() {
            unlink(path)
        }
        for path in folderPaths.reversed() {
            rmdir(path)
        }
        rmdir(draft)
    }

    private mutating func makeFolder(_ name: [UInt8]) throws(SetupError) {
        guard madeFolders.insert(name).inserted else { return }
        let path = pathBytes(name)
        guard mkdir(path, 0o777) == 0 else { throw cannotWrite(ObjectKey(name)) }
        folderPaths.append(path)
    }

    private func pathBytes(_ key: [UInt8]) -> [CChar] {
        (Array("\(draft)/".utf8) + key + [0]).map { CChar(bitPattern: $0) }
    }

    private func cannotWrite(_ key: ObjectKey) -> SetupError {
        Self.failure("\(Self.shown("\(place)/\(key.text)")) cannot be written: \(Self.reason)")
    }

    // MARK: The place

    private static func checkFree(_ place: String) throws(SetupError) {
        let last = place.utf8.split(separator: UInt8(ascii: "/")).last.map { String($0) ?? "" }
        guard !place.isEmpty, !place.utf8.contains(0), last != nil, last != ".", last != ".."
        else { throw failure("\(shown(place)) is no name for a new folder") }
        var facts = stat()
        guard lstat(place, &facts) == 0 else {
            guard errno == ENOENT else { throw failure("\(shown(place)): \(reason)") }
            return
        }
        guard facts.st_mode & S_IFMT == S_IFDIR, isEmpty(place) else {
            throw failure("\(shown(place)) exists and is left alone")
        }
    }

    // A folder that cannot be read is not known to be empty.
    private static func isEmpty(_ folder: String) -> Bool {
        guard let entries = opendir(folder) else { return false }
        defer { closedir(entries) }
        var count = 0
        while readdir(entries) != nil { count += 1 }
        return count <= 2
    }

    /// What the C library said last.
    private static var reason: String {
        errno == ENOENT ? "the folder above it is not there" : String(cString: strerror(errno))
    }

    private static func failure(_ what: String) -> SetupError {
        SetupError(
            what: what, why: "no demo was written",
            next: "Run mooring demo DIR with a DIR that is new, in a folder you may write to.")
    }

    private static func shown(_ path: String) -> String {
        "'" + path.printable(mark: "?") + "'"
    }
}
