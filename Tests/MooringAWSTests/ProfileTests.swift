import Foundation
import Glibc
import MooringModel
import Testing

@testable import MooringAWS

@Suite struct ProfileTests {
    private let scratch: ChainScratch

    init() throws { scratch = try ChainScratch() }

    private func keys(_ id: String, _ more: String = "") -> String {
        "aws_access_key_id = \(id)\naws_secret_access_key = secret-\(id)\n\(more)"
    }

    @Test func credentialsStandAboveConfig() async throws {
        try scratch.write(
            ".aws/config",
            "[default]\n\(keys("CONFIG"))[profile a]\n\(keys("A-CONFIG"))[b]\n\(keys("B"))"
                + "[profile default]\n\(keys("LONG"))")
        #expect(try await scratch.found() == "LONG")
        #expect(try await scratch.found(profile: "a") == "A-CONFIG")
        // Without the word in front a section of config is no profile.
        #expect(await scratch.refusal(profile: "b").contains("no such profile"))
        try scratch.write(
            ".aws/credentials",
            "[default]\n\(keys("CREDENTIALS", "aws_session_token = T\n"))[a]\nregion = x\n")
        #expect(try await scratch.found() == "CREDENTIALS+T")
        #expect(try await scratch.found(profile: "a") == "A-CONFIG")
    }

    @Test func aTokenOfTheOtherFileIsNotMixedIn() async throws {
        try scratch.write(".aws/config", "[default]\naws_session_token = OTHER\n")
        try scratch.write(".aws/credentials", "[default]\n\(keys("A"))")
        #expect(try await scratch.found() == "A")
    }

    @Test func theVariablesNameTheFiles() async throws {
        let config = try scratch.write("c", "[profile x]\n\(keys("C"))")
        try scratch.write("d", "[default]\n\(keys("D"))")
        #expect(
            try await scratch.found(["AWS_CONFIG_FILE": config, "AWS_PROFILE": "x"]) == "C")
        #expect(try await scratch.found(["AWS_SHARED_CREDENTIALS_FILE": "~/d"]) == "D")
        #expect(
            await scratch.refusal(["AWS_CONFIG_FILE": scratch.home + "/none", "AWS_PROFILE": "x"])
                .contains("the file of AWS_CONFIG_FILE is not there"))
        #expect(await scratch.refusal(["HOME": ""]).contains("HOME is not set"))
    }

    @Test func hostileFilesAreNamedAndEndTheSearch() async throws {
        try scratch.write(".aws/config", "[default]\nthis is no setting\n")
        #expect(
            await scratch.refusal(profile: "x")
                .contains("line 2 of ~/.aws/config is neither a section nor a setting"))
        #expect(
            await scratch.refusal(["AWS_CONFIG_FILE": scratch.home])
                .contains("the file of AWS_CONFIG_FILE is no regular file"))
        let pipe = scratch.home + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(
            await scratch.refusal(["AWS_SHARED_CREDENTIALS_FILE": pipe])
                .contains("AWS_SHARED_CREDENTIALS_FILE is no regular file"))
        let large = scratch.home + "/large"
        try #require(FileManager.default.createFile(atPath: large, contents: nil))
        try #require(truncate(large, (32 << 20) + 1) == 0)
        #expect(
            await scratch.refusal(["AWS_CONFIG_FILE": large])
                .contains("is larger than 33554432 bytes"))
    }

    @Test func aFileWithAMarkAndCarriageReturnsWorks() async throws {
        try scratch.write(
            ".aws/credentials",
            "\u{FEFF}[default]\r\ns3 =\r\n  aws_access_key_id = NESTED\r\n"
                + "aws_access_key_id = A\r\naws_secret_access_key = S\r\n")
        #expect(try await scratch.found() == "A")
    }

    @Test func signInsOfTheCLIAreNamedWithAWayOut() async throws {
        try scratch.write(".aws/config", "[default]\nsso_session = s\n")
        #expect(
            await scratch.refusal()
                .contains("'sso_session' without sso_account_id and sso_role_name"))
    }

    @Test func aProcessIsAskedWithoutAShell() async throws {
        let script = try scratch.program(
            "give keys",
            """
            echo secrets >&2
            printf '{"Version": 1, "AccessKeyId": "%s", "SecretAccessKey": "S", ' "$1"
            printf '"SessionToken": "%s"}' "$(basename "$HOME" | cut -c1-7)"
            """)
        try scratch.write(
            ".aws/config",
            "[default]\n\(keys("CONFIG"))credential_process = \(script) \"$HOME;x\" 2>/dev/null\n"
        )
        #expect(try await scratch.found() == "$HOME;x+mooring")
        try scratch.write(".aws/credentials", "[default]\n\(keys("FILE"))")
        #expect(try await scratch.found() == "FILE")
    }

    @Test(arguments: [
        ("exit 3", "ended with status 3"), ("echo hush", "printed no JSON object"),
        ("echo '{\"Version\": 2}'", "printed no JSON object of \"Version\": 1"),
        ("echo '{\"Version\": 1, \"AccessKeyId\": \"A\"}'", "the secret access key is missing"),
        ("kill -9 $$", "was killed"), ("yes hush", "printed more than"),
        ("echo '{\"Version\": 1, \"Expiration\": \"soon\"}'", "'Expiration' is not a time"),
        (
            "echo '{\"Version\": 1, \"AccessKeyId\": \"A\", \"SecretAccessKey\": \"hush\", "
                + "\"Expiration\": \"2020-01-01T00:00:00Z\"}'",
            "gave credentials that ended at 2020-01-01T00:00:00Z"
        ),
    ])
    func aProcessThatFailsIsNamed(script: String, reason: String) async throws {
        let path = try scratch.program("p", script + " ; echo hush >&2")
        try scratch.write(".aws/config", "[default]\ncredential_process = \(path)\n")
        let told = await scratch.refusal(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://[::1]:1"])
        #expect(told.contains(reason))
        #expect(!told.contains("hush"))
        #expect(!told.contains("container"))
    }

    @Test func aProcessThatIsNotThereIsNamed() async throws {
        for (line, reason) in [
            ("/none/such", "names a program that is not there"),
            ("no-such-program-here x", "names a program that is not there"),
            (try scratch.write("no-program", ""), "names a program that is not there"),
            // A folder may be entered, and cannot be run.
            (scratch.home, "was not started: error 13"),
            ("'unclosed", "is no command line: a quote is not closed"),
        ] {
            try scratch.write(".aws/config", "[default]\ncredential_process = \(line)\n")
            let told = await scratch.refusal()
            #expect(told.contains("profile 'default': credential_process \(reason)"), "\(told)")
        }
    }

    @Test func aProcessThatHangsIsKilledWithWhatItStarted() async throws {
        let mark = scratch.home + "/alive"
        let script = try scratch.program("p", "(sleep 5; echo x > '\(mark)') &\nsleep 60")
        let process = CredentialProcess(
            script, environment: ["PATH": "/usr/bin:/bin"], timeout: .milliseconds(300))
        guard case .failure(let reason) = await process.look() else {
            Issue.record("it gave something")
            return
        }
        #expect(reason.contains("did not end within"))
        try await Task.sleep(for: .milliseconds(5_300))
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test func aProcessGetsNothingThatIsOpen() async throws {
        let secret = try scratch.write("secret", "hush")
        let open = Glibc.open(secret, O_RDONLY)
        defer { close(open) }
        let script = try scratch.program(
            "p",
            "for f in /proc/self/fd/*; do readlink $f; done | grep -c secret > \(scratch.home)/n")
        _ = await CredentialProcess(script, environment: ["PATH": "/usr/bin:/bin"]).look()
        #expect(try String(contentsOfFile: scratch.home + "/n", encoding: .utf8) == "0\n")
    }
}
