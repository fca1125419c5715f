import MooringAWS
import Testing

@Suite struct PercentEncodingTests {
    @Test func keepsWhatIsUnreservedAndEncodesTheRest() {
        #expect(PercentEncoding.part(Array("aZ09-._~/ +é".utf8)) == "aZ09-._~%2F%20%2B%C3%A9")
        #expect(PercentEncoding.path(Array("/a b/%".utf8)) == "/a%20b/%25")
    }
}
