import MooringAWS
import MooringModel

/// One request of a listing.
struct PageQuestion: Sendable {
    /// The number of the stretch that is asked about.
    let stretch: Int
    /// The prefix, empty for none.
    let prefix: [UInt8]
    /// The key behind which the page begins; nil for the prefix's first.
    let startAfter: [UInt8]?
    /// Beside it: the version or upload behind which the page begins.
    let id: String?
    /// The token of the page before, which stands for the key.
    let token: [UInt8]?
    /// Whether keys that go on behind a slash are told by their common prefix only.
    let isGrouped: Bool
    /// What is known of how the store writes keys.
    let encoding: KeyEncoding

    /// The call.
    func call(_ layout: PageLayout, limit: Int) -> S3Call {
        var query = layout.selector.map { AWSRequest.Parameter($0.key, $0.value) }
        query.append(.init("encoding-type", "url"))
        query.append(.init(layout.limit, "\(limit)"))
        if !prefix.isEmpty { query.append(.init("prefix", prefix)) }
        if isGrouped { query.append(.init("delimiter", "/")) }
        if let token, let name = layout.token {
            query.append(.init(name, token))
        } else if let startAfter {
            query.append(.init(layout.marker, startAfter))
            if let id, let name = layout.idMarker { query.append(.init(name, id)) }
        }
        return S3Call(layout.call, query: query)
    }
}

/// Why a question was not answered.
struct PageFailure: Error, Hashable, Sendable {
    /// What happened, in words that follow the call's name.
    let reason: String
    /// Whether asking again may help.
    let isTransient: Bool
}
