import MooringConfiguration
import Testing

struct EngineTests {
    private func configuration(_ lines: String) throws -> Configuration {
        try Configuration.parse(
            """
            version: 1
            \(lines)
            records: [{name: app, csv: ./a.csv, models: [{model: Song, files: [{field: key}]}]}]
            buckets: [{name: media, listing: ./m.csv}]
            """, file: "/etc/app/mooring.yaml", environment: [:])
    }

    @Test("this program does the set work unless the file says otherwise")
    func byDefault() throws {
        let configuration = try configuration("confirm: auto")
        #expect(configuration.engine == .native)
        #expect(configuration.spark.work == "/etc/app/spark-work")
        #expect(configuration.spark.conf.isEmpty)
        #expect(configuration.spark.submit == "spark-submit")
        #expect(configuration.spark.master == "local[*]")
    }

    @Test("how Spark is reached")
    func spark() throws {
        let configuration = try configuration(
            """
            engine: spark
            spark:
              submit: ./bin/spark-submit
              master: spark://10.0.0.1:7077
              conf: {spark.executor.memory: 8g, spark.ui.enabled: "false"}
              work: /shared/work
            """)
        #expect(configuration.engine == .spark)
        #expect(configuration.spark.submit == "/etc/app/bin/spark-submit")
        #expect(configuration.spark.master == "spark://10.0.0.1:7077")
        #expect(
            configuration.spark.conf
                == ["spark.executor.memory": "8g", "spark.ui.enabled": "false"])
        #expect(configuration.spark.work == "/shared/work")
    }

    @Test("folders have the names that Spark has for them, the innermost first")
    func mounts() throws {
        let mounts = try configuration(
            """
            spark:
              mounts:
                /mnt/app: "s3a://app-data/of/2026/"
                /mnt/app/spark: hdfs://10.0.0.1:8020/spark
                ./copies: file:///
            """
        ).spark.mounts
        for (path, url) in [
            ("/mnt/app", "s3a://app-data/of/2026"),
            ("/mnt/app/a b.csv", "s3a://app-data/of/2026/a b.csv"),
            ("/mnt/app/spark/1", "hdfs://10.0.0.1:8020/spark/1"),
            ("/mnt/app2/x", "file:///mnt/app2/x"),
            ("/etc/app/copies/x", "file:///x"),
        ] {
            #expect(mounts.url(of: path) == url)
        }
        #expect(mounts.outside(among: ["/mnt/app/x", "/mnt/app2"]) == ["/mnt/app2"])
        #expect(
            Set(mounts.unused(by: ["/mnt/app/x"])) == ["/mnt/app/spark", "/etc/app/copies"])
        // The innermost folder counts.
        #expect(
            Set(mounts.unused(by: ["/mnt/app/spark/x"])) == ["/mnt/app", "/etc/app/copies"])
        #expect(SparkMounts.none.outside(among: ["/x"]).isEmpty)
    }

    @Test(
        "work may be named as Spark does, where this machine mounts it",
        arguments: [
            ("s3a://app/spark", "/mnt/app/spark"), ("s3a://app/of/x/y", "/srv/of/x/y"),
            ("file:///srv/work", "/srv/work"), ("s3a://app", "/mnt/app"),
        ])
    func named(url: String, path: String) throws {
        let settings = try configuration(
            """
            spark:
              work: "\(url)"
              mounts: {/mnt/app: "s3a://app", /srv/of: "s3a://app/of"}
            """
        ).spark
        #expect(settings.work == path)
    }

    @Test(
        "what is no name of a folder is refused",
        arguments: [
            "/srv/app", "s3a://", "://app", "s3a://key:secret@app", "s3a://app/{a,b}", "s3a://a b",
            "s3a://key@app", "abfss://box:secret@host/x", "abfss://a@b@host", "abfss://host/a@b",
        ])
    func badMount(url: String) {
        #expect {
            _ = try configuration("spark: {mounts: {/mnt/app: '\(url)'}}")
        } throws: { error in
            "\(error)".contains("2: '/mnt/app' needs what Spark calls that folder")
                && !"\(error)".contains("secret")
        }
    }

    @Test("a container of Azure is named before its host, and a folder once")
    func containers() throws {
        let mounts = try configuration(
            "spark: {mounts: {/mnt/app: 'abfss://box@host.dfs.core.windows.net/app/'}}"
        ).spark.mounts
        #expect(mounts.url(of: "/mnt/app/x") == "abfss://box@host.dfs.core.windows.net/app/x")
        #expect {
            _ = try configuration(
                "spark: {mounts: {/mnt/app: 's3a://app', /mnt/app/: 's3a://other'}}")
        } throws: { error in
            "\(error)".contains("2: '/mnt/app/' is a folder that has a name already")
        }
    }

    @Test("the findings are the same, and so is the fingerprint")
    func fingerprint() throws {
        let native = try configuration("confirm: auto")
        let spark = try configuration("engine: spark\nspark: {master: yarn}")
        #expect(native.fingerprint == spark.fingerprint)
    }

    @Test(
        "what is no engine, no setting and no folder is refused with its line",
        arguments: [
            ("engine: sparc", "2: unknown engine 'sparc'; did you mean 'spark'?"),
            ("spark: {mastr: yarn}", "2: unknown key 'mastr'; did you mean 'master'?"),
            (
                "spark: {conf: {executor.memory: 8g}}",
                "2: a setting of Spark begins with 'spark.'; found 'executor.memory'"
            ),
            (
                "spark: {conf: {spark.mooring.needsSent: many}}",
                "2: 'spark.mooring.needsSent' needs a whole number of needs"
            ),
            (
                "spark: {work: 's3a://app/../x', mounts: {/mnt/app: 's3a://app'}}",
                "2: 'work' needs a place that this machine reaches too"
            ),
            (
                "spark: {work: 's3a://store/work'}",
                "2: 'work' needs a place that this machine reaches too; no folder of 'mounts' is "
                    + "called so: mount it, and say there what Spark calls it"
            ),
        ])
    func refusals(lines: String, message: String) {
        #expect {
            _ = try configuration(lines)
        } throws: { error in
            "\(error)".contains(message)
        }
    }
}
