package import MooringDecisions
package import MooringModel

// The join in two looks: fingerprints of both sides, then another of the records, of
// which only those references are joined by their whole keys that fingerprints did not settle.

extension Reconciler {
    /// Whether the join compares fingerprints of both sides first, so that the sources have to be
    /// read again when all buckets were listed.
    package var isByFingerprints: Bool { fingerprints != nil }

    /// Reads one batch of a source's rows, and gives how many of them name no record.
    package mutating func read(
        _ batch: RecordBatch, source: String, forms: inout FieldForms
    ) -> Int {
        var withoutID = 0
        eachRow(batch, source, readsChange: true) { join, rows, row, model, bytes in
            join.note(row, rows.heads, model, bytes)
            forms.add(plain: row, model: model)
            return true
        } made: { join, reading, model, row in
            guard let reading else { return withoutID += 1 }
            if join.isByFingerprints {
                join.note(reading, model)
            } else {
                join.add(reading, model: model)
            }
            forms.add(reading, model: model, row: row, columns: batch.columns)
        }
        return withoutID
    }

    /// Reads one batch again, and joins the references that fingerprints did not settle.
    package mutating func readAgain(_ batch: RecordBatch, source: String) {
        eachRow(batch, source) { join, _, row, model, bytes in
            join.settle(row, model, bytes)
        } made: { join, reading, model, _ in
            if let reading { join.link(reading, model) }
        }
    }

    /// Ends the second look; false where the sources did not tell the same as before.
    package mutating func endSecondReading() -> Bool {
        guard let kept = fingerprints?.kept, let fingerprints else { return true }
        self.fingerprints?.kept = []
        for (bucket, object) in kept {
            for slot in slots(of: object.key, bucket: bucket) { mark(slot, object) }
        }
        return !fingerprints.isChanged && fingerprints.readAgain == referenceCount
    }

    /// Drops what is left over where both looks did not see the same: nothing is said of any
    /// reference then.
    package mutating func forgetReferences() {
        (rows, foreign, listed) = ([], [], [:])
    }

    /// Matches one batch of a bucket's listing as `match` does, without making values of objects
    /// that are settled; whether it was possible.
    package mutating func match(
        _ key: UnsafeBufferPointer<UInt8>, bucket: Int, isEmpty: Bool
    ) -> (isReferenced: Bool, isKept: Bool) {
        guard let found = fingerprints?.list(key, bucket: bucket, isEmpty: isEmpty) else {
            return (false, false)
        }
        if found.isRepeated { repeatedObjects[bucket] += 1 }
        return (found.isReferenced, found.isKept)
    }

    /// Keeps an object that `match` said has to be kept.
    package mutating func keep(_ object: ListedObject, bucket: Int) {
        fingerprints?.kept.append((bucket, object))
    }

    /// The places of one batch that is read once more at which objects were listed.
    package func present(
        in batch: RecordBatch, source: String
    ) -> [(pattern: KeyPattern, bucket: Int)] {
        guard let fingerprints else { return [] }
        var found: [(pattern: KeyPattern, bucket: Int)] = []
        var join = self
        join.eachRow(batch, source) { _, _, _, _, _ in
            false
        } made: { join, reading, model, _ in
            guard let reading else { return }
            for reference in reading.references {
                let meant = join.places(of: reference, reading, model)
                guard let bucket = meant.bucket else { continue }
                found += meant.patterns.filter { fingerprints.isListed($0, bucket: bucket) }
                    .map { ($0, bucket) }
            }
        }
        return found
    }

    /// Gives every set of places of one batch that `eachReference` does not, since the fingerprints
    /// settled it, until one is refused; whether none was.
    package func eachSettled(
        in batch: RecordBatch, source: String,
        _ receive: (_ bucket: Int, _ patterns: [KeyPattern]) -> Bool
    ) -> Bool {
        guard let fingerprints else { return true }
        var goesOn = true
        var join = self
        join.eachRow(batch, source) { _, _, _, _, _ in
            !goesOn
        } made: { join, reading, model, _ in
            guard goesOn, let reading, !reading.isTombstone else { return }
            for reference in reading.references where goesOn {
                let meant = join.places(of: reference, reading, model)
                guard let bucket = meant.bucket else { continue }
                let places = meant.patterns.map { fingerprints.fingerprint(of: $0, bucket: bucket) }
                if fingerprints.isOpen(places[...], inList: reference.index != nil) { continue }
                goesOn = receive(bucket, meant.patterns)
            }
        }
        return goesOn
    }
}

/// Places whose objects were compared with what references miss.
package struct OfferedPlaces {
    private var places: Set<Fingerprint> = []

    /// None.
    package init() {}

    /// Notes a place; whether it is a new one.
    mutating func insert(_ place: Fingerprint) -> Bool { places.insert(place).inserted }
}

// MARK: - Rows

extension Reconciler {
    // A model that reads a batch's rows.
    private struct ModelRows {
        let model: Int
        let reader: RecordReader
        let plain: PlainRows
    }

    // Gives each row to each model that reads it, in place where it is plain and not refused.
    private mutating func eachRow(
        _ batch: RecordBatch, _ source: String, readsChange: Bool = false,
        plain: (
            inout Reconciler, PlainRows, borrowing PlainRow, Int, UnsafeBufferPointer<UInt8>
        ) -> Bool,
        made: (inout Reconciler, RecordReading?, Int, [FieldValue]) -> Void
    ) {
        let readers = modelRows(batch, source)
        guard !readers.isEmpty else { return }
        guard let slab = batch.slab, isByFingerprints else {
            for row in batch.rows {
                for reader in readers { made(&self, reader.reader.read(row), reader.model, row) }
            }
            return
        }
        let plainRows = readers.map(\.plain)
        slab.withCells { bytes, cells in
            var plainRow = PlainRow()
            for number in 0..<slab.count {
                let own = UnsafeBufferPointer(
                    rebasing: cells[number * slab.width..<(number + 1) * slab.width])
                var row: [FieldValue]?
                for (index, rows) in plainRows.enumerated() {
                    let model = readers[index].model
                    if rows.read(own, bytes, into: &plainRow, readsChange: readsChange),
                        plain(&self, rows, plainRow, model, bytes)
                    {
                        continue
                    }
                    let values = row ?? slab.row(number)
                    row = values
                    made(&self, readers[index].reader.read(values), model, values)
                }
            }
        }
    }

    private func modelRows(_ batch: RecordBatch, _ source: String) -> [ModelRows] {
        models.indices.filter {
            models[$0].source == source && models[$0].mapping.table == batch.table
        }.compactMap { model in
            let mapping = models[model].mapping
            return RecordReader(mapping: mapping, columns: batch.columns).map {
                ModelRows(
                    model: model, reader: $0,
                    plain: PlainRows(
                        mapping, columns: batch.columns, names: meaning.names,
                        resolver: resolver, maker: fingerprints?.maker ?? FingerprintMaker()))
            }
        }
    }
}

// MARK: - The first look

extension Reconciler {
    private mutating func note(
        _ row: borrowing PlainRow, _ heads: [[UInt8]], _ model: Int,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) {
        counts.add(plain: row, model: model)
        if let range = row.identityRange {
            note(identity: UnsafeBufferPointer(rebasing: bytes[range]))
        } else if !heads.isEmpty {
            fingerprints?.heads.formUnion(heads)
        }
        referenceCount += row.references.count
        for slot in row.slots { fingerprints?.table.insert(slot, isLive: true) }
    }

    private mutating func note(_ reading: RecordReading, _ model: Int) {
        noteRecord(reading, model: model)
        for reference in reading.references {
            referenceCount += 1
            let meant = places(of: reference, reading, model)
            guard let bucket = meant.bucket else {
                noteForeign(reference, reading, model)
                continue
            }
            for pattern in meant.patterns {
                if case .anyIdentity(let head, _) = pattern { fingerprints?.heads.insert(head) }
                guard let place = fingerprints?.fingerprint(of: pattern, bucket: bucket) else {
                    continue
                }
                fingerprints?.table.insert(place, isLive: !reading.isTombstone)
            }
        }
    }
}

// MARK: - The second look

extension Reconciler {
    // False where a reference of the row has to be joined by its whole key.
    private mutating func settle(
        _ row: borrowing PlainRow, _ model: Int, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        for reference in row.references {
            let isOpen = fingerprints?.isOpen(
                row.slots[reference.slots], inList: reference.index >= 0)
            if isOpen != false { return false }
        }
        for reference in row.references {
            let isFirst =
                fingerprints?.table.marks(of: row.slots[reference.slots.lowerBound])
                .contains(.present) == true
            fingerprints?.settle(
                model, reference.field, bucket: reference.bucket,
                isFirst ? UnsafeBufferPointer(rebasing: bytes[reference.value]) : nil)
        }
        fingerprints?.readAgain += row.references.count
        return true
    }

    private mutating func link(_ reading: RecordReading, _ model: Int) {
        var record: UInt32?
        fingerprints?.readAgain += reading.references.count
        for reference in reading.references {
            let meant = places(of: reference, reading, model)
            guard let bucket = meant.bucket, let fingerprints else { continue }
            let found = meant.patterns.map { fingerprints.fingerprint(of: $0, bucket: bucket) }
            let marks = found.map(fingerprints.table.marks)
            if marks.contains(SlotMarks()) { self.fingerprints?.isChanged = true }
            if fingerprints.isOpen(found[...], inList: reference.index != nil) {
                let number = record ?? addRecord(reading, model: model)
                record = number
                add(reference, reading: reading, record: number, model: model)
                for (pattern, marks) in zip(meant.patterns, marks) where marks.contains(.present) {
                    markPresent(pattern, bucket)
                }
            } else if !reading.isTombstone {
                let isFirst = marks.first?.contains(.present) == true
                reference.value.withUnsafeBufferPointer {
                    self.fingerprints?.settle(
                        model, reference.field, bucket: bucket, isFirst ? $0 : nil)
                }
            }
        }
    }
}
