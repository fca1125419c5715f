/// Why a demo or a configuration could not be written: what was found, what is not done because
/// of it, and what to do next.
package struct SetupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was found, with the place.
    package let what: String
    /// What is not done because of it.
    package let why: String
    /// What to do next.
    package let next: String

    /// `what; why. next`.
    package var description: String { "\(what); \(why). \(next)" }
}
