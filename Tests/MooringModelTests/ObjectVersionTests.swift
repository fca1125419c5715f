import MooringModel
import Testing

@Suite("What tells one version from another")
struct ObjectVersionTests {
    private static func version(
        _ id: String?, size: Int64 = 3, etag: String = "e", at seconds: Int64 = 9
    ) -> ObjectVersion {
        ObjectVersion(
            size: size, etag: etag, lastModified: Instant(seconds: seconds), versionID: id)
    }

    @Test("without an id it means whatever has its size, ETag and time; with one exactly that")
    func meaning() {
        let listed = Self.version(nil)
        for id in [nil, "v1", "v2", "null"] { #expect(listed.means(Self.version(id))) }
        for other in [
            Self.version("v1", size: 4), Self.version("v1", etag: "f"),
            Self.version("v1", at: 10), Self.version(nil, at: 10),
        ] {
            #expect(!listed.means(other))
        }
        let known = Self.version("v1")
        #expect(known.means(known))
        #expect(!known.means(Self.version("v2")) && !known.means(listed))
    }

    @Test("a token that was kept with an id counts for the same without, and for no other")
    func tokens() {
        let (listed, known) = (Self.version(nil).token, Self.version("v1").token)
        #expect(ObjectVersion.isToken(listed, for: listed))
        #expect(ObjectVersion.isToken(known, for: known))
        #expect(ObjectVersion.isToken(known, for: listed))
        // What is looked at now may be younger than what was listed then.
        #expect(!ObjectVersion.isToken(listed, for: known))
        #expect(!ObjectVersion.isToken(known, for: Self.version("v2").token))
        for other in [
            Self.version("v1", size: 4), Self.version("v1", etag: "f"), Self.version("v1", at: 10),
        ] {
            #expect(!ObjectVersion.isToken(other.token, for: listed))
        }
        #expect(!ObjectVersion.isToken(listed + "1|2|v1", for: listed))
        for text in ["", "|", "v1|", "absent", "a|b|c|", "1|x|2|"] {
            #expect(!ObjectVersion.isToken(text + "more", for: text))
        }
    }
}
