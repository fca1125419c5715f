import MooringAWS
package import MooringModel

/// Calls about open uploads.
enum UploadCalls {
    /// The call that removes the parts of an upload.
    static func abort(_ key: ObjectKey, _ id: String) -> S3Call {
        S3Call(
            "AbortMultipartUpload", method: "DELETE", key: key,
            query: [AWSRequest.Parameter("uploadId", id)], isRepeatable: true)
    }
}

extension S3Bucket: UploadStore {
    /// Its open uploads can be listed.
    package var uploadStore: (any UploadStore)? { self }

    /// Lists what belongs to the app: Mooring's own uploads in quarantine are left out.
    package func listUploads(
        _ receive: ([OpenUpload]) async throws -> Void
    ) async throws -> ScanResult {
        try await listing(of: own).uploads(scope, receive)
    }

    /// What ListParts tells.
    package func parts(of upload: OpenUpload) async throws -> UploadParts? {
        try await listing(of: own).parts(of: upload)
    }

    /// Aborts, and looks whether it is gone: parts that arrive meanwhile may outlive one call.
    package func abort(_ upload: OpenUpload) async throws -> MoveOutcome {
        // The id has to be known: a store that did not know it would delete the object itself.
        guard try await parts(of: upload) != nil else {
            return .stale("the upload is not open any more")
        }
        do {
            for _ in 0..<3 {
                let call = UploadCalls.abort(upload.key, upload.id)
                _ = try await own.perform(call, unless: [404])
                if try await parts(of: upload) == nil { return .done }
            }
        } catch let error as StoreError {
            throw error.unsettled
        }
        throw StoreError(
            place: upload.key.text, reason: "parts still arrive, so that the upload stays open",
            hint: "run again when the device has finished or given up")
    }
}
