/// How long one sending of a request may take, and a connection wait for the next.
package struct TimeLimits: Sendable {
    /// Until a connection stands, TLS included; 10 s.
    package var connect = Duration.seconds(10)
    /// Between two reads, the first of which waits for the service; 30 s.
    package var read = Duration.seconds(30)
    /// Altogether; 2 min.
    package var whole = Duration.seconds(120)
    /// The same two for calls that the service works on for long, such as copies; 10 and 15 min.
    package var slowRead = Duration.seconds(600)
    package var slowWhole = Duration.seconds(900)

    /// How long a connection that nobody uses stays open; 4 s. Servers close theirs after five and
    /// more, and one that is closed while a request is on its way costs an answer.
    package var idle = Duration.seconds(4)

    /// The defaults.
    package init() {}
}
