import MooringModel

/// The time in headers such as Last-Modified and Date: whole seconds.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The moment that `Sat, 21 Nov 2026 18:53:35 GMT` means; nil of any other form.
    static func moment(_ text: String) -> Instant? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", words[1].utf8.count == 2,
            let month = months.firstIndex(of: String(words[2]))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Instant(iso8601: "\(words[3])-\(number)-\(words[1])T\(words[4])Z")
    }
}

extension Instant {
    /// The whole second that it lies in, which is all that HEAD tells.
    var wholeSecond: Instant { self - .nanoseconds(nanosecondOfSecond) }
}
