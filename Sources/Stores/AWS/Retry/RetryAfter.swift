package import MooringModel

/// The header with which a service says when it wants to be asked again.
package enum RetryAfter {
    /// The wait that a header asks for: whole seconds, or the time until a date; nil when it is
    /// neither.
    package static func delay(_ text: String, now: Instant) -> Duration? {
        if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, 86_400)) }
        return HTTPDate.parse(text).map { max(.zero, $0 - now) }
    }
}
