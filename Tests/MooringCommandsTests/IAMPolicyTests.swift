import Foundation

import MooringModel
import MooringS3
import Testing

@testable import MooringCommands
@testable import MooringConfiguration

@Suite struct IAMPolicyTests {
    private func policy(
        _ purpose: IAMPolicy.Purpose, prefixes: [String] = [""],
        strategies: [FindingKind: Strategy] = [:], overrides: [RepairPolicy.Override] = [],
        change: (inout S3Settings) -> Void = { _ in }
    ) -> IAMPolicy {
        var settings = S3Settings(bucket: "store")
        change(&settings)
        let bucket = BucketConfiguration(
            store: .s3(settings),
            mapping: BucketMapping(name: "media", prefixes: prefixes.map { ObjectKey($0) }))
        return IAMPolicy(
            [(bucket, settings)], for: purpose,
            RepairPolicy(strategies: strategies, overrides: overrides))
    }

    private func actions(_ policy: IAMPolicy, on resource: String) -> Set<String> {
        Set(policy.statements.filter { $0.resources.contains(resource) }.flatMap(\.actions))
    }

    private let keys = "arn:aws:s3:::store/*"

    @Test func anAuditChangesNothing() {
        let all = Set(policy(.audit).statements.flatMap(\.actions))
        let reading = ["s3:Get", "s3:List"]
        #expect(all.allSatisfy { action in reading.contains { action.hasPrefix($0) } })
        #expect(!all.contains { $0.contains("*") })
        #expect(
            all == Set(policy(.audit, strategies: [.orphan: .delete]).statements.flatMap(\.actions))
        )
    }

    @Test(arguments: [IAMPolicy.Purpose.audit, .repair])
    func aDirectoryBucketIsOnlyLookedAt(_ purpose: IAMPolicy.Purpose) {
        let policy = policy(purpose, strategies: [.orphan: .quarantine]) { settings in
            settings.bucket = "media--euw1-az1--x-s3"
            (settings.isDirectory, settings.region) = (true, "eu-west-1")
        }
        #expect(policy.statements.map(\.actions) == [["s3express:CreateSession"]])
        #expect(
            policy.statements.map(\.resources)
                == [["arn:aws:s3express:eu-west-1:*:bucket/media--euw1-az1--x-s3"]])
        let text = policy.json.rendered
        #expect(String(decoding: text, as: UTF8.self).contains("s3express:SessionMode"))
        #expect(String(decoding: text, as: UTF8.self).contains("ReadOnly"))
    }

    @Test func aRepairNeedsWhatItsStrategiesDo() {
        func added(_ kind: FindingKind, _ strategy: Strategy) -> Set<String> {
            let repair = policy(.repair, strategies: [kind: strategy])
            return actions(repair, on: keys).subtracting(actions(policy(.audit), on: keys))
        }
        let removal: Set = ["s3:DeleteObject", "s3:DeleteObjectVersion"]
        let tagging: Set = [
            "s3:GetObjectTagging", "s3:GetObjectVersionTagging", "s3:PutObjectTagging",
            "s3:PutObjectVersionTagging",
        ]
        #expect(added(.orphan, .keep) == [])
        #expect(added(.dangling, .nullify) == [])
        #expect(added(.orphan, .delete) == removal)
        #expect(added(.orphan, .tag) == tagging)
        #expect(added(.abandonedUpload, .abort) == ["s3:AbortMultipartUpload"])
        let moving = removal.union(tagging).union(["s3:AbortMultipartUpload", "s3:PutObject"])
        #expect(added(.orphan, .quarantine) == moving)
        #expect(added(.dangling, .restore) == moving)
        let byException = policy(
            .repair, overrides: [.init(prefix: ObjectKey("a/"), strategies: [.orphan: .delete])])
        #expect(actions(byException, on: keys).isSuperset(of: removal))
    }

    @Test func whoeverActsHoldsTheLeaseAndTriesTheStore() {
        let repair = policy(.repair, prefixes: ["public/"], strategies: [.orphan: .keep])
        #expect(
            actions(repair, on: "arn:aws:s3:::store/.mooring/lease").contains("s3:PutObject"))
        #expect(
            actions(repair, on: "arn:aws:s3:::store/.mooring/quarantine/.probe-*")
                .contains("s3:PutObject"))
        #expect(
            !actions(repair, on: "arn:aws:s3:::store/.mooring/quarantine/*")
                .contains("s3:PutObject"))
        #expect(!actions(repair, on: "arn:aws:s3:::store/public/*").contains("s3:PutObject"))
    }

    @Test func prefixesNarrowListsAndObjects() throws {
        let audit = policy(.audit, prefixes: ["public/", "a*b?c$d/"])
        let list = try #require(audit.statements.first { $0.actions.contains("s3:ListBucket") })
        #expect(
            list.prefixes == [
                "public/*", "a${*}b${?}c${$}d/*", ".mooring/quarantine/*", ".mooring/lease",
                ".mooring/store",
            ])
        #expect(actions(audit, on: keys).isEmpty)
        #expect(
            actions(audit, on: "arn:aws:s3:::store/a${*}b${?}c${$}d/*").contains("s3:GetObject"))
        #expect(
            policy(.audit).statements.allSatisfy { $0.prefixes.isEmpty }, "the whole bucket")
    }

    @Test func aQuarantineElsewhereIsAnotherBuckets() {
        let repair = policy(
            .repair, prefixes: ["public/"], strategies: [.orphan: .quarantine]
        ) { $0.quarantineBucket = "removed" }
        #expect(
            actions(repair, on: "arn:aws:s3:::removed/.mooring/quarantine/*")
                .isSuperset(of: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]))
        #expect(
            actions(repair, on: "arn:aws:s3:::removed")
                .isSuperset(of: ["s3:ListBucket", "s3:GetBucketVersioning"]))
        #expect(actions(repair, on: "arn:aws:s3:::store/.mooring/quarantine/*").isEmpty)
    }

    @Test func anAccessPointIsNamedBesideItsBucket() {
        let arn = "arn:aws-cn:s3:cn-north-1:123456789012:accesspoint/night"
        let open = policy(.repair, prefixes: ["public/"], strategies: [.orphan: .quarantine]) {
            $0.bucket = arn
        }
        #expect(
            open.statements.flatMap(\.resources).allSatisfy { $0.hasPrefix(arn) },
            "the bucket behind it is not known")
        #expect(actions(open, on: arn).contains("s3:ListBucket"))
        #expect(actions(open, on: arn + "/object/public/*").contains("s3:DeleteObject"))
        let named = policy(.audit, prefixes: ["public/"]) {
            ($0.bucket, $0.bucketName) = (arn, "media")
        }
        #expect(actions(named, on: "arn:aws-cn:s3:::media").contains("s3:ListBucket"))
        #expect(actions(named, on: "arn:aws-cn:s3:::media/public/*").contains("s3:GetObject"))
        #expect(actions(named, on: arn + "/object/public/*").contains("s3:GetObject"))
    }

    @Test func theRegionNamesThePartition() {
        for (region, partition) in [
            ("cn-north-1", "aws-cn"), ("us-gov-west-1", "aws-us-gov"), ("eu-west-1", "aws"),
        ] {
            let audit = policy(.audit) { $0.region = region }
            #expect(
                audit.statements.flatMap(\.resources).allSatisfy {
                    $0.hasPrefix("arn:\(partition):s3:::")
                })
        }
    }

    // A call that the adapter learns has to be allowed too.
    @Test func everyCallOfTheAdapterIsAllowed() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/Stores/S3")
        let files = try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var text = ""
        for case let file as URL in files
        where file.pathExtension == "swift" && !file.path.contains("/Refusals/") {
            text += try String(contentsOf: file, encoding: .utf8)
        }
        let used = S3Permission.calls.filter { text.contains("\"\($0)\"") }
        #expect(used.count > 15, "\(used)")
        let allowed = Set(
            policy(.repair, strategies: [.orphan: .quarantine, .abandonedUpload: .abort])
                .statements.flatMap(\.actions))
        for call in used {
            for ofVersion in [false, true] {
                let needed = S3Permission.needed(by: call, ofVersion: ofVersion)
                #expect(allowed.isSuperset(of: needed), "\(call)")
            }
        }
    }
}
