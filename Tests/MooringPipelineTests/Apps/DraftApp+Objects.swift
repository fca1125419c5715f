import MooringModel

// The objects of a random app: at some of the places that its records mean, and elsewhere.

extension DraftApp {
    private static let heads = [
        "", "public/", "private/me/", "private/them/", "protected/me/", "protected/them/",
    ].map { Array($0.utf8) }

    mutating func addObjects() {
        let naive = NaiveModel(self)
        let references = naive.references(in: AppState(self))
        for reference in references {
            let value = reference.value
            let bucket = reference.bucket ?? "media"
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<45: put(bucket, own(reference))
            case 45..<53: put(bucket, random.pick(Self.heads) + value)
            case 53..<57: put(random.pick(["media", "archive"]), own(reference))
            case 57..<63: put(bucket, own(reference), isHeld: true)
            case 63..<68: put(bucket, twin(own(reference)))
            default: break
            }
        }
        for _ in 0..<Int.random(in: 0...7, using: &random) {
            let key = random.pick(Self.heads) + random.pick(words)
            put(random.pick(["media", "media", "archive"]), key)
        }
        // What belongs to some record by its key.
        for row in rows.prefix(8) where random.chance(35) {
            guard let id = row.values["id"]?.bytes else { continue }
            let tail = random.chance(60) ? Array("-\(random.pick(Self.uuids))".utf8) : []
            put(random.pick(["media", "media", "archive"]), random.pick(Self.heads) + id + tail)
        }
        if random.chance(30) { put("media", Array("covers/".utf8) + random.pick(words)) }
        if random.chance(30) { put("media", Array("static/logo".utf8)) }
        for object in objects where object.bucket == "media" && random.chance(10) {
            put("media", Array("thumbs/".utf8) + object.key, isHeld: random.chance(20))
        }
        if random.chance(20) {
            put(random.pick(["media", "archive"]), random.pick(words), isHeld: true)
        }
        addTakeable()
    }

    // Where a record's field is empty, an object that it could hold by its identifier.
    private mutating func addTakeable() {
        for (number, row) in rows.enumerated() where random.chance(60) {
            for field in models.first(where: { $0.name == row.table })?.files ?? []
            where !field.isList && !field.isComplex && field.template == "{id}" {
                guard let id = row.values["id"]?.bytes, row.values[field.column]?.bytes == nil
                else { continue }
                var filled = self
                filled.rows[number].values[field.column] = .text(id)
                let taken = NaiveModel(filled).references(in: AppState(filled)).first {
                    $0.field.column == field.column && $0.value == id
                }
                if let taken { put(field.bucket, own(taken)) }
            }
        }
    }

    private mutating func own(_ reference: NaiveModel.Reference) -> [UInt8] {
        switch random.pick(reference.places) {
        case .exact(let key): key
        case .open(let head, let tail):
            head + Array(random.pick(["me", "them"]).utf8) + tail
        }
    }

    private func twin(_ key: [UInt8]) -> [UInt8] {
        guard let text = String(validating: key, as: UTF8.self) else { return key }
        if text.contains("e\u{301}") {
            // The two spellings of one letter are one character to a string.
            return key.split(separator: [0x65, 0xCC, 0x81], maxSplits: 1)
                .reduce(into: []) { $0 += ($0.isEmpty ? [] : [0xC3, 0xA9]) + Array($1) }
        }
        guard let last = key.last, last < 0x80, last > 0x20 else { return key }
        return key.dropLast() + Array("%\(String(last, radix: 16))".utf8)
    }

    private mutating func put(_ bucket: String, _ key: [UInt8], isHeld: Bool = false) {
        guard !key.isEmpty, key.count <= 1_024 else { return }
        let isTaken = objects.contains {
            $0.bucket == bucket && ($0.key == key || isReal && clash($0.key, key))
        }
        guard !isTaken, !isReal || fitsFolder(key) else { return }
        objects.append(
            Object(
                bucket: bucket, key: key, content: [UInt8(objects.count % 250), 1],
                isYoung: !isReal && random.chance(10), isHeld: isHeld))
    }

    private func fitsFolder(_ key: [UInt8]) -> Bool {
        let parts = key.split(separator: 47, omittingEmptySubsequences: false)
        return !key.contains(0)
            && parts.allSatisfy {
                !$0.isEmpty && $0.count < 200 && !$0.elementsEqual([46])
                    && !$0.elementsEqual([46, 46])
            }
    }

    // A folder holds no file and folder of one name.
    private func clash(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.starts(with: other + [47]) || other.starts(with: one + [47])
    }

    // MARK: Texts that nobody mapped

    mutating func addMentions() {
        for object in objects where random.chance(6) {
            let isSimple =
                object.key.count >= 4
                && object.key.allSatisfy {
                    $0 == 47 || (48...57).contains($0) || (97...122).contains($0)
                }
            let text: [UInt8]
            switch Int.random(in: 0..<3, using: &random) {
            case 0: text = object.key
            case 1: text = Array("https://cdn.example.com/".utf8) + Self.encoded(object.key)
            default:
                guard isSimple else { continue }
                text = Array("see ".utf8) + object.key + Array(" for more".utf8)
            }
            mentions.insert(object.key)
            if random.chance(50) || rows[0].values["hint"] != nil {
                rows.append(
                    Row(
                        source: "app", table: "Setting",
                        values: ["id": .text("s\(rows.count)"), "value": .text(text)]))
            } else {
                rows[0].values["hint"] = .text(text)
            }
        }
    }

    private static func encoded(_ key: [UInt8]) -> [UInt8] {
        key.flatMap { byte -> [UInt8] in
            let isPlain =
                byte == 47 || (48...57).contains(byte) || (97...122).contains(byte)
                || (65...90).contains(byte)
            if isPlain { return [byte] }
            let digits = String(byte, radix: 16, uppercase: true)
            return Array(("%" + (byte < 16 ? "0" : "") + digits).utf8)
        }
    }
}
