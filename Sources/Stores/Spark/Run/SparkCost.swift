import MooringModel

/// What the tasks of jobs read and sent, as Spark counts it.
struct SparkCost: Hashable, Sendable {
    /// Rows that they read, of files and of what stages before wrote.
    var rows: Int64 = 0
    /// Bytes of these.
    var bytes: Int64 = 0
    /// Bytes that they sent to one another.
    var sent: Int64 = 0
    /// Bytes that memory did not hold meanwhile, on the disks of the workers.
    var spilled: Int64 = 0

    /// Of no job.
    init() {}

    /// What a job printed at its end; nil where it did not: Spark tells that by no interface that
    /// it promises to keep.
    init?(printed output: String) {
        let line = output.split(separator: "\n").last { $0.hasPrefix("mooring spent ") }
        let numbers = line?.split(separator: " ").dropFirst(2).map { Int64($0) } ?? []
        guard numbers.count == 4, !numbers.contains(nil) else { return nil }
        let known = numbers.compactMap(\.self)
        (rows, bytes, sent, spilled) = (known[0], known[1], known[2], known[3])
    }

    /// Both together.
    static func + (one: SparkCost, other: SparkCost) -> SparkCost {
        var sum = one
        sum.rows += other.rows
        sum.bytes += other.bytes
        sum.sent += other.sent
        sum.spilled += other.spilled
        return sum
    }

    /// It in one sentence.
    var words: String {
        "engine spark: its tasks read \(rows) rows, \(Measure.bytes(bytes)), sent one another "
            + "\(Measure.bytes(sent)), and spilled \(Measure.bytes(spilled)) to disk"
    }
}
