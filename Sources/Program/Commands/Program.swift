import ArgumentParser
import CHeaps
import Glibc

/// The program's entry: parses the arguments, runs a command, and ends with its status.
public enum Program {
    /// Runs the program; does not return when a command ends with another status than 0.
    public static func run() async {
        // Any thread that takes memory would get a heap of its own, which gives little back, and
        // there are more of them than work at once. With one more than there are cores, few wait
        // for one another.
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        _ = mallopt(Int32(HEAPS_AT_MOST), Int32(max(2, cores + 1)))
        // What is larger, as the indexes of a pass are, goes back to the system with its last user.
        // By itself the library would raise that border with each that does.
        _ = mallopt(Int32(OWN_PAGES_FROM), 4 << 20)
        // A reader that goes away (`mooring runs | head`) must not end a run in its middle.
        signal(SIGPIPE, SIG_IGN)
        // Until a run listens for them there is nothing to bring to an end.
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in _exit(ExitStatus.interrupted.rawValue) }
        }
        await MooringCommand.main()
    }
}
