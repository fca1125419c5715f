import CISAL

/// Inflates a stream of gzip members, one after another, as `cat a.gz b.gz` makes it.
package final class GzipInflater {
    /// Where the compressed stream stands.
    private enum State {
        /// Between members: at the very start, or after one that ended well.
        case between
        case inside
        /// Only zeros may follow: padding, as tape tools write it.
        case padding
    }

    private let stream: UnsafeMutableRawPointer
    private var state = State.between
    private var membersEnded = 0

    /// An inflater at the start of a stream.
    package init() throws(ReadFailure) {
        guard let stream = inflating_begin() else {
            throw ReadFailure(reason: "there is no memory to inflate it")
        }
        self.stream = stream
    }

    deinit {
        inflating_end(stream)
    }

    /// Whether the stream may end here.
    package var mayEnd: Bool { state != .inside && membersEnded > 0 }

    /// Inflates a piece into `output`; what was inflated before a fault is there too. Neither the
    /// piece nor the room may hold 4 GiB.
    package func inflate(
        _ input: UnsafeMutableBufferPointer<UInt8>, room: UnsafeMutableBufferPointer<UInt8>,
        into output: inout [UInt8]
    ) throws(ReadFailure) {
        var rest = UnsafeBufferPointer(input)[...]
        // A full room may not have held all that was inflated.
        var wasFull = false
        while !rest.isEmpty || wasFull {
            if state != .inside, try skipBetweenMembers(&rest) { return }
            let piece = UnsafeBufferPointer(rebasing: rest)
            let result = inflating_go_on(
                stream, piece.baseAddress, piece.count, room.baseAddress, room.count)
            output.append(contentsOf: room[..<result.made])
            // Of damaged data ISA-L may say that it used more than there is.
            guard result.code >= 0, (0...piece.count).contains(result.used) else {
                throw ReadFailure(reason: "the gzip data is damaged")
            }
            rest = rest.dropFirst(result.used)
            state = result.ends_member != 0 ? .between : .inside
            membersEnded += result.ends_member != 0 ? 1 : 0
            wasFull = state == .inside && result.made == room.count
        }
    }

    // Whether the input is used up.
    private func skipBetweenMembers(
        _ rest: inout Slice<UnsafeBufferPointer<UInt8>>
    ) throws(ReadFailure) -> Bool {
        while membersEnded > 0, rest.first == 0 {
            state = .padding
            rest.removeFirst()
        }
        if rest.isEmpty { return true }
        if state == .padding { throw ReadFailure(reason: "other data follows the gzip data") }
        return false
    }
}
