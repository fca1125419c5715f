import MooringDecisions
package import MooringModel
import MooringText

extension ConfirmScan {
    /// About how many records of a source the join read; nil where there was none. Only progress
    /// is told by it.
    package func recordsKnown(of source: String) -> Int? {
        guard let known else { return nil }
        return zip(models, known.counts.models).filter { $0.0.source == source }
            .map { $0.1.records }.max()
    }

    /// Reads one batch; without `searchesText`, no text is looked through for wanted keys.
    package mutating func read(_ batch: RecordBatch, source: String, searchesText: Bool) {
        let readers = models.indices.filter {
            models[$0].source == source && models[$0].mapping.table == batch.table
        }.compactMap { model in
            RecordReader(mapping: models[model].mapping, columns: batch.columns).map {
                (model, $0)
            }
        }
        let (readBy, known) = (readers.map { models[$0.0].mapping }, rules[source] ?? TextRules())
        let columns = batch.columns.map { column in
            ColumnRole(column, table: batch.table, models: readBy, all: models, rules: known)
        }
        if searchesText, !wantedNumbers.isEmpty {
            let models = models
            searchNames(of: batch, columns) { row in
                readers.lazy.compactMap { model, reader in
                    reader.read(row).map {
                        RecordIdentity(
                            source: source, model: models[model].mapping.model, id: $0.id)
                    }
                }.first ?? Self.identity(of: row, batch, source)
            }
        }
        let made = readers.count < 2 ? boring(batch, readers.first?.0, searchesText) : nil
        for number in 0..<batch.count {
            if made?[number] == true { continue }
            let row = batch.row(number)
            var identity: RecordIdentity?
            var readings: [(Int, RecordReading)] = []
            for (model, reader) in readers {
                guard let reading = reader.read(row) else {
                    rowsWithoutID += 1
                    continue
                }
                counts.add(reading, model: model)
                read(reading, model: model, row: row, columns: batch.columns)
                readings.append((model, reading))
                identity =
                    identity
                    ?? RecordIdentity(
                        source: source, model: models[model].mapping.model, id: reading.id)
            }
            claimShared(readings)
            guard searchesText, !wantedNumbers.isEmpty else { continue }
            let known = identity ?? Self.identity(of: row, batch, source)
            search(row, columns, batch.columns, known, readings)
        }
    }

    // Of each row, as one model reads it or none, whether nothing can be found in it; such rows are
    // counted. Nil where that cannot be told.
    private mutating func boring(
        _ batch: RecordBatch, _ model: Int?, _ searchesText: Bool
    ) -> [Bool]? {
        guard let fingerprints = known?.fingerprints else { return nil }
        let plain = plain ?? PlainConfirm(self, fingerprints: fingerprints)
        self.plain = plain
        let rows = model.map {
            plain.rows(models[$0].mapping, model: $0, columns: batch.columns, meaning: meaning)
        }
        let look = BoringLook(
            plain: plain, rows: rows, searchesText: searchesText && !wantedNumbers.isEmpty,
            comparesReferenced: comparesReferenced, readsAsBefore: readsAsBefore,
            counts: ReferenceCounts(models))
        let slab = batch.packed
        let parts = slab.withCells { bytes, cells in
            let rows = SlabRows(bytes: bytes, cells: cells, width: slab.width)
            return Cores.map(slab.count, least: leastRows) { look.run($0, of: rows) }
        }
        for part in parts {
            counts.add(part.counts)
            add(part.offers)
        }
        return parts.flatMap(\.isBoring)
    }

    /// Compares the objects that the rows of a batch of pass A reference with what is missing, each
    /// once.
    package mutating func compareReferenced(_ batch: RecordBatch, source: String) {
        guard let known else { return }
        let plain = plain ?? PlainConfirm(self, fingerprints: known.fingerprints)
        self.plain = plain
        let look = TellingLook(table: known.fingerprints.table, telling: plain.telling)
        BatchRows(batch, source: source, of: known).look(look) { answer, _ in
            add(answer.offers)
        } made: { reading, model, _ in
            for reference in reading?.references ?? [] {
                compare(
                    meaning.places(
                        of: reference, in: models[model].mapping.files[reference.field],
                        identity: reading?.identity))
            }
        }
    }

    // Offers objects, each once.
    private mutating func add(_ offers: [OfferedObject]) {
        for offer in offers where offered.insert(offer.place) {
            add(referenced: offer.key, bucket: offer.bucket)
        }
    }
}

/// Looks for the objects of rows that may tell anything of what is missing.
private struct TellingLook: PlainLook {
    let table: SlotTable
    let telling: TellingObjects
    let readsChange = false

    struct Answer {
        var telling: TellingObjects
        var offers: [OfferedObject] = []
    }

    func begin() -> Answer { Answer(telling: telling) }

    func lookUp(_ row: inout PlainRow) {
        for place in row.slots.elements { row.marks.append(table.marks(ofReferenced: place)) }
    }

    func look(
        _ rows: ModelRows, _ row: borrowing PlainRow, _ bytes: UnsafeBufferPointer<UInt8>,
        _ answer: inout Answer
    ) -> Bool {
        answer.telling.each(rows.plain, row, bytes) { answer.offers.append($0) }
        return true
    }
}
