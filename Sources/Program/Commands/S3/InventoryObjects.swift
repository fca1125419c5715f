import MooringAWS
import MooringFiles
import MooringModel
import MooringS3

/// The files of an inventory where S3 wrote them.
struct InventoryObjects: InventoryStore {
    /// Calls to the bucket that inventories are written to.
    let client: S3Client

    var place: String { "s3://\(client.place.bucket)" }

    func read(_ key: String, from offset: Int, count: Int) async throws -> [UInt8]? {
        let call = S3Call(
            "GetObject", key: ObjectKey(key),
            headers: [("range", "bytes=\(offset)-\(offset + count - 1)")])
        do {
            let response = try await client.send(call)
            switch response.status {
            case 206: return response.body
            // A store may give the whole where the range covers it, and behind the end there is
            // none.
            case 200 where offset == 0: return response.body
            case 416: return []
            case 404 where S3Error(call: call.name, response).code == "NoSuchKey": return nil
            default: throw client.storeError(call, response)
            }
        } catch {
            throw client.storeError(call, thrown: error) ?? error
        }
    }
}
