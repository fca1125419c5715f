/// Keeps a rate of read capacity: units come in at a steady rate, and who takes them in advance
/// waits until they are there.
struct CapacityBucket {
    /// Units a second.
    let rate: Double
    private var units: Double
    private var last: Duration?

    /// A bucket that holds what comes in within a second.
    init(rate: Double) {
        self.rate = rate
        units = rate
    }

    /// Takes units for a page that is about to be read; returns how long to wait before it.
    mutating func take(_ estimate: Double, at now: Duration) -> Duration {
        refill(now)
        units -= estimate
        return units >= 0 ? .zero : .seconds(-units / rate)
    }

    /// Puts right what a page was thought to consume.
    mutating func settle(_ estimate: Double, actual: Double, at now: Duration) {
        refill(now)
        units = min(rate, units + estimate - actual)
    }

    private mutating func refill(_ now: Duration) {
        if let last, now > last {
            units = min(rate, units + (now - last) / .seconds(1) * rate)
        }
        last = max(now, last ?? now)
    }
}
