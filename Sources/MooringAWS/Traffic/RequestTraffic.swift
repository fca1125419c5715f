/// What a client has sent and received so far.
package struct RequestTraffic: Hashable, Sendable {
    /// How a service charges for a request.
    package enum CostClass: Hashable, Sendable {
        /// Writes and listings.
        case a
        /// Reads of single things.
        case b
        /// Removals.
        case free

        /// The class of a call of S3.
        package init(call: String, method: String) {
            if method == "DELETE" || call == "DeleteObjects" {
                self = .free
            } else if method == "PUT" || method == "POST" || call.hasPrefix("List") {
                self = .a
            } else {
                self = .b
            }
        }
    }

    /// Requests by the names of their calls, repetitions included.
    package private(set) var calls: [String: Int] = [:]
    /// Of these, the repetitions.
    package private(set) var repetitions = 0
    /// How often the service asked to slow down.
    package private(set) var slowDowns = 0
    /// Bytes of all bodies that were received.
    package private(set) var bytesReceived = 0
    /// Requests of each class.
    package private(set) var classA = 0
    package private(set) var classB = 0
    package private(set) var free = 0

    /// Nothing yet.
    package init() {}

    /// Counts a request as it is sent.
    package mutating func countSending(
        _ call: String, method: String, isRepetition: Bool = false
    ) {
        calls[call, default: 0] += 1
        if isRepetition { repetitions += 1 }
        switch CostClass(call: call, method: method) {
        case .a: classA += 1
        case .b: classB += 1
        case .free: free += 1
        }
    }

    /// Counts an answer.
    mutating func countAnswer(bytes: Int, asksToSlowDown: Bool) {
        bytesReceived += bytes
        if asksToSlowDown { slowDowns += 1 }
    }

    /// Adds another client's.
    package mutating func add(_ other: RequestTraffic) {
        calls.merge(other.calls, uniquingKeysWith: +)
        repetitions += other.repetitions
        slowDowns += other.slowDowns
        bytesReceived += other.bytesReceived
        classA += other.classA
        classB += other.classB
        free += other.free
    }
}
