import Foundation
import Glibc
import PlainS3
import Testing

/// A proxy before a server that spoils requests and answers by rule, and writes down every
/// request. The Host header goes through as it is, so signatures stay valid.
package final class FaultProxy: @unchecked Sendable {
    /// The port of 127.0.0.1 where it listens.
    package let port: Int
    private let upstream: Int
    private let listener: Int32
    // Guards everything below.
    private let lock = NSLock()
    private var rules: [(rule: FaultRule, seen: Int, hasFired: Bool)] = []
    private var requests: [Request] = []
    // By their numbers, which go on when the log is forgotten.
    private var inFlight: Set<Int> = []
    private var forgotten = 0
    private var most = 0
    private var open: [ObjectIdentifier: Wire] = [:]
    private var isOver = false

    /// A request as it came, and how it ended.
    package struct Request: Sendable, CustomStringConvertible {
        /// The method.
        package let method: String
        /// The path, still encoded, and what follows the question mark.
        package let path: String
        package let query: String
        /// The headers.
        package let headers: [(name: String, value: String)]
        /// The body.
        package let body: [UInt8]
        /// The status that the server answered with; nil while it has not, or never saw it.
        package internal(set) var status: Int?

        /// The first value of a header, by its name in small letters.
        package subscript(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name }?.value
        }

        package var description: String {
            "\(method) \(path)" + (query.isEmpty ? "" : "?" + query)
                + (status.map { " \($0)" } ?? "")
        }
    }

    /// Starts a proxy before a port of this machine's loopback; it ends with its last reference.
    package init(port upstream: Int) throws {
        self.upstream = upstream
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Wire.closedOnExec, 0)
        var address = Wire.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let file = listener
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, length) == 0 && listen(file, 256) == 0
                    ? getsockname(file, $0, &length) : -1
            }
        }
        guard status == 0 else { throw ServerError("no port for a proxy: errno \(errno)") }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [weak self] in
            while true {
                let socket = accept(file, nil, nil)
                guard socket >= 0 else {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    close(file)
                    return
                }
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                let wire = Wire(socket: socket, patience: 600)
                guard let self else { continue }
                self.serve(wire)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        tellMissed(rules)
    }

    // A rule that no request met shows nothing of what it is there to show.
    private func tellMissed(_ rules: [(rule: FaultRule, seen: Int, hasFired: Bool)]) {
        for entry in rules where !entry.hasFired && !entry.rule.mayMiss {
            Issue.record(
                "no request came that the rule is for, of \(entry.seen) that match it",
                sourceLocation: entry.rule.location)
        }
    }

    /// `http://127.0.0.1:PORT`.
    package var endpoint: String { "http://127.0.0.1:\(port)" }

    /// Sets the rules anew; the first that matches a request and has a turn left is used.
    package func set(_ rules: FaultRule...) {
        let before = lock.withLock {
            defer { self.rules = rules.map { ($0, 0, false) } }
            return self.rules
        }
        tellMissed(before)
    }

    /// Every request so far, in the order in which they came.
    package var log: [Request] { lock.withLock { requests } }

    /// The highest number of requests that were on their way at one time.
    package var mostInFlight: Int { lock.withLock { most } }

    /// Forgets the log and the highest number.
    package func forget() {
        lock.withLock {
            forgotten += requests.count
            requests = []
            most = inFlight.count
        }
    }

    /// The requests of a method so far.
    package func count(_ method: String) -> Int { log.count { $0.method == method } }

    // MARK: Connections

    private func serve(_ wire: Wire) {
        lock.withLock { open[ObjectIdentifier(wire)] = wire }
        // A wire is used by one thread only, this one.
        nonisolated(unsafe) let wire = wire
        Thread.detachNewThread {
            var server: Wire?
            // However a connection ends, the log tells; the client sees it too.
            try? self.converse(wire, &server)
            self.lock.withLock { self.open[ObjectIdentifier(wire)] = nil }
            wire.end()
        }
    }

    private func converse(_ wire: Wire, _ server: inout Wire?) throws {
        while var request = try Message.head(from: wire) {
            if request["expect"] != nil {
                try wire.send("HTTP/1.1 100 Continue\r\n\r\n".utf8)
                request.remove("expect")
            }
            try request.readBody(from: wire, toEnd: false)
            let (number, fault) = begin(request)
            defer { land(number) }
            guard try handle(request, number, fault, wire, &server) else { return }
        }
    }

    private func begin(_ message: Message) -> (Int, FaultRule.Fault?) {
        let target = message.words.count > 1 ? String(message.words[1]) : ""
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let request = Request(
            method: message.words.first.map(String.init) ?? "",
            path: parts.first.map(String.init) ?? "",
            query: parts.count > 1 ? String(parts[1]) : "", headers: message.headers,
            body: message.body)
        return lock.withLock {
            requests.append(request)
            let number = forgotten + requests.count - 1
            inFlight.insert(number)
            most = max(most, inFlight.count)
            for index in rules.indices where rules[index].rule.matches(request) {
                rules[index].seen += 1
                if rules[index].rule.turns.contains(rules[index].seen) {
                    rules[index].hasFired = true
                    return (number, rules[index].rule.fault)
                }
            }
            return (number, nil)
        }
    }

    // Whether the connection goes on.
    private func handle(
        _ request: Message, _ number: Int, _ fault: FaultRule.Fault?, _ wire: Wire,
        _ server: inout Wire?
    ) throws -> Bool {
        switch fault {
        case .delay(let time): usleep(UInt32(time) * 1_000)
        case .before(let act): act()
        case .answer(let status, let headers, let body):
            var answer = Message(first: "HTTP/1.1 \(status) Spoilt", headers: headers)
            answer.headers.append(("Content-Length", String(body.utf8.count)))
            land(number)
            try wire.send(answer.head + (request.first.hasPrefix("HEAD ") ? [] : Array(body.utf8)))
            return true
        case .resetBefore:
            wire.reset()
            return false
        case .close: return false
        case .hang(isCarriedOut: false):
            _ = try wire.rest()
            return false
        default: break
        }
        var outgoing = request
        if case .strip(let name) = fault { outgoing.remove(name) }
        let answer = try forward(outgoing, &server)
        note(number, answer.status)
        land(number)
        return try send(answer, to: request, fault, wire)
    }

    private func note(_ number: Int, _ status: Int) {
        // The log may have been forgotten meanwhile.
        lock.withLock {
            let index = number - forgotten
            if requests.indices.contains(index) { requests[index].status = status }
        }
    }

    // Before its answer is sent: a client that has it may send its next request at once.
    private func land(_ number: Int) { _ = lock.withLock { inFlight.remove(number) } }

    private func forward(_ request: Message, _ server: inout Wire?) throws -> Message {
        var outgoing = request
        outgoing.remove("transfer-encoding")
        outgoing.remove("content-length")
        outgoing.headers.append(("Content-Length", String(request.body.count)))
        let method = String(request.words.first ?? "")
        while true {
            let isFresh = server == nil
            let wire = try server ?? Wire(port: upstream, patience: 600)
            server = wire
            do {
                try wire.send(outgoing.head + outgoing.body)
                let answer = try Message.answer(from: wire, to: method)
                if answer.closes { server = nil }
                return answer
            } catch {
                server = nil
                // A connection that had gone idle is replaced once.
                if isFresh { throw error }
            }
        }
    }

    private func send(
        _ given: Message, to request: Message, _ fault: FaultRule.Fault?, _ wire: Wire
    ) throws -> Bool {
        var answer = given
        let isHead = request.first.hasPrefix("HEAD ")
        switch fault {
        case .resetAfter:
            wire.reset()
            return false
        case .hang(isCarriedOut: true):
            _ = try wire.rest()
            return false
        case .status(let status): answer.first = "HTTP/1.1 \(status) Spoilt"
        case .replace(let old, let new):
            answer.body = Array(
                String(decoding: answer.body, as: UTF8.self).replacing(old, with: new).utf8)
        case .header(let name, let value):
            answer.remove(name.lowercased())
            if let value { answer.headers.append((name, value)) }
        case .change(let change): answer = change(answer)
        case .after(let act): act()
        default: break
        }
        answer.remove("transfer-encoding")
        answer.remove("connection")
        if !isHead, answer.status != 204, answer.status != 304 {
            answer.remove("content-length")
            answer.headers.append(("Content-Length", String(answer.body.count)))
        }
        return try send(answer, fault, wire)
    }

    private func send(_ answer: Message, _ fault: FaultRule.Fault?, _ wire: Wire) throws -> Bool {
        switch fault {
        case .truncate(let count):
            try wire.send(answer.head + answer.body.prefix(count))
            return false
        case .slow(let rate):
            var rest = (answer.head + answer.body)[...]
            while !rest.isEmpty {
                try wire.send(rest.prefix(max(1, rate / 20)))
                rest = rest.dropFirst(max(1, rate / 20))
                usleep(50_000)
            }
        default: try wire.send(answer.head + answer.body)
        }
        return true
    }
}
