import Glibc
import MooringModel

/// The machine's clock.
enum SystemClock {
    /// The time now, in UTC.
    static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
