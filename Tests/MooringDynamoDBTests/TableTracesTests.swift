import MooringAWS
import MooringModel
import PlainS3
import TestServers
import Testing

@testable import MooringDynamoDB

@Suite("What DynamoDB tells of a table's past")
struct TableTracesTests {
    private static func song(_ further: String) -> AWSResponse {
        .json(
            #"{"Table":{"TableName":"Song","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"#
                + #""AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}]"#
                + "\(further)}}")
    }

    // As the API reference has them.
    private static let backups =
        #"{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED","#
        + #""PointInTimeRecoveryDescription":{"EarliestRestorableDateTime":1.790000000123E9,"#
        + #""LatestRestorableDateTime":1790500000,"PointInTimeRecoveryStatus":"ENABLED","#
        + #""RecoveryPeriodInDays":35}}}"#
    private static let noBackups =
        #"{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED","#
        + #""PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}}"#

    private func traces(
        _ table: AWSResponse, _ backups: AWSResponse, _ expiry: AWSResponse
    ) async throws -> TableTraces {
        let caller = ScriptedCaller { request in
            switch request.call {
            case "DescribeTable": table
            case "DescribeContinuousBackups": backups
            default: expiry
            }
        }
        let source = caller.source { settings in
            // Two models of one table are one table.
            settings.models = ["Song", "Track"].map {
                ModelMapping(model: $0, table: "Song")
            }
        }
        let traces = try await source.traces()
        #expect(traces.count == 1 && caller.sent.count == 3)
        return try #require(traces.first)
    }

    @Test(
        "The stream's view type says whether old images are in it",
        arguments: [
            ("false", nil, TableTraces.Stream.off), ("true", "KEYS_ONLY", .withoutOld),
            ("true", "NEW_IMAGE", .withoutOld), ("true", "OLD_IMAGE", .withOld),
            ("true", "NEW_AND_OLD_IMAGES", .withOld), ("true", "OF_TOMORROW", .withoutOld),
        ])
    func stream(
        isEnabled: String, view: String?, expected: TableTraces.Stream
    ) async throws {
        let type = view.map { #","StreamViewType":"\#($0)"}"# } ?? "}"
        let told = try await traces(
            Self.song(#","StreamSpecification":{"StreamEnabled":\#(isEnabled)"# + type),
            .json(Self.noBackups),
            .json(#"{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}"#))
        #expect(told.stream == .told(expected))
        #expect(told.recovery == .told(.off) && told.expiry == .told(nil))
    }

    @Test("Recovery and time to live are read")
    func settings() async throws {
        let told = try await traces(
            .table, .json(Self.backups),
            .json(
                #"{"TimeToLiveDescription":{"AttributeName":"_ttl","TimeToLiveStatus":"ENABLED"}}"#
            ))
        #expect(told.recovery == .told(.since(Instant(seconds: 1_790_000_000))))
        #expect(told.expiry == .told("_ttl"))
    }

    @Test("What is refused or makes no sense is unknown, and ends nothing")
    func unknown() async throws {
        let denied = AWSResponse.error(400, "AccessDeniedException", "no")
        let told = try await traces(.table, denied, .json("{}"))
        #expect(told.stream == .told(.off))
        guard case .unknown(let reason) = told.recovery,
            case .unknown(let other) = told.expiry
        else {
            Issue.record("\(told)")
            return
        }
        #expect(reason.contains("it needs dynamodb:DescribeContinuousBackups"), "\(reason)")
        #expect(other.contains("tells no TimeToLiveStatus"), "\(other)")
    }

    @Test("A real server's tables tell of all three", .requires(.ministack))
    func server() async throws {
        let stage = try await Stage()
        try await stage.makeTable("Song")
        let source = stage.source {
            $0.models = [ModelMapping(model: "Song")]
        }
        let before = try #require(try await source.traces().first)
        #expect(before.stream == .told(.off) && before.recovery == .told(.off))
        #expect(before.expiry == .told(nil))
        let name = stage.prefix + "Song"
        try await stage.server.run { server in
            _ = try server.call(
                "UpdateTable",
                #"{"TableName":"\#(name)","StreamSpecification":{"StreamEnabled":true,"#
                    + #""StreamViewType":"NEW_AND_OLD_IMAGES"}}"#)
            _ = try server.call(
                "UpdateContinuousBackups",
                #"{"TableName":"\#(name)","PointInTimeRecoverySpecification":"#
                    + #"{"PointInTimeRecoveryEnabled":true}}"#)
            _ = try server.call(
                "UpdateTimeToLive",
                #"{"TableName":"\#(name)","TimeToLiveSpecification":"#
                    + #"{"Enabled":true,"AttributeName":"ttl"}}"#)
        }
        let another = stage.source {
            $0.models = [ModelMapping(model: "Song")]
        }
        let after = try #require(try await another.traces().first)
        #expect(after.stream == .told(.withOld) && after.expiry == .told("ttl"))
        guard case .told(.since) = after.recovery else {
            Issue.record("\(after.recovery)")
            return
        }
    }
}
