import MooringDecisions
package import MooringModel
import MooringReconcile

/// One way to read a stored value: what it holds, in which bucket and under which levels.
package struct ValueReading: Hashable, Sendable {
    /// How it was read, in words.
    package let form: String
    /// What the shape holds for a key; empty where it holds none.
    package let value: [UInt8]
    /// The bucket that it names; nil when it names none.
    package let bucket: String?
    /// What is wrong with it as a key; nil when nothing is.
    package let fault: String?
    /// Where it is looked up.
    package let level: LevelChoice
    /// How it becomes a key; nil where every layout may be meant.
    package var stored: StoredLayout?

    /// Every way to read a value in a field, or in any field where it is nil: as a key, a list, or
    /// an S3Object, and where that is a URL, by its path.
    package static func all(
        of value: [UInt8], in field: FileField?, buckets: [BucketMapping]
    ) -> [ValueReading] {
        var readings: [ValueReading] = []
        for shape in shapes(of: value, field) {
            readings = read(value, shape, stored: field?.stored)
            if !readings.allSatisfy({ $0.value.isEmpty }) { break }
        }
        return readings + readings.flatMap { $0.paths(buckets) }
    }

    private static func shapes(of value: [UInt8], _ field: FileField?) -> [FileField] {
        if let field { return [field] }
        let plain = FileField(field: "value", level: .any)
        guard KeyRule.isStructured(value) else { return [plain] }
        let isList = value.first == UInt8(ascii: "[")
        return (isList ? [false, true] : [true]).map { isComplex in
            FileField(field: "value", isList: isList, isComplex: isComplex, level: .any)
        } + [plain]
    }

    // The one reader of stored values is asked, with the value as a record's only column.
    private static func read(
        _ value: [UInt8], _ field: FileField, stored: StoredLayout?
    ) -> [ValueReading] {
        let mapping = ModelMapping(model: "", id: [""], files: [field])
        let reader = RecordReader(mapping: mapping, columns: ["", field.field])
        guard let reading = reader?.read([.text([]), .text(value)]) else { return [] }
        let form = field.isComplex ? "an S3Object" : field.isList ? "a list" : "a key"
        var readings = reading.references.map { reference in
            ValueReading(
                form: form, value: reference.value,
                bucket: (reference.bucket.map { String(decoding: $0, as: UTF8.self) })
                    ?? field.bucket,
                fault: field.fault(in: reference.value), level: field.level, stored: stored)
        }
        for unusable in reading.unusable
        where !readings.contains(where: { $0.value == unusable.value }) {
            readings.append(
                ValueReading(
                    form: form, value: [], bucket: nil, fault: unusable.reason,
                    level: field.level))
        }
        // What the user gave is told all the same, where a record would name no file by it.
        if value.isEmpty, readings.isEmpty {
            readings.append(
                ValueReading(
                    form: form, value: [], bucket: nil, fault: KeyRule.fault(in: value),
                    level: field.level))
        }
        return readings
    }

    /// Where the value is a URL, every way to read its path; its first segment, or the host, may
    /// name the bucket.
    func paths(_ buckets: [BucketMapping]) -> [ValueReading] {
        guard let url = StoredURL(value) else { return [] }
        let names = buckets.flatMap { bucket in
            bucket.names.map { (text: $0, of: bucket.name) }
        }
        return url.decodedPaths.flatMap { path -> [ValueReading] in
            let byHost = names.first { name in
                url.host.elementsEqual(name.text.utf8)
                    || url.host.starts(with: (name.text + ".").utf8)
            }
            let byPath = names.first { path.starts(with: ($0.text + "/").utf8) }
            let inPath = byPath.map { name in
                self.path(Array(path.dropFirst(name.text.utf8.count + 1)), bucket: name.of)
            }
            return [self.path(path, bucket: byHost?.of ?? bucket)]
                + [inPath].compactMap { $0 }
        }
    }

    private func path(_ path: [UInt8], bucket: String?) -> ValueReading {
        ValueReading(
            form: "the path of a URL", value: path, bucket: bucket,
            fault: KeyRule.fault(in: path), level: .any)
    }
}
