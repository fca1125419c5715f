import CPostgres
import Glibc
import MooringText

/// Where a server is, as a URL or a string of keywords that the client library reads.
struct ServerAddress: Sendable {
    /// The URL or keywords.
    let text: String
    /// What it is called in messages, without any secret.
    let place: String
    private let known: [String: String]

    /// An address; one that the client library cannot read fails only when it is connected to.
    init(_ text: String) {
        self.text = text
        known = Self.parse(text) ?? [:]
        place = Self.place(known)
    }

    /// The keywords and values to connect with, in their order: the address may say otherwise of
    /// those before it, and not of those behind. Throws where it cannot be read.
    func parameters() throws(PostgresFailure) -> [(name: String, value: String)] {
        // What the library says of it may repeat a part of it, and a part may be a password.
        guard Self.parse(text) != nil else {
            throw PostgresFailure(
                "the address of the server is neither a URL postgresql://… nor keywords such as "
                    + "'host=… dbname=…'")
        }
        var parameters: [(String, String)] = []
        // A service's file may say more, and what stands before the address would hide that.
        if known["service"] == nil, getenv("PGSERVICE") == nil {
            parameters = [
                ("keepalives_idle", "30"), ("keepalives_interval", "10"),
                ("keepalives_count", "3"), ("tcp_user_timeout", "60000"),
            ]
            if getenv("PGCONNECT_TIMEOUT") == nil { parameters.append(("connect_timeout", "10")) }
        }
        return parameters + [
            ("dbname", text), ("fallback_application_name", "mooring"),
            ("client_encoding", "UTF8"),
        ]
    }

    private static func parse(_ text: String) -> [String: String]? {
        guard !text.utf8.contains(0) else { return nil }
        guard text.contains("=") || text.contains("://") else { return ["dbname": text] }
        var message: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(text, &message)
        defer { PQconninfoFree(options) }
        if let message { PQfreemem(message) }
        guard var option = options else { return nil }
        var known: [String: String] = [:]
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                known[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        return known
    }

    private static func place(_ known: [String: String]) -> String {
        if let service = known["service"] { return "PostgreSQL service \(shown(service))" }
        var place = "PostgreSQL"
        if let database = known["dbname"] { place += " database \(shown(database))" }
        if let host = known["host"] ?? known["hostaddr"] { place += " on \(shown(host))" }
        if let port = known["port"] { place += ":\(shown(port))" }
        return place
    }

    private static func shown(_ text: String) -> String {
        text.printable(longest: 100, mark: "?", end: "")
    }
}
