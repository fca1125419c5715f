import MooringModel
import Testing

@Suite("Patterns of keys")
struct UnversionedKeysTests {
    @Test(
        "a key fits as a whole",
        arguments: [
            ("a/*", "a/b", true), ("a/*", "a/", true), ("a/*", "b/a/", false),
            ("*/", "a/b/", true), ("*/", "a/b", false), ("*", "", true), ("", "", true),
            ("", "a", false), ("a*b*c", "a-b-b-c", true), ("a*b*c", "a-b-b", false),
            ("a?c", "abc", true), ("a?c", "ac", false), ("a*", "b", false), ("*é", "xé", true),
        ])
    func whole(pattern: String, key: String, fits: Bool) {
        #expect(UnversionedKeys(pattern).matches(ObjectKey(key)) == fits)
    }
}
