import Foundation
import TestServers
import Testing

/// Files that put the nightly job to work elsewhere than in a crontab.
@Suite("Kubernetes, logrotate and mail")
struct DeploymentTests {
    private static let kubernetes = OperationFile("mooring.kubernetes.yaml")

    @Test(
        "The objects fit Kubernetes' schemas, and the job is as careful as the unit",
        .requiresOperationTools)
    func kubernetes() async throws {
        let fits = try await OperationTools.run(
            "kubernetes-validate", "--strict", Self.kubernetes.path)
        #expect(fits.status == 0, "\(fits.told)")
        let objects = try await Self.kubernetes.documents()
        let job = try #require(objects.first { $0["kind"].string == "CronJob" })["spec"]
        #expect(job["concurrencyPolicy"].string == "Forbid")
        #expect(job["timeZone"].string == "Etc/UTC")
        #expect(job["startingDeadlineSeconds"].integer != nil)
        let run = job["jobTemplate"]["spec"]
        #expect(run["backoffLimit"].integer == 0)
        let failing = run["podFailurePolicy"]["rules"][0]["onExitCodes"]["values"].elements
        #expect(failing.compactMap(\.integer) == [2, 3, 4, 5, 6, 64, 78])
        let pod = run["template"]["spec"]
        #expect(pod["restartPolicy"].string == "Never")
        #expect(pod["hostname"].string == "mooring-production")
        #expect(pod["automountServiceAccountToken"].bool == false)
        #expect((pod["terminationGracePeriodSeconds"].integer ?? 0) >= 120)
        #expect(pod["securityContext"]["runAsNonRoot"].bool == true)
        #expect(pod["securityContext"]["seccompProfile"]["type"].string == "RuntimeDefault")
        let container = pod["containers"][0]
        let rights = container["securityContext"]
        #expect(rights["allowPrivilegeEscalation"].bool == false)
        #expect(rights["readOnlyRootFilesystem"].bool == true)
        #expect(rights["capabilities"]["drop"].elements.compactMap(\.string) == ["ALL"])
        // Whatever is mounted is there, and only state and scratch can be written.
        let mounts = container["volumeMounts"].elements
        let volumes = pod["volumes"].elements.compactMap { $0["name"].string }
        #expect(mounts.compactMap { $0["name"].string } == volumes)
        #expect(
            mounts.filter { $0["readOnly"].bool != true }.compactMap { $0["mountPath"].string }
                == ["/var/lib/mooring", "/tmp"])
    }

    @Test("The configuration in the ConfigMap is one", .requiresOperationTools)
    func configuration() async throws {
        let objects = try await Self.kubernetes.documents()
        let map = try #require(objects.first { $0["kind"].string == "ConfigMap" })
        let folder = Folder(path: try Folder.make())
        try folder.write("mooring.yaml", try #require(map["data"]["mooring.yaml"].string))
        // It reads the configuration and reaches nobody.
        let policy = try Program.run(["iam-policy", "--for", "audit"], in: folder.path)
        #expect(policy.status == 0, "\(policy.told)")
        #expect(policy.output.contains("app-media"))
    }

    @Test(
        "logrotate takes its file, and keeps what a run goes on writing",
        .requiresOperationTools)
    func logrotate() async throws {
        let folder = Folder(path: try Folder.make())
        try #require(chmod(folder.path, 0o755) == 0)
        try folder.write("logs/mooring.log", "a night\n")
        // No user of that name is there where tests run, and only root becomes another one.
        let text = try OperationFile("mooring.logrotate").text()
            .replacing("/var/log/mooring", with: folder.path + "/logs")
            .replacing("    su mooring mooring\n", with: "")
            .replacing("create 0640 mooring mooring", with: "create 0640")
        try folder.write("conf", text)
        try #require(chmod(folder.path + "/conf", 0o644) == 0)
        let state = folder.path + "/state"
        let dry = try await OperationTools.run(
            "logrotate", "--debug", "--state", state, folder.path + "/conf")
        #expect(dry.status == 0 && !dry.told.contains("error:"), "\(dry.told)")
        let held = try FileHandle(
            forUpdating: URL(filePath: folder.path + "/logs/mooring.log"))
        try held.seekToEnd()
        let forced = try await OperationTools.run(
            "logrotate", "--force", "--state", state, folder.path + "/conf")
        #expect(forced.status == 0, "\(forced.told)")
        try held.write(contentsOf: Data("goes on\n".utf8))
        let logs = folder.files(below: "logs").map { String(decoding: $0.value, as: UTF8.self) }
        #expect(logs.sorted() == ["", "a night\ngoes on\n"])
        try folder.write("wrong", text.replacing("weekly", with: "weakly"))
        try #require(chmod(folder.path + "/wrong", 0o644) == 0)
        let wrong = try await OperationTools.run(
            "logrotate", "--debug", "--state", state, folder.path + "/wrong")
        #expect(wrong.told.contains("unknown option"), "\(wrong.told)")
    }

    @Test("A unit that failed is told by mail, with how it ended in the subject")
    func mail() throws {
        let text = try OperationFile("mooring-alert@.service").text()
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        // What systemd makes of the line: its own escape, and the instance.
        let words = String(line.dropFirst("ExecStart=".count))
            .replacing("$$", with: "$").replacing("%i", with: "mooring.service")
        let folder = Folder(path: try Folder.make())
        for (name, script) in [
            ("systemctl", "echo systemctl \"$@\""),
            ("mail", "printf '%s|' \"$@\" >\(folder.path)/mail.txt; cat >>\(folder.path)/mail.txt"),
            ("uname", "echo host"), ("call", words),
        ] {
            try folder.program("bin/" + name, "#!/bin/sh\n\(script)\n")
        }
        let path = ["PATH": "\(folder.path)/bin:/usr/bin:/bin"]
        let result = ["MONITOR_SERVICE_RESULT": "exit-code", "MONITOR_EXIT_STATUS": "3"]
        for (variables, subject) in [(result, "exit-code 3"), ([:], "failed ")] {
            let call = try RunningProgram(
                ["\(folder.path)/bin/call"], in: folder.path,
                environment: path.merging(variables) { $1 }
            ).wait()
            #expect(call.status == 0, "\(call.told)")
            #expect(
                folder.read("mail.txt") == "-s|[mooring] host: mooring.service: \(subject)|root|"
                    + "systemctl status --no-pager --full --lines=50 mooring.service\n")
        }
    }
}
