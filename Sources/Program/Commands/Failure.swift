import ArgumentParser
import Foundation
import MooringConfiguration
import MooringLedger
import MooringModel
import MooringPipeline
import MooringSchema

/// Turns what a command throws into a line on stderr and an exit status.
enum Failure {
    /// The status of an error, after telling about it.
    static func report(_ error: any Error) -> ExitStatus {
        let status = status(of: error)
        for line in "\(error)".split(separator: "\n") {
            StandardError.report(String(line), .error)
        }
        return status
    }

    /// The status of an error.
    static func status(of error: any Error) -> ExitStatus {
        switch error {
        case let refusal as Refusal: return refusal.kind == .incomplete ? .incomplete : .refused
        case is ConfigurationError, is SchemaError, is BaselineError: return .configuration
        case is Interrupted, is CancellationError: return .interrupted
        case let error as LedgerError where error.kind == .locked: return .locked
        case is LeaseRefusal: return .locked
        default: return .error
        }
    }

    /// How a run that ended with an error is kept.
    static func runStatus(of error: any Error) -> RunSummary.Status {
        switch status(of: error) {
        case .refused, .locked: .refused
        case .incomplete: .incomplete
        case .interrupted: .interrupted
        default: .failed
        }
    }
}

extension ParsableCommand {
    /// Runs a command's body: what it throws is told on stderr, and its status ends the program.
    func ending(_ body: () async throws -> ExitStatus) async throws {
        var status: ExitStatus
        do {
            status = try await body()
        } catch let error as ValidationError {
            throw error
        } catch {
            status = Failure.report(error)
        }
        if let loss = StandardOutput.loss {
            StandardError.report(
                loss + "; what a run did stands in the ledger: mooring runs", .error)
            if status != .interrupted { status = .error }
        }
        if status != .done { throw ExitCode(status.rawValue) }
    }
}

extension Error {
    /// Why a file could not be used, in the system's words where it gave a number.
    var systemWords: String {
        let cause = (self as? CocoaError)?.underlying as? POSIXError
        return cause.map { String(cString: strerror($0.code.rawValue)) } ?? localizedDescription
    }
}

/// An error that needs no type of its own: what was found and what to do next.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    /// An error of this text.
    init(_ description: String) {
        self.description = description
    }
}
