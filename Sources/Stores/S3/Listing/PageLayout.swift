package import MooringModel

/// One of S3's calls that list a bucket: what it is asked with, and what its pages look like.
struct PageLayout: Hashable, Sendable {
    /// The call's name in S3's documentation.
    let call: String
    /// The permission that the call needs, as a policy names it.
    let permission: String
    /// The parameters that make a request this call.
    let selector: [String: String]
    /// The name of the answer's root.
    let root: StaticText
    /// The names of the elements that are listed.
    let items: [StaticText]
    /// The parameter that holds the key behind which the page begins.
    let marker: String
    /// The parameter that holds the version's or the upload's id beside that key.
    let idMarker: String?
    /// The parameter that bounds the page.
    let limit: String
    /// The element in the answer that holds the token for the next page, and the parameter to
    /// send it with.
    let token: String?
    /// The name of the element that holds an item's id.
    let id: StaticText
    /// The name of the element that holds an item's time.
    let time: StaticText
    /// Whether what is listed has content, so a size and an ETag, unless it is a marker.
    var listsContent = true
    /// The code of a 404 that says that there is nothing to list, as rclone's server answers.
    var noneCode: String?

    /// A text of the program, compared by its own bytes.
    struct StaticText: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The text.
        let text: StaticString

        /// A text.
        init(stringLiteral value: StaticString) { text = value }

        /// Whether two texts are one.
        static func == (left: StaticText, right: StaticText) -> Bool {
            left.text.description == right.text.description
        }

        /// Hashes the text.
        func hash(into hasher: inout Hasher) { hasher.combine(text.description) }
    }

    /// ListObjectsV2.
    static let objects = PageLayout(
        call: "ListObjectsV2", permission: "s3:ListBucket", selector: ["list-type": "2"],
        root: "ListBucketResult", items: ["Contents"], marker: "start-after", idMarker: nil,
        limit: "max-keys", token: "continuation-token", id: "VersionId", time: "LastModified")

    /// ListObjectVersions.
    static let versions = PageLayout(
        call: "ListObjectVersions", permission: "s3:ListBucketVersions",
        selector: ["versions": ""], root: "ListVersionsResult",
        items: ["Version", "DeleteMarker"], marker: "key-marker", idMarker: "version-id-marker",
        limit: "max-keys", token: nil, id: "VersionId", time: "LastModified")

    /// ListMultipartUploads.
    static let uploads = PageLayout(
        call: "ListMultipartUploads", permission: "s3:ListBucketMultipartUploads",
        selector: ["uploads": ""], root: "ListMultipartUploadsResult", items: ["Upload"],
        marker: "key-marker", idMarker: "upload-id-marker", limit: "max-uploads", token: nil,
        id: "UploadId", time: "Initiated", listsContent: false,
        noneCode: "NoSuchUpload")
}

/// What one element of a page says, before its key is decoded.
struct PageItem {
    /// The decoded key; empty until it is decoded.
    var key = ObjectKey([])
    /// Bytes; 0 where the element has none.
    var size: Int64 = 0
    /// The ETag without quotes; empty where the element has none.
    var etag = ""
    /// When it was written or begun, in whole seconds.
    var time = Instant(seconds: 0)
    /// The version's or the upload's id; nil where the element has none.
    var id: String?
    /// Whether it is a delete marker.
    var isMarker = false
    /// Whether it is the newest of its key.
    var isNewest = true
}

/// What can be listed page by page.
protocol ListingItem: Sendable {
    /// What a page of it is.
    associatedtype Listed: PageItems where Listed.Item == Self

    /// The call that lists it.
    static var layout: PageLayout { get }
    /// Its key.
    var key: ObjectKey { get }
    /// Its id beside the key, where several items have one key.
    var itemID: String? { get }
    /// An item of what an element says; nil where that lacks something.
    init?(_ item: PageItem)
}

extension ListedObject: ListingItem {
    typealias Listed = ObjectPage

    static let layout = PageLayout.objects
    var itemID: String? { nil }

    init?(_ item: PageItem) {
        self.init(
            key: item.key,
            version: ObjectVersion(size: item.size, etag: item.etag, lastModified: item.time))
    }
}

/// A version of an object, or a delete marker, as ListObjectVersions tells.
package struct ListedVersion: Hashable, Sendable {
    /// The object's full key.
    package let key: ObjectKey
    /// The version; a marker's has no bytes and no ETag.
    package let version: ObjectVersion
    /// Whether it is a delete marker.
    package let isMarker: Bool
    /// Whether it is the newest of its key.
    package let isNewest: Bool

    /// A version.
    package init(key: ObjectKey, version: ObjectVersion, isMarker: Bool, isNewest: Bool) {
        self.key = key
        self.version = version
        self.isMarker = isMarker
        self.isNewest = isNewest
    }
}

extension ListedVersion: ListingItem {
    typealias Listed = [ListedVersion]

    static let layout = PageLayout.versions
    var itemID: String? { version.versionID }

    init?(_ item: PageItem) {
        guard let id = item.id, !id.isEmpty else { return nil }
        self.init(
            key: item.key,
            version: ObjectVersion(
                size: item.size, etag: item.etag, lastModified: item.time, versionID: id),
            isMarker: item.isMarker, isNewest: item.isNewest)
    }
}

extension OpenUpload: ListingItem {
    typealias Listed = [OpenUpload]

    static let layout = PageLayout.uploads
    var itemID: String? { id }

    init?(_ item: PageItem) {
        guard let id = item.id, !id.isEmpty else { return nil }
        self.init(key: item.key, id: id, begunAt: item.time)
    }
}
