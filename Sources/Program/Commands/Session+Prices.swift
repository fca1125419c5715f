import Foundation
import MooringConfiguration
import MooringModel

extension Session {
    /// What bytes and requests cost: what the file says; without it, AWS's own prices where every
    /// bucket is one of AWS; nil for other stores, and where the file says that nothing costs
    /// anything.
    var prices: RunSummary.Prices? {
        if let own = configuration.prices { return own.isNothing ? nil : own }
        let choice = endpointChoice("prices")
        let isAWS = configuration.buckets.allSatisfy { bucket in
            switch bucket.store {
            case .s3(let settings): choice.isAWS(settings.endpoint, service: "s3")
            // Nobody else writes one.
            case .inventory: true
            case .directory, .listing: false
            }
        }
        return isAWS ? .standard : nil
    }

    /// What storage classes ask for: as the file says it, else AWS's own where its prices count.
    var storageTerms: StorageTerms? {
        prices == nil ? nil : configuration.storageTerms ?? .aws
    }

    /// Where services answer, for a question that messages call by a subject.
    func endpointChoice(_ subject: String) -> EndpointChoice {
        EndpointChoice(
            subject: subject, file: configuration.file,
            environment: ProcessInfo.processInfo.environment)
    }
}
