/// Which PostgreSQL database holds records, and how it is read and written.
package struct PostgresSettings: Hashable, Sendable {
    /// A URL, or keywords, as PostgreSQL's own client library reads them.
    package var address: String
    /// The schema in which tables without one are looked for; nil for the role's search path.
    package var schema: String?
    /// The longest time of one statement; nil for none in a scan, and half a minute elsewhere.
    package var statementTimeout: Duration?
    /// The longest wait for another transaction's lock; 5 seconds by default.
    package var lockTimeout: Duration

    /// Settings with the defaults.
    package init(address: String) {
        self.address = address
        lockTimeout = .seconds(5)
    }

    /// What tells the database from another one, and no secret: service, hosts, ports and name.
    package var identity: [String] { values(of: Self.serverWords + ["dbname"]) }

    /// What tells its server from another one: services, hosts and ports.
    var server: [String] { values(of: Self.serverWords) }

    private static let serverWords = ["service", "host", "hostaddr", "port"]

    private func values(of words: [String]) -> [String] {
        let values = PostgresAddress(parsing: address)?.values ?? [:]
        return words.map { values[$0] ?? "" }
    }
}

/// The keywords of an address of PostgreSQL and their values, as its client library reads them.
struct PostgresAddress {
    /// The values by keyword; percent-decoding is left to the client library.
    let values: [String: String]

    /// The address that a text writes; nil when it is neither a URL nor keywords.
    init?(parsing text: String) {
        let schemes = ["postgresql://", "postgres://"]
        if let scheme = schemes.first(where: text.hasPrefix) {
            values = Self.url(text.dropFirst(scheme.count))
        } else if let words = Self.keywords(text) {
            values = words
        } else {
            return nil
        }
    }

    /// The secrets that stand in it, whichever they are for.
    var secrets: [String] {
        ["password", "sslpassword"].compactMap { values[$0] }.filter { !$0.isEmpty }
    }

    // USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?KEYWORD=VALUE&…
    private static func url(_ text: Substring) -> [String: String] {
        var values: [String: String] = [:]
        // As the client library reads it: a question mark before the `@` belongs to the password.
        let authority = text.prefix { $0 != "/" }
        let people = authority.lastIndex(of: "@") ?? text.startIndex
        let question = text[people...].firstIndex(of: "?") ?? text.endIndex
        var place = text[..<question]
        // A password may hold what ends a host, though it should not.
        if let at = place.lastIndex(of: "@") {
            let user = place[..<at]
            let colon = user.firstIndex(of: ":") ?? user.endIndex
            values["user"] = String(user[..<colon])
            values["password"] = String(user[colon...].dropFirst())
            place = place[place.index(after: at)...]
        }
        let slash = place.firstIndex(of: "/") ?? place.endIndex
        if slash < place.endIndex { values["dbname"] = String(place[slash...].dropFirst()) }
        values["host"] = String(place[..<slash])
        for pair in text[question...].dropFirst().split(separator: "&") {
            let equals = pair.firstIndex(of: "=") ?? pair.endIndex
            values[String(pair[..<equals])] = String(pair[equals...].dropFirst())
        }
        return values
    }

    // KEYWORD=VALUE, or KEYWORD = 'VALUE' with \' and \\ in it.
    private static func keywords(_ text: String) -> [String: String]? {
        var values: [String: String] = [:]
        var rest = text.drop(while: \.isWhitespace)
        while !rest.isEmpty {
            let word = rest.prefix { $0 != "=" && !$0.isWhitespace }
            rest = rest[word.endIndex...].drop(while: \.isWhitespace)
            guard !word.isEmpty, rest.popFirst() == "=" else { return nil }
            rest = rest.drop(while: \.isWhitespace)
            let isQuoted = rest.first == "'"
            if isQuoted { rest.removeFirst() }
            var value = ""
            var isEnded = !isQuoted
            while let character = rest.popFirst() {
                if isQuoted ? character == "'" : character.isWhitespace {
                    isEnded = true
                    break
                }
                if character == "\\", let escaped = rest.popFirst() {
                    value.append(escaped)
                } else {
                    value.append(character)
                }
            }
            guard isEnded else { return nil }
            values[String(word)] = value
            rest = rest.drop(while: \.isWhitespace)
        }
        return values.isEmpty ? nil : values
    }
}
