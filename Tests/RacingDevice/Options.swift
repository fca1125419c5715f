/// What one device is told on its command line.
struct Options: Sendable {
    /// The arguments, in order.
    static let usage = "DATABASE PLACE SEED SECONDS UPLOAD_MS STALE_MS LOG"

    /// The app's database.
    let database: String
    /// The folder in which files lie at their keys, or `http://127.0.0.1:PORT/BUCKET`.
    let place: String
    /// What the environment says of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
    let accessKey: String
    let secretKey: String
    /// Chooses the workflows.
    let seed: UInt64
    /// How long to play.
    let seconds: Int
    /// U and S: how long after an upload its association may come, and how long after a read the
    /// copy may be written back. In nanoseconds.
    let uploadWindow: Int64
    let staleWindow: Int64
    /// Where every step is written down.
    let log: String

    /// Reads the arguments; nil when they are not as `usage` says.
    init?(_ arguments: [String], environment: [String: String]) {
        guard arguments.count == 8, let seed = UInt64(arguments[3]),
            let seconds = Int(arguments[4]), let upload = Int64(arguments[5]),
            let stale = Int64(arguments[6])
        else { return nil }
        (database, place, log) = (arguments[1], arguments[2], arguments[7])
        accessKey = environment["AWS_ACCESS_KEY_ID"] ?? ""
        secretKey = environment["AWS_SECRET_ACCESS_KEY"] ?? ""
        (self.seed, self.seconds) = (seed, seconds)
        (uploadWindow, staleWindow) = (upload * 1_000_000, stale * 1_000_000)
    }

    /// The device's name in logs.
    var name: String { "d\(seed)" }
}
