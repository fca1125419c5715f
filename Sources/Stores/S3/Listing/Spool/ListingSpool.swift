import Crypto
import Glibc
import MooringModel
import MooringText

/// Where and under which conditions the listing of one bucket is kept until it is done.
package struct SpoolPlace: Sendable {
    /// The file's path, one for each bucket.
    package let path: String
    /// What has to be as it was for a listing to be gone on with, beside the store and what is
    /// listed of it; nil where that is not known, and nothing is kept then.
    package let basis: @Sendable () -> String?
    /// The greatest age of a listing that is gone on with, from its first request.
    package let oldest: Duration
    /// How often is noted how far the listing came.
    package let interval: Duration

    /// A place of a spool.
    package init(
        path: String, oldest: Duration, interval: Duration = .seconds(1),
        basis: @escaping @Sendable () -> String?
    ) {
        self.path = path
        self.oldest = oldest
        self.interval = interval
        self.basis = basis
    }

    /// The place beside a ledger for the bucket of this name, of which any bytes may be part.
    package init(
        besides ledger: String, bucket: String, oldest: Duration,
        basis: @escaping @Sendable () -> String?
    ) {
        let digest = SHA256.hash(data: Array(bucket.utf8)).prefix(8)
        let name = Hexadecimal.text(digest)
        self.init(path: "\(ledger).listing-\(name)", oldest: oldest, basis: basis)
    }
}

/// The spool of one listing: what it listed and how far it came, so that a listing that is broken
/// off, however that happens, is gone on with by the next run.
///
/// A spool never fails a listing. Where it cannot be used the listing goes on without it, and a
/// note says so. It is written through the system's cache, so that it outlives the process and not
/// the machine: what a power cut left of it is told by its checksums.
final class ListingSpool {
    /// A listing that was broken off.
    struct Earlier {
        /// When it began.
        let begunAt: Instant
        /// What of it is still open.
        let checkpoint: ListingCheckpoint
        /// How many objects it gave.
        let count: Int
        /// Where its objects begin and end in the file.
        fileprivate let begin: SpoolFile.Mark
        fileprivate let end: SpoolFile.Mark
    }

    /// What has to be said of it and is no problem.
    private(set) var notes: [String] = []

    private let place: SpoolPlace
    private let tiles: [KeyRange]
    private let call: String
    private let about: [UInt8]
    private let begunAt: Instant
    private var file: SpoolFile?
    private var isOff = false
    private var hasHeader = false
    private var count = 0
    private var keptAt = ContinuousClock.now

    private static let schema = "mooring.spool/1"

    /// The spool of a listing of a store's scope that begins now.
    init(
        _ place: SpoolPlace, store: String, scope: ListingScope, call: String, begunAt: Instant
    ) {
        self.place = place
        tiles = scope.tiles
        self.call = call
        self.begunAt = begunAt
        let basis = place.basis()
        isOff = basis == nil
        func list(_ keys: [[UInt8]]) -> JSONValue {
            .array(keys.map { .string(Base64.encode($0)) })
        }
        let about: JSONValue = .members([
            "schema": .string(Self.schema), "store": .string(store), "call": .string(call),
            "basis": .string(basis ?? ""), "prefixes": list(scope.prefixes),
            "hidden": list(scope.hiddenPrefixes),
            "hiddenKeys": list(scope.hiddenKeys.sorted().map(\.bytes)),
        ])
        self.about = about.rendered
    }

    // MARK: What was listed before

    /// The listing that this one goes on with; nil where it begins anew.
    func earlier() -> Earlier? {
        guard !isOff else { return nil }
        do throws(SpoolFile.Refusal) {
            let file = try SpoolFile(at: place.path)
            self.file = file
            guard let earlier = read(file) else {
                // Whatever it was, it is not gone on with.
                if !file.cut(to: .init()) { stop(errno) }
                return nil
            }
            guard file.cut(to: earlier.end) else {
                stop(errno)
                return nil
            }
            hasHeader = true
            count = earlier.count
            notes.append(
                "goes on from an earlier listing of \(Self.time(earlier.begunAt)): "
                    + "\(Measure.count(earlier.count, "object")) known")
            return earlier
        } catch {
            if case .missing = error { return nil }
            stop(error)
            return nil
        }
    }

    // The last whole checkpoint and all that leads to it.
    private func read(_ file: SpoolFile) -> Earlier? {
        var mark = SpoolFile.Mark()
        var (begin, begun) = (mark, Instant.distantPast)
        var found: Earlier?
        var isOdd = false
        do throws(SpoolFault) {
            guard let header = try file.frame(at: &mark), header.kind == .header,
                let told = header.payload.count >= 8 ? Self.header(header.payload) : nil
            else {
                note(odd: mark.offset > 0)
                return nil
            }
            guard told.about.elementsEqual(about) else {
                notes.append(
                    "began anew: an earlier listing of \(Self.time(told.begunAt)) was about "
                        + "something else, or something was changed since")
                return nil
            }
            (begin, begun) = (mark, told.begunAt)
            while let frame = try file.frame(at: &mark) {
                guard frame.kind == .checkpoint else { continue }
                guard let (count, checkpoint) = checkpoint(frame.payload) else {
                    isOdd = true
                    break
                }
                found = Earlier(
                    begunAt: begun, checkpoint: checkpoint, count: count, begin: begin, end: mark)
            }
        } catch {
            // Behind the last checkpoint stands what was cut off in the middle.
            isOdd = found == nil
        }
        guard !isOdd, let found else {
            note(odd: isOdd)
            return nil
        }
        guard found.begunAt <= begunAt, begunAt - found.begunAt <= place.oldest else {
            notes.append(
                "began anew: an earlier listing of \(Self.time(found.begunAt)) is older than "
                    + place.oldest.label)
            return nil
        }
        return found
    }

    private func note(odd: Bool) {
        guard odd else { return }
        notes.append("began anew: what was kept of an earlier listing cannot be read")
    }

    private static func header(
        _ payload: ArraySlice<UInt8>
    ) -> (begunAt: Instant, about: ArraySlice<UInt8>) {
        var nanoseconds: UInt64 = 0
        for (place, byte) in payload.prefix(8).enumerated() {
            nanoseconds |= UInt64(byte) << (8 * UInt64(place))
        }
        return (Instant(nanoseconds: Int64(bitPattern: nanoseconds)), payload.dropFirst(8))
    }

    private func checkpoint(
        _ payload: ArraySlice<UInt8>
    ) -> (count: Int, checkpoint: ListingCheckpoint)? {
        var bytes = SpoolBytes(payload)
        do {
            let count = try bytes.number()
            let node = try JSONNode(parsing: Array(bytes.take(bytes.number())))
            guard bytes.isEmpty, let checkpoint = ListingCheckpoint(node), checkpoint.call == call,
                checkpoint.lies(in: tiles)
            else { return nil }
            return (count, checkpoint)
        } catch {
            return nil
        }
    }

    /// Gives what was listed before, batch by batch; throws `SpoolFault` where it cannot be read
    /// any more, and what `receive` throws.
    func replay(
        _ earlier: Earlier, _ receive: ([ListedObject]) async throws -> Void
    ) async throws {
        guard let file else { throw SpoolFault.odd }
        var mark = earlier.begin
        var count = 0
        while let frame = try file.frame(at: &mark) {
            guard frame.kind == .objects else { continue }
            let objects = try SpooledObjects.decode(frame.payload)
            count += objects.count
            try await receive(objects)
        }
        guard count == earlier.count else { throw SpoolFault.odd }
    }

    // MARK: What is listed now

    /// Keeps objects that are about to be handed on.
    func keep(_ objects: ObjectBatch) {
        count += objects.count
        attempt { file throws(SpoolFile.Refusal) in
            try file.add(.objects) { SpooledObjects.encode(objects, into: &$0) }
        }
    }

    /// Whether it is time for a checkpoint.
    var isDue: Bool { !isOff && ContinuousClock.now - keptAt >= place.interval }

    /// Keeps how far the listing came: all that was kept before is then gone on with.
    func keep(_ checkpoint: ListingCheckpoint) {
        keptAt = .now
        let count = count
        attempt { file throws(SpoolFile.Refusal) in
            let text = checkpoint.json.rendered
            try file.add(.checkpoint) {
                SpooledObjects.put(count, &$0)
                SpooledObjects.put(text.count, &$0)
                $0 += text
            }
            try file.flush()
        }
    }

    /// Removes the file: the listing is done, or is not to be gone on with.
    func remove() {
        isOff = true
        file?.remove()
        file = nil
    }

    private func attempt(_ act: (SpoolFile) throws(SpoolFile.Refusal) -> Void) {
        guard !isOff else { return }
        do throws(SpoolFile.Refusal) {
            let file = file ?? SpoolFile(newAt: place.path)
            self.file = file
            if !hasHeader {
                hasHeader = true
                try file.add(.header) { buffer in
                    withUnsafeBytes(of: begunAt.nanoseconds.littleEndian) {
                        buffer.append(contentsOf: $0)
                    }
                    buffer += about
                }
            }
            try act(file)
        } catch {
            stop(error)
        }
    }

    private func stop(_ refusal: SpoolFile.Refusal) {
        switch refusal {
        case .failed(let number): stop(number)
        case .taken, .missing:
            isOff = true
            file = nil
            notes.append(
                "listed without keeping how far it came: another process lists with \(place.path)")
        }
    }

    private func stop(_ number: Int32) {
        let reason = String(cString: strerror(number))
        notes.append("listed without keeping how far it came: \(place.path): \(reason)")
        // Half a spool is worth nothing, and takes room.
        remove()
    }

    // `HH:MM UTC`.
    private static func time(_ instant: Instant) -> String {
        instant.iso8601.dropFirst(11).prefix(5) + " UTC"
    }
}
