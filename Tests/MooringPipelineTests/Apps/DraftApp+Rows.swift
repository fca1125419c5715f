import MooringModel

// The records of a random app, and the copies of them.

extension DraftApp {
    mutating func addRows() {
        addKeeper()
        let most = ["Song": 4, "Album": 2, "Post": 2, "Page": 1, "Note": 2, "Comment": 3, "Tag": 2]
        // Parents stand before their children.
        for name in ["User", "Song", "Album", "Post", "Page", "Note", "Comment", "Tag"] {
            guard let model = models.first(where: { $0.name == name }) else { continue }
            for _ in 0..<Int.random(in: 0...(most[name] ?? 1), using: &random) {
                let row = row(of: model)
                rows.append(row)
                // Two rows with one id are one record.
                if random.chance(4) { rows.append(row) }
            }
        }
    }

    // No app is without any reference: a guard refuses those.
    private mutating func addKeeper() {
        rows.append(
            Row(
                source: "app", table: "Song",
                values: [
                    "id": .text("keeper"), "cover": .text("kept"), "version": .integer(1),
                    "changed": .moment(longAgo), "owner": .text("me"),
                ]))
    }

    private mutating func row(of model: AppModel) -> Row {
        var values: [String: FieldValue] = [
            "version": .integer(Int64.random(in: 1...9, using: &random)),
            "changed": moment(), "deleted": random.chance(12) ? .integer(1) : .null,
            "owner": random.chance(70) ? .text("me") : .null,
        ]
        for column in model.id { values[column] = .text(random.pick(words)) }
        let id = model.id.compactMap { values[$0]?.bytes }.joined(separator: [47])
        for field in model.files {
            values[field.column] = value(of: field, id: Array(id))
        }
        for relation in model.relations { values[relation.column] = parent(relation.parent) }
        return Row(source: "app", table: model.name, values: values)
    }

    mutating func moment() -> FieldValue {
        if random.chance(5) { return .null }
        let moment = !isReal && random.chance(12) ? World.start : longAgo
        return random.chance(20) ? .text(moment.iso8601) : .moment(moment)
    }

    private mutating func parent(_ name: String) -> FieldValue {
        guard random.chance(85) else { return .null }
        let parents = rows.filter { $0.table == name }
        guard random.chance(60), !parents.isEmpty else {
            return .text(name == "Post" ? "no/where" : "nowhere")
        }
        let columns = name == "Post" ? ["pk", "sk"] : ["id"]
        let row = random.pick(parents)
        return .text(Array(columns.compactMap { row.values[$0]?.bytes }.joined(separator: [47])))
    }

    private mutating func value(of field: AppField, id: [UInt8]) -> FieldValue {
        if !field.isList {
            guard random.chance(85) else { return .null }
            let key = key(id)
            return .text(field.isComplex ? Array(complex(key, field).utf8) : key)
        }
        if random.chance(8) { return random.pick([.null, .text(""), .text("no list")]) }
        var elements: [String] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            if random.chance(8) {
                elements.append("null")
            } else {
                let key = key(id)
                elements.append(field.isComplex ? complex(key, field) : quoted(key))
            }
        }
        let blanks = ["", " ", "\n  ", "\t"]
        let pieces = elements.map { random.pick(blanks) + $0 + random.pick(blanks) }
        return .text(random.pick(blanks) + "[" + pieces.joined(separator: ",") + "]")
    }

    private mutating func key(_ id: [UInt8]) -> [UInt8] {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2: id
        case 2..<4: id + Array("-\(random.pick(Self.uuids))".utf8)
        case 4: Array("posts/".utf8) + random.pick(words)
        default: random.pick(words)
        }
    }

    private mutating func complex(_ key: [UInt8], _ field: AppField) -> String {
        let bucket = random.pick([field.bucket, field.bucket, field.bucket, "archive", "elsewhere"])
        let object = "{\"bucket\": \"\(bucket)\", \"key\": \(quoted(key)), \"region\":\"eu\"}"
        return object
    }

    // A JSON string in one of its many spellings; what is not UTF-8 has none, and is mended.
    private mutating func quoted(_ value: [UInt8]) -> String {
        var text = "\""
        for scalar in String(decoding: value, as: UTF8.self).unicodeScalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || (scalar.value < 0x80 && random.chance(5)) {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    // MARK: Copies

    mutating func addCopies() {
        for original in rows {
            guard models.contains(where: { $0.name == original.table }), random.chance(70)
            else { continue }
            var copy = Row(source: "phone", table: original.table, values: original.values)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: break
            case 4..<8: age(&copy, by: -1)
            default: age(&copy, by: 1)
            }
            rows.append(copy)
        }
        // What only the device has, by now or still.
        if random.chance(40) {
            var row = row(of: models[0])
            row.values["id"] = .text("gone")
            rows.append(Row(source: "phone", table: row.table, values: row.values))
        }
    }

    private mutating func age(_ copy: inout Row, by step: Int64) {
        if case .integer(let version) = copy.values["version"] {
            copy.values["version"] = .integer(version + step)
        }
        if copy.values["changed"]?.bytes != nil {
            copy.values["changed"] = .moment(longAgo + .hours(step))
        }
        guard let model = models.first(where: { $0.name == copy.table }) else { return }
        let id = model.id.compactMap { copy.values[$0]?.bytes }.joined(separator: [47])
        for field in model.files where random.chance(60) {
            copy.values[field.column] = value(of: field, id: Array(id))
        }
        if random.chance(50) { copy.values["deleted"] = .null }
    }
}
