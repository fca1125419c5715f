import Foundation
import MooringConfiguration
import MooringModel

extension Session {
    /// What bytes and requests cost: what the file says; without it, AWS's own prices where every
    /// bucket is asked at AWS itself; nil for other stores, for inventories alone, which other
    /// stores write too, and where the file says that nothing costs anything.
    var prices: RunSummary.Prices? {
        if let own = configuration.prices { return own.isNothing ? nil : own }
        let choice = endpointChoice("prices")
        let isAWS = configuration.buckets.allSatisfy { bucket in
            switch bucket.store {
            // A directory bucket has prices of its own.
            case .s3(let settings):
                !settings.isDirectory && choice.isAWS(settings.endpoint, service: "s3")
            case .inventory, .directory, .listing: false
            }
        }
        return isAWS ? .standard : nil
    }

    /// What storage classes ask for: as the file says it, else AWS's own where its prices count;
    /// nil where the file says that nothing costs anything, and nothing of classes.
    var storageTerms: StorageTerms? {
        if configuration.prices != nil { return configuration.storageTerms }
        return prices == nil ? nil : .aws
    }

    /// Where services answer, for a question that messages call by a subject.
    func endpointChoice(_ subject: String) -> EndpointChoice {
        EndpointChoice(
            subject: subject, file: configuration.file,
            environment: ProcessInfo.processInfo.environment)
    }
}
