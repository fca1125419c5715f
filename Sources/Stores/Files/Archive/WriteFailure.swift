/// Why a file could not be written.
package struct WriteFailure: Error, CustomStringConvertible {
    /// What was found.
    package let reason: String

    /// The reason alone.
    package var description: String { reason }
}
