import MooringConfiguration

/// What a monitor of cron jobs is told.
enum PingEvent: Hashable {
    /// The run begins.
    case start
    /// It has ended, with a status.
    case end(ExitStatus)
    /// Something that is neither a success nor a failure.
    case log
}

extension NotifySettings.Ping {
    /// Where an event is told, as the monitors' conventions have it; nil where it is not told.
    ///
    /// A run that met another one's lock is logged only: a success would hide one that hangs, and
    /// a failure would blame the one at work.
    func address(of event: PingEvent) -> WebAddress? {
        switch (self, event) {
        case (.base(let base), .start): base.below("start")
        case (.base(let base), .log), (.base(let base), .end(.locked)): base.below("log")
        case (.base(let base), .end(.done)): base
        case (.base(let base), .end(let status)): base.below("\(status.rawValue)")
        case (.each(let start, _, _), .start): start
        case (.each, .log), (.each, .end(.locked)): nil
        case (.each(_, let success, _), .end(.done)): success
        case (.each(_, _, let failure), .end): failure
        }
    }
}
