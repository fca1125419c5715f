import Crypto
import MooringFiles
import MooringModel
import MooringText

/// Reads the lines of one data file, some at a time, and checks the file as it goes.
///
/// It is used by one task at a time.
final class ExportPartReader<Lines: ExportLines>: @unchecked Sendable {
    private let store: any ExportStore
    private let part: ExportPart
    private var lines: Lines
    private var offset = 0
    private var digest = Insecure.MD5()
    private var piece: [UInt8] = []
    private var used = 0
    private var inflater: GzipInflater?
    private var text: [UInt8] = []
    private var isOver = false
    private var isBroken = false
    private var faults = 0
    private let room: UnsafeMutableBufferPointer<UInt8>

    /// What one turn of reading gave.
    struct Turn: Sendable {
        /// What the lines gave.
        var output: [Lines.Output] = []
        /// What was wrong.
        var problems: [ScanProblem] = []
        /// Whether there is no other turn.
        var isLast = false
    }

    /// A reader before the first byte of a part.
    init(_ part: ExportPart, in store: any ExportStore, _ lines: Lines) {
        self.part = part
        self.store = store
        self.lines = lines
        room = .allocate(capacity: PartLimit.slice)
    }

    deinit { room.deallocate() }

    private var place: String { "\(store.place)/\(part.path)" }

    /// Reads on, about as much as a batch takes. Throws `CancellationError`.
    func next() async throws -> Turn {
        var turn = Turn()
        do {
            try await fill()
        } catch let error as StoreError {
            isBroken = true
            turn.problems.append(ScanProblem(place: error.place, reason: error.rest))
        } catch let failure as ReadFailure {
            isBroken = true
            turn.problems.append(ScanProblem(place: place, reason: failure.reason))
        } catch let fault as ItemFault {
            isBroken = true
            turn.problems.append(ScanProblem(place: place, reason: fault.reason))
        }
        let isEnd = isOver || isBroken
        read(&turn, isEnd: isEnd)
        turn.output = lines.take(end: isEnd)
        guard isEnd else { return turn }
        turn.isLast = true
        if !isBroken { try await check(&turn) }
        return turn
    }

    // MARK: Bytes

    private func fill() async throws {
        // What is left of a line that is longer still has to grow.
        let goal =
            text.count < PartLimit.text ? PartLimit.text : text.count + PartLimit.slice
        while text.count < goal, !isOver {
            if used == piece.count, try await !load() {
                if let inflater, !inflater.mayEnd {
                    throw ItemFault(reason: "the gzip data is cut off")
                }
                isOver = true
                return
            }
            try take()
        }
    }

    private func load() async throws -> Bool {
        piece = try await store.read(part.path, from: offset, count: PartLimit.piece)
        used = 0
        if piece.isEmpty { return false }
        digest.update(data: piece)
        if offset == 0, piece.starts(with: [0x1F, 0x8B]) { inflater = try GzipInflater() }
        offset += piece.count
        return true
    }

    // A small slice, since a little of gzip may hold a lot of text.
    private func take() throws {
        let slice = used..<min(used + PartLimit.slice, piece.count)
        used = slice.upperBound
        guard let inflater else {
            text.append(contentsOf: piece[slice])
            return
        }
        try piece.withUnsafeMutableBufferPointer { bytes in
            try inflater.inflate(
                UnsafeMutableBufferPointer(rebasing: bytes[slice]), room: room, into: &text)
        }
    }

    // MARK: Lines

    private func read(_ turn: inout Turn, isEnd: Bool) {
        let whole = isEnd ? text.count : Self.lastLineEnd(text)
        guard whole > 0 else {
            if text.count > PartLimit.line {
                isBroken = true
                turn.problems.append(
                    ScanProblem(
                        place: place,
                        reason: "holds a line of more than \(PartLimit.line >> 20) MiB"))
            }
            return
        }
        text.withUnsafeBufferPointer { bytes in
            var cursor = JSONCursor(UnsafeBufferPointer(rebasing: bytes[..<whole]))
            while cursor.peek() != nil {
                do throws(ItemFault) {
                    try lines.read(&cursor)
                } catch {
                    faults += 1
                    if faults <= ScanResult.problemLimit {
                        turn.problems.append(
                            ScanProblem(
                                place: place, line: lines.count + faults, reason: error.reason))
                    }
                    Self.skipLine(&cursor)
                }
            }
        }
        text.removeSubrange(..<whole)
    }

    // Lines are short, so that the last one's end is near.
    private static func lastLineEnd(_ text: [UInt8]) -> Int {
        (text.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    }

    private static func skipLine(_ cursor: inout JSONCursor) {
        while cursor.index < cursor.bytes.count,
            cursor.bytes[cursor.index] != UInt8(ascii: "\n")
        { cursor.index += 1 }
    }

    // MARK: Checks

    private func check(_ turn: inout Turn) async throws {
        if lines.count + faults != part.itemCount {
            turn.problems.append(
                ScanProblem(
                    place: place,
                    reason: "holds \(lines.count + faults) items, and the manifest says "
                        + "\(part.itemCount)"))
        }
        if Array(digest.finalize()) == part.checksum { return }
        do {
            if inflater != nil, try await inflatedDigest() == part.checksum { return }
        } catch let error as StoreError {
            turn.problems.append(ScanProblem(place: error.place, reason: error.rest))
        } catch let error where error is ReadFailure || error is ItemFault {
            // What was inflated once is damaged all the same.
        }
        turn.problems.append(
            ScanProblem(place: place, reason: "is damaged: its MD5 is not the manifest's"))
    }

    // Whoever writes exports in DynamoDB's form may have summed up the text before it was packed.
    private func inflatedDigest() async throws -> [UInt8] {
        (offset, piece, used, text, isOver, digest) = (0, [], 0, [], false, Insecure.MD5())
        var sum = Insecure.MD5()
        while !isOver {
            try await fill()
            sum.update(data: text)
            text.removeAll(keepingCapacity: true)
        }
        return Array(sum.finalize())
    }
}

/// How much of a part is held at a time, in bytes.
enum PartLimit {
    /// One read.
    static let piece = 1 << 20
    /// What is inflated at once.
    static let slice = 64 << 10
    /// The text that is read before its lines are taken.
    static let text = 2 << 20
    /// The longest line: an item of 400 KB in JSON is far shorter.
    static let line = 32 << 20
}
