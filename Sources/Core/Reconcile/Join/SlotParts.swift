import MooringText

/// Rows of places in parts, by the first bits of the places, so that several cores work on them at
/// once: none touches the part of another one.
struct SlotParts: Sendable {
    /// How many parts there are.
    static let count = 64

    private var parts = Array(repeating: SlotPart(), count: Self.count)

    // What was fetched, added up: nobody asks for it, but then it is fetched.
    private var fetched: UInt64 = 0

    // Fewer are done by one core alone.
    private static let fewest = 256
    // So many rows are fetched at once, each from anywhere in memory.
    private static let together = 16

    private static func part(_ place: Fingerprint) -> Int {
        Int(truncatingIfNeeded: place.high >> 58)
    }

    /// What is known of a place.
    func marks(of place: Fingerprint) -> SlotMarks {
        parts[Self.part(place)].marks(of: place)
    }

    /// Notes a place and what is said of it; whether it is a new one.
    mutating func insert(_ place: Fingerprint, _ said: SlotMarks) -> Bool {
        parts[Self.part(place)].insert(place, said)
    }

    /// Has this said of a place, whatever was before.
    mutating func replace(_ place: Fingerprint, _ marks: SlotMarks) {
        parts[Self.part(place)].replace(place, marks)
    }

    /// Adds to what is known of a place, if anything is, and gives what was known before.
    mutating func mark(_ place: Fingerprint, _ more: SlotMarks) -> SlotMarks {
        parts[Self.part(place)].mark(place, more)
    }

    /// All rows in no order.
    func each(_ receive: (Fingerprint) -> Void) {
        for part in parts { part.each(receive) }
    }

    /// The rows of a part in the order of their places, which is that of the parts too.
    func sorted(_ number: Int) -> [Fingerprint] { parts[number].sorted() }

    /// Inserts rows, each with its own marks and those that are said of all, and gives how many
    /// are new.
    mutating func insert(_ rows: UnsafeBufferPointer<Fingerprint>, _ said: SlotMarks) -> Int {
        onAllCores(rows) { part, number in
            part.pointee.insert(rows[number], rows[number].marks.union(said))
        }
    }

    /// Adds to what is known of places, and gives of each what was known before.
    mutating func mark(
        _ places: UnsafeBufferPointer<Fingerprint>, _ more: SlotMarks
    ) -> [SlotMarks] {
        // All empty arrays are one, whose count would be written by several threads.
        if places.isEmpty { return [] }
        return Array(unsafeUninitializedCapacity: places.count) { marks, count in
            count = places.count
            // Each place has one of its own.
            nonisolated(unsafe) let marks = marks
            _ = onAllCores(places) { part, number in
                marks[number] = part.pointee.mark(places[number], more)
                return true
            }
        }
    }

    // Has each core work on the places that lie in parts of its own, by their numbers and in their
    // order; gives of how many that was true.
    private mutating func onAllCores(
        _ places: UnsafeBufferPointer<Fingerprint>,
        _ work: (_ part: UnsafeMutablePointer<SlotPart>, _ number: Int) -> Bool
    ) -> Int {
        let least = places.count < Self.fewest ? Self.count : 1
        let answers = parts.withUnsafeMutableBufferPointer { parts in
            // No core touches the part of another one, and all have ended behind this call.
            nonisolated(unsafe) let (parts, places, work) = (parts, places, work)
            guard let first = parts.baseAddress else { return [(count: Int, fetched: UInt64)]() }
            return Cores.map(Self.count, least: least) { own in
                var (count, fetched, taken) = (0, UInt64(0), 0)
                withUnsafeTemporaryAllocation(of: Int.self, capacity: Self.together) { few in
                    func workOnFew() {
                        for number in few[..<taken] {
                            let place = places[number]
                            fetched &+= first[Self.part(place)].fetch(place)
                        }
                        for number in few[..<taken] {
                            count += work(first + Self.part(places[number]), number) ? 1 : 0
                        }
                        taken = 0
                    }
                    for number in places.indices {
                        // Whether a place is its own no core foresees: it is noted, and perhaps
                        // written over.
                        few[taken] = number
                        taken += own.contains(Self.part(places[number])) ? 1 : 0
                        if taken == Self.together { workOnFew() }
                    }
                    workOnFew()
                }
                return (count, fetched)
            }
        }
        fetched = answers.reduce(fetched) { $0 &+ $1.fetched }
        return answers.reduce(0) { $0 + $1.count }
    }
}
