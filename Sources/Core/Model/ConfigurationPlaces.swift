/// Where the configuration's file names what findings are about, for formats that point into it.
package struct ConfigurationPlaces: Hashable, Sendable {
    /// A line of the file.
    package struct Line: Hashable, Sendable {
        /// Its number, from 1.
        package let number: Int
        /// Its length in UTF-16 code units.
        package let length: Int

        /// A line.
        package init(number: Int, length: Int) {
            self.number = number
            self.length = length
        }
    }

    /// The file: relative to the working folder where it lies below it, else absolute.
    package let file: String
    /// The first line of the file, where nothing better is known.
    package let first: Line
    private var lines: [[String]: Line] = [:]

    /// A file in which nothing is found yet.
    package init(file: String = "mooring.yaml", first: Line = Line(number: 1, length: 0)) {
        self.file = file
        self.first = first
    }

    /// Notes where a bucket is configured.
    package mutating func add(bucket: String, at line: Line) { lines[["bucket", bucket]] = line }

    /// Notes where a gate is configured, by its text.
    package mutating func add(gate: String, at line: Line) { lines[["gate", gate]] = line }

    /// Notes where a source, one of its models or a field of that is configured; the first place
    /// of a name counts.
    package mutating func add(
        source: String, model: String? = nil, field: String? = nil, at line: Line
    ) {
        let place = ["source", source] + [model, field].compactMap { $0 }
        if lines[place] == nil { lines[place] = line }
    }

    /// Where a gate is configured; nil of one that the file does not write.
    package func line(ofGate gate: String) -> Line? { lines[["gate", gate]] }

    /// Where the field of a record is configured, else its model, else its source, else the
    /// bucket, else the first line.
    package func line(of record: RecordPlace?, bucket: String?) -> Line {
        if let record {
            let model = ["source", record.identity.source, record.identity.model]
            let field = record.field.flatMap { lines[model + [$0]] }
            if let line = field ?? lines[model] ?? lines[Array(model.prefix(2))] { return line }
        }
        return bucket.flatMap { lines[["bucket", $0]] } ?? first
    }
}
