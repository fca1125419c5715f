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

    /// The call that asks for a page of the open uploads.
    static func list(
        _ prefix: [UInt8], after marker: (key: [UInt8], id: String)?
    ) -> S3Call {
        var query = [
            AWSRequest.Parameter("uploads"), AWSRequest.Parameter("encoding-type", "url"),
            AWSRequest.Parameter("prefix", prefix),
        ]
        if let marker {
            query.append(AWSRequest.Parameter("key-marker", marker.key))
            if !marker.id.isEmpty {
                query.append(AWSRequest.Parameter("upload-id-marker", marker.id))
            }
        }
        return S3Call("ListMultipartUploads", query: query)
    }
}

/// One page of the open uploads.
struct UploadPage {
    /// The uploads, in order.
    let uploads: [OpenUpload]
    /// Behind which the next page begins; nil of the last.
    let next: (key: [UInt8], id: String)?

    /// Reads a page; throws when it is not one.
    init(_ body: [UInt8]) throws {
        let document = try XMLDocument(body)
        guard document.name == "ListMultipartUploadsResult" else {
            throw XMLScanner.Fault(reason: "is no listing of uploads", offset: 0)
        }
        let isEncoded = document["EncodingType"]?.text == "url"
        func bytes(_ text: String) throws -> [UInt8] {
            isEncoded ? try PercentDecoding.decode(text) : Array(text.utf8)
        }
        uploads = try document.all("Upload").map { element in
            guard let key = element["Key"]?.text, let id = element["UploadId"]?.text,
                let begun = (element["Initiated"]?.text).flatMap({ Instant(iso8601: $0) })
            else { throw XMLScanner.Fault(reason: "lacks a key, id or time", offset: 0) }
            return OpenUpload(
                key: ObjectKey(try bytes(key)), id: id, begunAt: begun.wholeSecond)
        }
        guard document["IsTruncated"]?.text == "true" else {
            next = nil
            return
        }
        guard let key = document["NextKeyMarker"]?.text, !key.isEmpty else {
            throw XMLScanner.Fault(reason: "says that it goes on, and not where", offset: 0)
        }
        next = (try bytes(key), document["NextUploadIdMarker"]?.text ?? "")
    }
}

extension S3Bucket: UploadStore {
    /// Its open uploads can be listed.
    package var uploads: (any UploadStore)? { self }

    /// Lists page by page below each prefix; Mooring's own uploads in quarantine are left out.
    package func listUploads(
        _ receive: ([OpenUpload]) async throws -> Void
    ) async throws -> ScanResult {
        let from = clock()
        var problems: [ScanProblem] = []
        var requests = 0
        for prefix in Self.outermost(prefixes) {
            var marker: (key: [UInt8], id: String)?
            var last: OpenUpload?
            repeat {
                let page: UploadPage
                do {
                    requests += 1
                    page = try await uploadPage(prefix, marker)
                } catch let error as StoreError {
                    problems.append(
                        ScanProblem(
                            place: "\(name), open uploads below "
                                + "'\(String(decoding: prefix, as: UTF8.self))'",
                            reason: "\(error)"))
                    break
                }
                let found = page.uploads.filter(isOfApp)
                if !found.isEmpty { try await receive(found) }
                if page.next != nil, page.uploads.isEmpty || page.uploads.last == last {
                    problems.append(
                        ScanProblem(
                            place: "\(name), open uploads",
                            reason: "ListMultipartUploads goes round in circles"))
                    break
                }
                last = page.uploads.last
                marker = page.next
            } while marker != nil
        }
        return ScanResult(
            window: ScanWindow(from: from, to: clock()), problems: problems,
            consistency: "moving", requests: requests)
    }

    private func uploadPage(
        _ prefix: [UInt8], _ marker: (key: [UInt8], id: String)?
    ) async throws -> UploadPage {
        let response = try await own.perform(UploadCalls.list(prefix, after: marker))
        do {
            return try UploadPage(response.body)
        } catch let fault as XMLScanner.Fault {
            throw StoreError(
                place: own.client.place.bucket,
                reason: "ListMultipartUploads cannot be read: it \(fault.reason)")
        }
    }

    private func isOfApp(_ upload: OpenUpload) -> Bool {
        upload.key != Lease.key
            && (!holdsQuarantine || !upload.key.hasPrefix(quarantinePrefix))
    }

    /// Prefixes without those that lie below another of them.
    static func outermost(_ prefixes: [[UInt8]]) -> [[UInt8]] {
        prefixes.enumerated().filter { index, prefix in
            !prefixes.enumerated().contains { other, head in
                other != index && prefix.starts(with: head) && (head != prefix || other < index)
            }
        }.map(\.element)
    }

    /// What ListParts tells, page by page.
    package func parts(of upload: OpenUpload) async throws -> UploadParts? {
        var (count, bytes, newest): (Int, Int64, Instant?) = (0, 0, nil)
        var marker = ""
        while true {
            let call = S3Call(
                "ListParts", key: upload.key,
                query: [AWSRequest.Parameter("uploadId", upload.id)]
                    + (marker.isEmpty ? [] : [AWSRequest.Parameter("part-number-marker", marker)]))
            guard let response = try await own.perform(call, unless: [404]) else { return nil }
            guard let document = try? XMLDocument(response.body),
                document.name == "ListPartsResult"
            else {
                // What answers with something else does not tell.
                throw StoreError(
                    place: upload.key.text, reason: "ListParts gave no list of parts",
                    isRefusal: true)
            }
            for part in document.all("Part") {
                guard let size = (part["Size"]?.text).flatMap({ Int64($0) }),
                    let at = (part["LastModified"]?.text).flatMap({ Instant(iso8601: $0) })
                else {
                    throw StoreError(
                        place: upload.key.text, reason: "ListParts told no size or time",
                        isRefusal: true)
                }
                count += 1
                bytes += size
                newest = max(newest ?? at, at)
            }
            let next = document["NextPartNumberMarker"]?.text ?? ""
            guard document["IsTruncated"]?.text == "true" else { break }
            guard !next.isEmpty, next != marker else {
                throw StoreError(
                    place: upload.key.text, reason: "ListParts goes round in circles",
                    isRefusal: true)
            }
            marker = next
        }
        return UploadParts(count: count, bytes: bytes, newestAt: newest)
    }

    /// Aborts, and looks whether it is gone: parts that arrive meanwhile may outlive one call.
    package func abort(_ upload: OpenUpload) async throws -> MoveOutcome {
        // The id has to be known: a store that did not know it would delete the object itself.
        guard try await parts(of: upload) != nil else {
            return .stale("the upload is not open any more")
        }
        for _ in 0..<3 {
            let call = UploadCalls.abort(upload.key, upload.id)
            _ = try await own.perform(call, unless: [404])
            do {
                if try await parts(of: upload) == nil { return .done }
            } catch let error as StoreError {
                throw error.unsettled
            }
        }
        throw StoreError(
            place: upload.key.text, reason: "parts still arrive, so that the upload stays open",
            hint: "run again when the device has finished or given up")
    }
}
