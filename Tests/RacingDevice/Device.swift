/// A device: several hands that work at the same time, as the screens, the uploads and the outbox
/// of one app do.
struct Device {
    private static let hands = 32
    private let options: Options
    private let log: Log
    private let files: any Files

    /// A device that is ready to play.
    init(_ options: Options) throws {
        self.options = options
        log = try Log(options.log)
        files =
            try S3Files(
                options.place, accessKey: options.accessKey, secretKey: options.secretKey)
            ?? FolderFiles(options.place)
    }

    /// Plays until its time is over.
    func play() async throws {
        let (options, log, files) = (options, log, files)
        let end = Clock.now + Int64(options.seconds) * 1_000_000_000
        try await withThrowingTaskGroup { group in
            for number in 0..<Self.hands {
                group.addTask {
                    let hand = try Hand(number, options: options, files: files, log: log)
                    try await hand.play(until: end)
                }
            }
            try await group.waitForAll()
        }
    }
}
