import Glibc
package import PlainS3
package import Testing

/// What a fault proxy does to some requests: which, how many of them, and what.
package struct FaultRule: Sendable {
    /// Whether a request is meant; nil is every one.
    package var matches: @Sendable (FaultProxy.Request) -> Bool
    /// Which of the meant requests the rule spoils, counted from 1; all by default.
    package var turns: ClosedRange<Int>
    /// What happens to them.
    package var fault: Fault
    /// Whether no request need come that it is for: else the test fails that set it in vain.
    package var mayMiss: Bool
    /// Where it was made.
    let location: SourceLocation

    /// A rule; `turns` tells which of the matching requests it is for, from 1.
    package init(
        _ fault: Fault, turns: ClosedRange<Int> = 1...Int.max, mayMiss: Bool = false,
        from location: SourceLocation = #_sourceLocation,
        where matches: @escaping @Sendable (FaultProxy.Request) -> Bool = { _ in true }
    ) {
        self.matches = matches
        self.turns = turns
        self.fault = fault
        self.mayMiss = mayMiss
        self.location = location
    }

    /// What can happen to a request or its answer.
    package enum Fault: Sendable {
        /// The request waits so many milliseconds, then goes on.
        case delay(Int)
        /// The proxy answers itself, and the server never sees the request.
        case answer(Int, headers: [(name: String, value: String)] = [], body: String = "")
        /// A header of the request is taken out, by its name in small letters; it goes on then.
        case strip(String)
        /// The connection is reset, and the server never sees the request.
        case resetBefore
        /// The server carries the request out, and the connection is reset in place of its answer.
        case resetAfter
        /// The connection ends without an answer, and the server never sees the request.
        case close
        /// No answer ever comes; the server sees the request only when `isCarriedOut`.
        case hang(isCarriedOut: Bool)
        /// The answer ends after so many bytes of its body, though its length was announced.
        case truncate(Int)
        /// The answer comes so many bytes a second.
        case slow(Int)
        /// The server's answer gets another status.
        case status(Int)
        /// Bytes of the answer's body are replaced; its length is set right.
        case replace(String, with: String)
        /// A header of the answer is set, or taken out.
        case header(String, String?)
        /// Something of the test's own: the answer as the server gave it, and what is sent on.
        case change(@Sendable (Message) -> Message)
        /// Something of the test's own happens before the request goes on.
        case before(@Sendable () -> Void)
        /// Something of the test's own happens after the server's answer, before it is sent on.
        case after(@Sendable () -> Void)
    }
}

extension FaultRule.Fault {
    /// The server's clock seems to be so many seconds ahead of what it is; behind, where they are
    /// negative.
    package static func clock(ahead seconds: Int) -> Self {
        .change { given in
            var answer = given
            var moment = time(nil) + seconds
            var parts = tm()
            gmtime_r(&moment, &parts)
            var buffer = [CChar](repeating: 0, count: 64)
            let count = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            let text = String(
                decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            answer.remove("date")
            answer.headers.append(("Date", text))
            return answer
        }
    }
}
