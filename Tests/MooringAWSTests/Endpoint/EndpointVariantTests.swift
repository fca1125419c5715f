import Testing

@testable import MooringAWS

@Suite struct EndpointVariantTests {
    private let scratch: ChainScratch

    init() throws { scratch = try ChainScratch() }

    private func variant(
        _ variables: [String: String] = [:], profile: String? = nil
    ) throws -> EndpointVariant {
        try EndpointVariant(
            profile: profile,
            environment: ["HOME": scratch.home].merging(variables) { $1 })
    }

    @Test(arguments: [
        ("s3", "eu-west-1", "s3.eu-west-1.amazonaws.com"),
        ("dynamodb", "cn-north-1", "dynamodb.cn-north-1.amazonaws.com.cn"),
        ("s3", "us-gov-west-1", "s3.us-gov-west-1.amazonaws.com"),
        ("s3", "eusc-de-east-1", "s3.eusc-de-east-1.amazonaws.eu"),
        ("sts", "us-iso-east-1", "sts.us-iso-east-1.c2s.ic.gov"),
        ("s3", "us-isob-east-1", "s3.us-isob-east-1.sc2s.sgov.gov"),
        ("dynamodb", "eu-isoe-west-1", "dynamodb.eu-isoe-west-1.cloud.adc-e.uk"),
        ("s3", "us-isof-south-1", "s3.us-isof-south-1.csp.hci.ic.gov"),
    ])
    func eachPartitionHasHostsOfItsOwn(_ service: String, _ region: String, _ host: String) {
        #expect(EndpointVariant().host(of: service, in: region) == host)
    }

    @Test(arguments: [
        ("s3", "true", "", "s3-fips.us-east-1.amazonaws.com"),
        ("s3", "", "TRUE", "s3.dualstack.us-east-1.amazonaws.com"),
        ("s3", "true", "true", "s3-fips.dualstack.us-east-1.amazonaws.com"),
        (
            "s3-accesspoint", "true", "true",
            "s3-accesspoint-fips.dualstack.us-east-1.amazonaws.com"
        ),
        ("dynamodb", "true", "false", "dynamodb-fips.us-east-1.amazonaws.com"),
        ("s3express-use1-az4", "", "", "s3express-use1-az4.us-east-1.amazonaws.com"),
        (
            "s3express-use1-az4", "true", "true",
            "s3express-fips-use1-az4.dualstack.us-east-1.amazonaws.com"
        ),
        ("dynamodb", "false", "true", "dynamodb.us-east-1.api.aws"),
        ("sts", "true", "true", "sts-fips.us-east-1.api.aws"),
    ])
    func theEnvironmentIsHonoured(
        _ service: String, _ fips: String, _ dual: String, _ host: String
    ) throws {
        let variant = try variant([
            "AWS_USE_FIPS_ENDPOINT": fips, "AWS_USE_DUALSTACK_ENDPOINT": dual,
        ])
        #expect(variant.host(of: service, in: "us-east-1") == host)
    }

    @Test func aProfileIsHonouredWhereTheEnvironmentIsSilent() throws {
        try scratch.write(
            ".aws/config",
            """
            [profile gov]
            use_fips_endpoint = true
            [profile odd]
            use_dualstack_endpoint = perhaps
            """)
        #expect(try variant(profile: "gov").isFIPS)
        #expect(try variant(["AWS_PROFILE": "gov"]).isFIPS)
        #expect(try !variant(["AWS_USE_FIPS_ENDPOINT": "false"], profile: "gov").isFIPS)
        #expect(try !variant().isFIPS)
        let odd = #expect(throws: AWSFailure.self) { try variant(profile: "odd") }
        #expect(odd?.reason.contains("use_dualstack_endpoint of profile 'odd'") == true)
        let word = #expect(throws: AWSFailure.self) {
            try variant(["AWS_USE_FIPS_ENDPOINT": "1"])
        }
        #expect(word?.reason == "AWS_USE_FIPS_ENDPOINT says neither true nor false")
        #expect(word?.hint == "write one of these, or take it away")
    }

    @Test func aNamedHostOfAnotherKindIsRefused() throws {
        var fips = EndpointVariant()
        fips.isFIPS = true
        #expect(
            fips.refusal(ofNamed: "storage.example.com")
                == "AWS_USE_FIPS_ENDPOINT asks for hosts of FIPS, and the host that is named "
                + "beside it is none; set it to false for this program, or name a host of FIPS")
        #expect(fips.refusal(ofNamed: "S3-FIPS.us-east-1.amazonaws.com") == nil)
        var dual = EndpointVariant()
        dual.isDualStack = true
        #expect(
            dual.refusal(ofNamed: "storage.example.com")
                == "AWS_USE_DUALSTACK_ENDPOINT asks for hosts that IPv6 reaches, and the host that "
                + "is named beside it is none; set it to false for this program, or name such a "
                + "host")
        #expect(dual.refusal(ofNamed: "x.dualstack.us-east-1.amazonaws.com") == nil)
        #expect(dual.refusal(ofNamed: "dynamodb.us-east-1.api.aws") == nil)
        #expect(EndpointVariant().refusal(ofNamed: "storage.example.com") == nil)
    }
}
