/// What the order of findings in reports goes by.
private struct ReportPlace {
    let kind: FindingKind
    let (bucket, id): (String, String)
    let key: ObjectKey

    init(_ finding: Finding) {
        (kind, id) = (finding.kind, finding.id)
        (bucket, key) = (finding.bucket ?? "", finding.key ?? ObjectKey(""))
    }

    func precedes(_ other: ReportPlace) -> Bool {
        if kind != other.kind { return kind.rawValue < other.kind.rawValue }
        if bucket != other.bucket {
            return bucket.utf8.lexicographicallyPrecedes(other.bucket.utf8)
        }
        return key == other.key ? id < other.id : key < other.key
    }
}

extension Finding {
    /// The order of findings in every report: kind, bucket, key bytes, then id.
    package static func precedes(_ left: Finding, _ right: Finding) -> Bool {
        ReportPlace(left).precedes(ReportPlace(right))
    }
}

extension [Finding] {
    /// Puts findings into the order of every report.
    package mutating func sortForReports() {
        // A finding is large: comparing two of them would copy both, and a second list of them
        // would take as much memory as this one.
        var order = orderForReports
        // Round by round, so that each is moved once, however far one of them has to go.
        for start in indices {
            var place = start
            while order[place] != start {
                let source = order[place]
                swapAt(place, source)
                order[place] = place
                place = source
            }
            order[place] = place
        }
    }

    // The places of the findings in the order of reports.
    private var orderForReports: [Int] {
        let places = map(ReportPlace.init)
        let numbers = Self.groups(places)
        return places.indices.map { (number: numbers[$0], key: places[$0].key.bytes) }
            .places(inOrderOf: { $0.number }, { $0.key }) { places[$0].id < places[$1].id }
    }

    // A number for the kind and the bucket of each, in the order of both.
    private static func groups(_ places: [ReportPlace]) -> [Int] {
        var known: [ReportGroup: Int] = [:]
        var first: [Int] = []
        let numbers = places.indices.map { place in
            let group = ReportGroup(kind: places[place].kind, bucket: places[place].bucket)
            if let number = known[group] { return number }
            first.append(place)
            known[group] = first.count - 1
            return first.count - 1
        }
        var ranks = [Int](repeating: 0, count: first.count)
        let ordered = first.indices.sorted { places[first[$0]].precedes(places[first[$1]]) }
        for (rank, number) in ordered.enumerated() { ranks[number] = rank }
        return numbers.map { ranks[$0] }
    }
}

// Findings that only their keys and ids bring into an order.
private struct ReportGroup: Hashable {
    let kind: FindingKind
    let bucket: String
}
