package import MooringModel

/// The one form of date that HTTP's headers are sent in: `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ].map { Array($0.utf8) }

    /// The second that a header names; nil when it is of another form.
    package static func parse(_ text: some StringProtocol) -> Instant? {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, bytes[3...4].elementsEqual(", ".utf8),
            bytes[25...].elementsEqual(" GMT".utf8),
            let month = months.firstIndex(where: { $0.elementsEqual(bytes[8...10]) })
        else { return nil }
        let digits = { (range: ClosedRange<Int>) in String(decoding: bytes[range], as: UTF8.self) }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Instant(
            iso8601: "\(digits(12...15))-\(number)-\(digits(5...6))T\(digits(17...24))Z")
    }
}
