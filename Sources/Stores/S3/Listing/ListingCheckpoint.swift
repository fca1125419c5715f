package import MooringModel

/// How far a listing came: what of its scope is still open.
///
/// What was given before is not given again by the listing that goes on from here.
package struct ListingCheckpoint: Hashable, Sendable {
    /// A part of the key space that is not listed yet.
    package struct Part: Hashable, Sendable {
        /// The keys that are open, from the first to behind the last.
        package let range: KeyRange
        /// Where it goes on within the versions or uploads of one key.
        let marker: ListingMarker?
    }

    /// The call that the listing is made of.
    package let call: String
    /// What is open, in the order of the keys; empty at the end.
    package let open: [Part]

    /// A checkpoint.
    init(call: String, open: [Part]) {
        self.call = call
        self.open = open
    }

    /// Whether it can be one of a listing of these tiles: no part overlaps another, or reaches
    /// beyond them.
    func lies(in tiles: [KeyRange]) -> Bool {
        var (all, parts) = (RangeLedger(), RangeLedger())
        for tile in tiles { all.close(tile) }
        for part in open {
            guard !part.range.isEmpty, all.gaps(in: [part.range]).isEmpty else { return false }
            parts.close(part.range)
        }
        return !parts.hasOverlap
    }

    private static let schema = "mooring.listing/1"

    /// The checkpoint as JSON; keys are in Base64, since they need not be texts.
    package var json: JSONValue {
        .members([
            "schema": .string(Self.schema), "call": .string(call),
            "open": .array(
                open.map { part in
                    .members([
                        "from": .string(Base64.encode(part.range.from)),
                        "to": part.range.to.map { .string(Base64.encode($0)) },
                        "key": part.marker.map { .string(Base64.encode($0.key)) },
                        "id": .text(part.marker?.id),
                    ])
                }),
        ])
    }

    /// A checkpoint of its JSON; nil where that is none.
    package init?(_ node: JSONNode) {
        guard node["schema"]?.string == Self.schema, let call = node["call"]?.string,
            let parts = node["open"]?.elements
        else { return nil }
        var open: [Part] = []
        for part in parts {
            guard let from = part["from"]?.string.flatMap({ Base64.decode($0) }) else {
                return nil
            }
            var range = KeyRange(from: from)
            if let text = part["to"]?.string {
                guard let to = Base64.decode(text) else { return nil }
                range.to = to
            }
            var marker: ListingMarker?
            if let text = part["key"]?.string {
                guard let key = Base64.decode(text) else { return nil }
                marker = ListingMarker(key: key, id: part["id"]?.string)
            }
            open.append(Part(range: range, marker: marker))
        }
        self.init(call: call, open: open)
    }
}
