import Crypto
import MooringAWS
import MooringModel
import MooringText

/// Tries on a small object of Mooring's own what the store does with each condition: many take a
/// header and do as if it were not there.
struct CapabilityTrial {
    /// How the names of such objects begin, at the top of the quarantine.
    static let prefix = Array(".probe-".utf8)

    private typealias Trial = StoreCapabilities.Trial
    /// What is written first.
    static let first = Array("a small object by which Mooring sees what this is\n".utf8)
    /// What is written over it.
    static let second = Array("the same, written again: it may be removed\n".utf8)
    private static let wrong = ETag.quoted("00000000000000000000000000000000")

    private let own: BucketCalls
    private let held: BucketCalls
    private let key: ObjectKey
    private let copy: ObjectKey
    private let name: [UInt8]
    private let versions: VersionTrial
    // How often something is tried whose answers are lost.
    private static let attempts = 3

    /// A trial in the quarantine; what the bucket itself keeps is tried where it lies elsewhere.
    init(_ own: BucketCalls, _ held: BucketCalls, _ prefix: [UInt8]) {
        self.own = own
        self.held = held
        name = Self.prefix + Array(String(UInt64.random(in: 0...UInt64.max), radix: 36).utf8)
        key = ObjectKey(prefix + name)
        copy = ObjectKey(key.bytes + Array("-copy".utf8))
        versions = VersionTrial(
            calls: own, key: own === held ? key : ObjectKey(VersionTrial.folder + name))
    }

    /// Makes the trial and removes everything it wrote, also when it broke off, and what a process
    /// that was killed in its trial left. Throws `StoreError` where the object cannot be written,
    /// or cannot be removed again.
    func run() async throws -> TrialFindings {
        // Nothing is written before it is known whether that could be removed again.
        let said = try await BucketCalls.asking { try await own.versioning() }
        if let retention = try await held.defaultRetention() {
            throw retention.refusal(at: held.client.place.bucket)
        }
        let retention = own === held ? nil : try await own.defaultRetention()
        let folder = key.bytes.dropLast(name.count)
        await TrialLeftovers(calls: held, prefix: folder + Self.prefix).remove()
        if own !== held {
            await TrialLeftovers(calls: own, prefix: VersionTrial.elsewhere).remove()
        }
        let result: Result<TrialFindings, any Error>
        do {
            result = .success(try await tries(said, retention))
        } catch {
            result = .failure(error)
        }
        do {
            do {
                try await clear()
            } catch {
                // One lost answer is no reason to leave anything behind.
                try await clear()
            }
        } catch {
            // What broke the trial off says more than what then could not be removed.
            _ = try result.get()
            throw error
        }
        return try result.get()
    }

    private func tries(
        _ said: StoreCapabilities.Versioning, _ retention: DefaultRetention?
    ) async throws -> TrialFindings {
        let doubt =
            said == .enabled
            ? try await again { try await versions.doubt(under: retention) } : nil
        try await again { try await write() }
        let writes = try await again({ (.unknown($0), false) }, tryWrites)
        // Asked again: an answer may have named a version where the bucket says nothing.
        let versioning = doubt == nil ? try await own.versioning() : .suspended
        let unknown = { (reason: String) in Trial.unknown(reason) }
        let copies = try await again({ (.unknown($0), .unknown($0)) }, tryCopies)
        let parts = try await again({ (.unknown($0), false) }, tryParts)
        let tagging = try await again(unknown, tryTags)
        let batchesVersions = try await again({ _ in false }, tryVersionBatch)
        let batch = try await again(unknown, tryBatch)
        var capabilities = StoreCapabilities(
            versioning: versioning, conditionalDelete: try await again(unknown, tryDeletion),
            conditionalBatch: batch, conditionalWrite: writes.trial,
            conditionalCopy: copies.source, exclusiveCopy: copies.target, tagging: tagging,
            multipartCopy: parts.trial)
        capabilities.versionsDoubt = doubt
        capabilities.unversioned = versioning == .enabled ? try await own.unversioned() : []
        if own !== held, try await held.versioning() != said {
            // A condition may mean something else in a bucket that keeps versions.
            let doubt = "the quarantine's bucket keeps versions in another way than this one"
            capabilities.conditionalDelete = .unknown(doubt)
            capabilities.conditionalWrite = .unknown(doubt)
        }
        return TrialFindings(
            capabilities: capabilities, completesExclusively: parts.isExclusive,
            wantsBareETags: writes.wantsBare, batchesVersions: batchesVersions)
    }

    // MARK: Lost answers

    /// An answer that tells of the store's state and not of what was tried.
    private struct Unanswered: Error {
        let reason: String
    }

    // What was asked without an answer may have been done or not, so everything about it is tried
    // anew, on the object as it is written first.
    private func again<Value>(
        _ otherwise: (String) -> Value, _ attempt: () async throws -> Value
    ) async throws -> Value {
        var failures = 0
        while true {
            do {
                if failures > 0 { try await write() }
                return try await attempt()
            } catch let error as Unanswered {
                failures += 1
                guard failures >= Self.attempts else { continue }
                try await write()
                return otherwise(error.reason)
            } catch let error as StoreError where !error.isRefusal {
                failures += 1
                guard failures < Self.attempts else { throw error }
            }
        }
    }

    private func again<Value>(_ attempt: () async throws -> Value) async throws -> Value {
        try await again({ preconditionFailure($0) }, attempt)
    }

    // MARK: The object

    private func write() async throws {
        let call = S3Call("PutObject", method: "PUT", key: key, body: Self.first)
        _ = try await held.perform(call)
    }

    // Whether the object is there with this content.
    private func holds(_ content: [UInt8], at key: ObjectKey) async throws -> Bool {
        try await held.content(key)?.bytes == content
    }

    private func clear() async throws {
        for key in [key, copy] {
            try await abortUploads(key)
            try await held.removeAll(key)
        }
        if own !== held { try await own.removeAll(versions.key) }
    }

    // By their key: one whose id never arrived is open all the same.
    private func abortUploads(_ key: ObjectKey) async throws {
        let call = S3Call(
            "ListMultipartUploads",
            query: [AWSRequest.Parameter("uploads"), AWSRequest.Parameter("prefix", key.bytes)])
        let response = try await held.send(call)
        guard response.status == 200 else { return }
        // A store that answers with something else has no uploads.
        guard let document = try? XMLDocument(response.body) else { return }
        for upload in document.all("Upload") where upload["Key"]?.text == key.text {
            guard let id = upload["UploadId"]?.text else { continue }
            _ = try await held.send(UploadCalls.abort(key, id))
        }
    }

    // MARK: What is tried

    // A refusal of the whole kind of call is a finding, too.
    private func refusal(_ call: String, _ response: AWSResponse) throws -> Trial {
        let error = held.refusal(S3Call(call, key: key), response)
        let words = error.hint.map { "\(error.reason); \($0)" } ?? error.reason
        guard error.isRefusal else { throw Unanswered(reason: words) }
        return .refused(words)
    }

    private func tryWrites() async throws -> (trial: Trial, wantsBare: Bool) {
        for condition in [("if-none-match", "*"), ("if-match", Self.wrong)] {
            let call = S3Call(
                "PutObject", method: "PUT", key: key, headers: [condition], body: Self.second)
            let response = try await held.send(call)
            switch response.status {
            case 200..<300:
                try await write()
                return (.ignored, false)
            case 409, 412: continue
            default: return (try refusal("PutObject", response), false)
            }
        }
        guard let (facts, bytes) = try await held.content(key), bytes == Self.first else {
            return (.unknown("an object changed that a condition should have kept"), false)
        }
        // Ceph compares the header as it stands, and its own ETags have no quotes there.
        let etag = facts.version.etag
        for (condition, isBare) in [(ETag.quoted(etag), false), (etag, true)] {
            let fitting = S3Call(
                "PutObject", method: "PUT", key: key, headers: [("if-match", condition)],
                body: Self.first)
            let response = try await held.send(fitting)
            if (200..<300).contains(response.status) { return (.honoured, isBare) }
            if response.status != 412 { return (try refusal("PutObject", response), false) }
        }
        return (.refused("no condition fits, not even the right one"), false)
    }

    private func copyCall(
        _ source: String, _ headers: [(name: String, value: String)]
    ) -> S3Call {
        var all = [
            ("x-amz-copy-source", held.client.place.copySource(key)),
            ("x-amz-copy-source-if-match", source),
        ]
        if let owner = held.client.place.expectedOwner {
            all.append(("x-amz-source-expected-bucket-owner", owner))
        }
        return S3Call("CopyObject", method: "PUT", key: copy, headers: all + headers)
    }

    private func tryCopies() async throws -> (source: Trial, target: Trial) {
        guard let facts = try await held.facts(key) else {
            return (.unknown("the object vanished"), .unknown("the object vanished"))
        }
        let etag = ETag.quoted(facts.version.etag)
        let wrong = try await held.send(copyCall(Self.wrong, []))
        let source: Trial =
            wrong.status == 412
            ? .honoured
            : (200..<300).contains(wrong.status) ? .ignored : try refusal("CopyObject", wrong)
        let right = try await held.send(copyCall(etag, []))
        guard (200..<300).contains(right.status), try await holds(Self.first, at: copy) else {
            let refused = try refusal("CopyObject", right)
            return (refused, refused)
        }
        let taken = try await held.send(copyCall(etag, [("if-none-match", "*")]))
        switch taken.status {
        case 409, 412: return (source, .honoured)
        case 200..<300: return (source, .ignored)
        default: return (source, try refusal("CopyObject", taken))
        }
    }

    private func tryParts() async throws -> (trial: Trial, isExclusive: Bool) {
        let create = S3Call(
            "CreateMultipartUpload", method: "POST", key: copy,
            query: [AWSRequest.Parameter("uploads")])
        let created = try await held.send(create)
        guard created.status == 200,
            let id = XMLDocument.texts(of: ["UploadId"], in: created.body)["UploadId"], !id.isEmpty
        else { return (try refusal("CreateMultipartUpload", created), false) }
        var part = copyCall("", [])
        part.name = "UploadPartCopy"
        part.query = [
            AWSRequest.Parameter("partNumber", "1"), AWSRequest.Parameter("uploadId", id),
        ]
        part.headers.removeAll { $0.name == "x-amz-copy-source-if-match" }
        let copied = try await held.send(part)
        let digest = Insecure.MD5.hash(data: Self.first)
        let expected = Hexadecimal.text(digest)
        let etag = XMLDocument.texts(of: ["ETag"], in: copied.body)["ETag"].map(ETag.bare) ?? ""
        guard copied.status == 200 else { return (try refusal("UploadPartCopy", copied), false) }
        // A store that does not know the header takes the empty body for the part.
        guard etag == expected || (etag.utf8.count > 0 && etag.utf8.count != 32) else {
            return (.ignored, false)
        }
        let complete = S3Call(
            "CompleteMultipartUpload", method: "POST", key: copy,
            query: [AWSRequest.Parameter("uploadId", id)],
            headers: [("content-type", "application/xml"), ("if-none-match", "*")],
            body: Array(
                ("<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                    + "<Part><PartNumber>1</PartNumber><ETag>&quot;\(etag)&quot;</ETag></Part>"
                    + "</CompleteMultipartUpload>").utf8))
        let completed = try await held.send(complete)
        if completed.status == 412 { return (.honoured, true) }
        guard (200..<300).contains(completed.status) else {
            return (try refusal("CompleteMultipartUpload", completed), false)
        }
        return try await holds(Self.first, at: copy) ? (.honoured, false) : (.ignored, false)
    }

    private func tryTags() async throws -> Trial {
        let tags = [ObjectTag(name: "mooring-probe", value: "1")]
        let put = BucketCalls.tagging(key, tags)
        let response = try await held.send(put)
        // Whatever it says: a store that does not know tags may have written the object itself.
        guard try await holds(Self.first, at: key) else {
            try await write()
            return .ignored
        }
        guard (200..<300).contains(response.status) else {
            return try refusal("PutObjectTagging", response)
        }
        do {
            return try await held.tags(of: key) == tags ? .honoured : .ignored
        } catch let error as StoreError where error.isRefusal {
            return .refused(error.reason)
        }
    }

    /// Whether a batch removes the oldest version of several, and nothing else goes or comes.
    func tryVersionBatch() async throws -> Bool {
        guard try await held.versioning() == .enabled else { return false }
        let before = try await held.stack(of: key).entries
        guard before.count > 1, let oldest = before.last else { return false }
        do {
            let item = BatchItem(key: key, version: oldest.id)
            guard try await held.removeBatch([item]) == [.removed] else { return false }
        } catch let error as StoreError {
            guard error.isRefusal else { throw Unanswered(reason: error.reason) }
            // Versions go one by one where they do not go together.
            return false
        }
        return try await held.stack(of: key).entries == before.dropLast()
    }

    private func tryBatch() async throws -> Trial {
        let item = BatchItem(key: key, etag: ETag.bare(Self.wrong))
        let ends: [BatchEnd]
        do {
            ends = try await held.removeBatch([item])
        } catch let error as StoreError {
            guard try await holds(Self.first, at: key) else {
                try await write()
                guard error.isRefusal else { throw Unanswered(reason: error.reason) }
                return .unknown(error.reason)
            }
            guard error.isRefusal else { throw Unanswered(reason: error.reason) }
            return .refused(error.reason)
        }
        guard try await holds(Self.first, at: key) else {
            try await write()
            return .ignored
        }
        guard case .refused(let code) = ends.first else {
            return .unknown("nothing was removed, and nothing was said")
        }
        guard ["PreconditionFailed", "ConditionalRequestConflict"].contains(code) else {
            return .refused(code)
        }
        guard let facts = try await held.facts(key) else { return .ignored }
        let right = try await held.removeBatch([BatchItem(key: key, etag: facts.version.etag)])
        guard right == [.removed], try await held.facts(key) == nil else {
            return .refused("no condition fits, not even the right one")
        }
        try await write()
        return .honoured
    }

    // The last trial: behind it the object may be gone.
    private func tryDeletion() async throws -> Trial {
        let response = try await held.delete(key, ifMatch: ETag.bare(Self.wrong))
        guard try await holds(Self.first, at: key) else { return .ignored }
        guard [409, 412].contains(response.status) else {
            return (200..<300).contains(response.status)
                ? .unknown("the store said that it deleted, and did not")
                : try refusal("DeleteObject", response)
        }
        guard let facts = try await held.facts(key) else { return .ignored }
        let right = try await held.delete(key, ifMatch: facts.version.etag)
        guard (200..<300).contains(right.status), try await held.facts(key) == nil else {
            return try refusal("DeleteObject", right)
        }
        return .honoured
    }
}
