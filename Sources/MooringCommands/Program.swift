import ArgumentParser

/// The program's entry: parses the arguments, runs a command, and ends with its status.
public enum Program {
    /// Runs the program; does not return when a command ends with another status than 0.
    public static func run() async {
        await MooringCommand.main()
    }
}
