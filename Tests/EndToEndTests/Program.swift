import Foundation

/// Runs the built program as a user would, and keeps what it prints and how it ends.
struct Program {
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The program beside the tests' own bundle.
    static var path: URL {
        get throws {
            let folder = Bundle.main.bundleURL
            for candidate in [folder, folder.deletingLastPathComponent()] {
                let file = candidate.appendingPathComponent("mooring")
                if FileManager.default.isExecutableFile(atPath: file.path) { return file }
            }
            return URL(fileURLWithPath: CommandLine.arguments[0])
                .deletingLastPathComponent().appendingPathComponent("mooring")
        }
    }

    /// Runs the program in a folder.
    static func run(_ arguments: [String], in folder: URL) throws -> Result {
        let process = Process()
        process.executableURL = try path
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        let told = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
            errors: String(decoding: told, as: UTF8.self))
    }
}
