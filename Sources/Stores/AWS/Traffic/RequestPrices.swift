/// What requests cost, for an estimate that promises nothing: prices differ by region and storage
/// class, change, and do not hold for other services than AWS's own.
package struct RequestPrices: Hashable, Sendable {
    /// US dollars for a thousand requests of class A.
    package var classA: Double
    /// US dollars for a thousand requests of class B.
    package var classB: Double
    /// Where the prices were taken from, for people.
    package var source: String
    /// When they were taken from there.
    package var asOf: String

    /// Prices for a thousand requests.
    package init(classA: Double, classB: Double, source: String, asOf: String) {
        self.classA = classA
        self.classB = classB
        self.source = source
        self.asOf = asOf
    }

    /// S3 Standard in US East (N. Virginia): PUT, COPY, POST and LIST, and GET and all others;
    /// DELETE is free.
    package static let usEast = RequestPrices(
        classA: 0.005, classB: 0.0004,
        source: "aws.amazon.com/s3/pricing, S3 Standard, US East (N. Virginia)", asOf: "2024")

    /// The estimated cost of what was sent, in US dollars, without storage and transfer.
    package func estimate(_ traffic: RequestTraffic) -> Double {
        (Double(traffic.classA) * classA + Double(traffic.classB) * classB) / 1_000
    }
}
