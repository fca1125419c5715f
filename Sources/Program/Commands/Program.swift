import ArgumentParser
import Glibc

/// The program's entry: parses the arguments, runs a command, and ends with its status.
public enum Program {
    /// Runs the program; does not return when a command ends with another status than 0.
    public static func run() async {
        // A reader that goes away (`mooring runs | head`) must not end a run in its middle.
        signal(SIGPIPE, SIG_IGN)
        // Until a run listens for them there is nothing to bring to an end.
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in _exit(ExitStatus.interrupted.rawValue) }
        }
        await MooringCommand.main()
    }
}
