import Foundation
import Glibc

// One device of the race: it plays the workflows of an app against a database and its files,
// in several hands at once, without pause, until its time is over. It knows nothing of Mooring.

private func leave(_ status: Int32, _ reason: String) -> Never {
    let line = Array("racing-device: \(reason)\n".utf8)
    _ = write(2, line, line.count)
    exit(status)
}

guard
    let options = Options(
        CommandLine.arguments, environment: ProcessInfo.processInfo.environment)
else {
    leave(64, "usage: racing-device \(Options.usage)")
}
do {
    try await Device(options).play()
} catch {
    leave(2, "\(options.name): \(error)")
}
