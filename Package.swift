// swift-tools-version: 6.2
import PackageDescription

// Each target may import only the targets named here; Tests/HouseTests holds the table, because
// an import of an undeclared sibling compiles.
let package = Package(
    name: "mooring",
    products: [.executable(name: "mooring", targets: ["mooring"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CZlib", path: "Sources/Stores/CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CISAL", path: "Sources/Stores/CISAL", pkgConfig: "libisal",
            providers: [.apt(["libisal-dev"])]),
        .systemLibrary(
            name: "CPostgres", path: "Sources/Stores/CPostgres", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"])]),
        .target(name: "MooringText", path: "Sources/Core/Text"),
        .target(name: "MooringModel", dependencies: ["MooringText"], path: "Sources/Core/Model"),
        .target(
            name: "MooringDecisions",
            dependencies: [
                "MooringText", "MooringModel",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Core/Decisions"),
        .target(
            name: "MooringReconcile",
            dependencies: ["MooringText", "MooringModel", "MooringDecisions"],
            path: "Sources/Core/Reconcile"),
        .target(
            name: "MooringLedger",
            dependencies: [
                "MooringText", "MooringModel", "MooringDecisions",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Sources/State/Ledger"),
        .target(
            name: "MooringSchema", dependencies: ["MooringText", "MooringModel"],
            path: "Sources/Input/Schema"),
        .target(
            name: "MooringConfiguration",
            dependencies: [
                "MooringText", "MooringModel", "MooringDecisions", "MooringSchema",
                .product(name: "Yams", package: "Yams"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Input/Configuration"),
        .target(
            name: "MooringReporting",
            dependencies: [
                "MooringText", "MooringModel", "CZlib",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Output/Reporting",
            // Reports/Templates, through a link, so that the templates stand beside the samples.
            resources: [.embedInCode("Templates")]),
        .target(
            name: "MooringFiles",
            dependencies: [
                "MooringText", "MooringModel", "CZlib", "CISAL",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Stores/Files"),
        .target(
            name: "MooringSQLite",
            dependencies: [
                "MooringText", "MooringModel",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Sources/Stores/SQLite"),
        .target(
            name: "MooringPostgres", dependencies: ["MooringText", "MooringModel", "CPostgres"],
            path: "Sources/Stores/Postgres"),
        .target(
            name: "MooringAWS",
            dependencies: [
                "MooringText", "MooringModel",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Sources/Stores/AWS"),
        .target(
            name: "MooringS3",
            dependencies: [
                "MooringText", "MooringModel", "MooringAWS",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Stores/S3"),
        .target(
            name: "MooringDynamoDB",
            dependencies: [
                "MooringText", "MooringModel", "MooringReconcile", "MooringAWS", "MooringFiles",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Stores/DynamoDB"),
        .target(
            name: "MooringAppSync",
            dependencies: ["MooringText", "MooringModel", "MooringSchema", "MooringAWS"],
            path: "Sources/Stores/AppSync"),
        .target(
            name: "MooringSpark",
            dependencies: [
                "MooringText", "MooringModel", "MooringDecisions", "MooringConfiguration",
                "MooringFiles",
            ],
            path: "Sources/Stores/Spark"),
        .target(
            name: "MooringPipeline",
            dependencies: [
                "MooringText", "MooringModel", "MooringDecisions", "MooringReconcile",
                "MooringLedger", "MooringConfiguration", "MooringReporting",
            ],
            path: "Sources/Pipeline"),
        .target(
            name: "MooringSimulation", dependencies: ["MooringModel", "MooringDecisions"],
            path: "Sources/Proof/Simulation"),
        .target(
            name: "MooringCommands",
            dependencies: [
                "MooringText", "MooringModel", "MooringDecisions", "MooringReconcile",
                "MooringLedger", "MooringSchema", "MooringConfiguration", "MooringReporting",
                "MooringFiles", "MooringSQLite", "CZlib",
                "MooringPostgres", "MooringAWS", "MooringS3", "MooringDynamoDB", "MooringAppSync",
                "MooringSpark", "MooringPipeline", "MooringSimulation",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Program/Commands"),
        .executableTarget(
            name: "mooring", dependencies: ["MooringCommands"],
            path: "Sources/Program/mooring"),
        .testTarget(name: "HouseTests"),
        .testTarget(
            name: "MooringDecisionsTests",
            dependencies: ["MooringDecisions", "MooringModel", "SeededNumbers"]),
        .testTarget(
            name: "MooringReconcileTests",
            dependencies: [
                "MooringReconcile", "MooringDecisions", "MooringModel", "SeededNumbers",
            ]),
        .testTarget(
            name: "MooringSchemaTests",
            dependencies: ["SeededNumbers", "MooringSchema", "MooringModel"]),
        .testTarget(
            name: "MooringConfigurationTests",
            dependencies: [
                "SeededNumbers", "MooringConfiguration", "MooringSchema", "MooringModel",
            ]),
        .testTarget(
            name: "MooringPipelineTests",
            dependencies: [
                "SeededNumbers",
                "MooringPipeline", "MooringConfiguration", "MooringLedger", "MooringReconcile",
                "MooringDecisions", "MooringModel", "StoreConformance", "MooringFiles",
                "MooringSQLite", .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            exclude: ["Ledgers"]),
        .testTarget(
            name: "MooringSQLiteTests",
            dependencies: [
                "MooringSQLite", "MooringModel", "StoreConformance",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "MooringSimulationTests",
            dependencies: ["MooringSimulation", "MooringDecisions", "MooringModel"]),
        .testTarget(
            name: "MooringCommandsTests",
            dependencies: [
                "MooringCommands", "MooringConfiguration", "MooringSchema", "MooringDecisions",
                "MooringModel", "MooringS3", "MooringSQLite", "MooringAWS",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "SeededNumbers",
                "mooring", "racing-device", "TestServers", "PlainS3",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            exclude: ["Golden"]),
        // A process that plays one device against real stores; it knows nothing of Mooring.
        .executableTarget(
            name: "racing-device",
            dependencies: ["PlainS3", .product(name: "GRDBSQLite", package: "GRDB.swift")],
            path: "Tests/RacingDevice"),
        .testTarget(name: "MooringTextTests", dependencies: ["MooringText"]),
        .testTarget(
            name: "MooringModelTests", dependencies: ["MooringModel", "SeededNumbers"]),
        .testTarget(
            name: "MooringLedgerTests",
            dependencies: [
                "SeededNumbers",
                "MooringLedger", "MooringModel", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Ledgers"]),
        .testTarget(
            name: "MooringReportingTests",
            dependencies: [
                "SeededNumbers", "MooringReporting", "MooringFiles", "MooringModel",
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        // What every adapter's tests run: one suite for buckets, one for record sources.
        .target(
            name: "StoreConformance", dependencies: ["MooringReconcile", "MooringModel"],
            path: "Tests/StoreConformance"),
        // Random numbers that a printed seed brings back.
        .target(name: "SeededNumbers", path: "Tests/SeededNumbers"),
        // Starts the servers that integration tests speak to, and stops them by their ids.
        .target(
            name: "TestServers", dependencies: ["PlainS3", "CPostgres"],
            path: "Tests/TestServers"),
        // A small S3 client for arranging tests and for racing devices; it knows nothing of Mooring.
        .target(
            name: "PlainS3", dependencies: [.product(name: "Crypto", package: "swift-crypto")],
            path: "Tests/PlainS3"),
        .testTarget(name: "TestServersTests", dependencies: ["TestServers", "PlainS3"]),
        .testTarget(
            name: "MooringAWSTests",
            dependencies: [
                "MooringAWS", "MooringModel", "SeededNumbers", "TestServers", "PlainS3",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .testTarget(
            name: "MooringS3Tests",
            dependencies: [
                "SeededNumbers",
                "MooringS3", "MooringAWS", "MooringModel", "StoreConformance", "TestServers",
                "PlainS3",
            ]),
        .testTarget(
            name: "MooringPostgresTests",
            dependencies: [
                "MooringPostgres", "MooringText", "MooringModel", "StoreConformance",
                "TestServers",
            ]),
        .testTarget(
            name: "MooringDynamoDBTests",
            dependencies: [
                "MooringDynamoDB", "MooringFiles", "MooringAWS", "MooringText", "MooringModel",
                "StoreConformance", "SeededNumbers", "TestServers", "PlainS3",
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .testTarget(
            name: "MooringAppSyncTests",
            dependencies: [
                "MooringAppSync", "MooringAWS", "MooringSchema", "MooringModel",
                "StoreConformance", "TestServers",
            ]),
        .testTarget(
            name: "MooringFilesTests",
            dependencies: [
                "SeededNumbers", "MooringFiles", "MooringModel", "StoreConformance", "CZlib",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: ["Columns"]),
        .testTarget(
            name: "MooringSparkTests",
            dependencies: [
                "MooringSpark", "MooringConfiguration", "MooringFiles", "MooringModel",
            ],
            exclude: ["Golden"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "MooringSQLite", "MooringModel", "StoreConformance",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
    ]
)

// What the folders below Benchmarks measure with; no part of the program, nor of its tests, so that
// these need not build it.
if Context.environment["MOORING_BENCHMARKS"] != nil {
    package.targets += [
        // What Benchmarks/listing measures; it is no part of the program.
        .executableTarget(
            name: "listing-benchmark", dependencies: ["MooringS3", "MooringAWS", "MooringModel"],
            path: "Tests/ListingBenchmark"),
        // What Benchmarks/postgres measures; it is no part of the program.
        .executableTarget(
            name: "postgres-benchmark", dependencies: ["MooringPostgres", "MooringModel"],
            path: "Tests/PostgresBenchmark"),
        // What Benchmarks/dynamodb measures; it is no part of the program.
        .executableTarget(
            name: "dynamodb-benchmark",
            dependencies: [
                "MooringDynamoDB", "MooringAWS", "MooringModel", "PlainS3",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/DynamoDBBenchmark"),
    ]
}

// What property tests run a million times is optimised in debug builds too: the simulator explores
// every interleaving, and random apps go through audit, plan, repair and undo.
let optimised: Set<String> = [
    "MooringText", "MooringModel", "MooringDecisions", "MooringSimulation", "MooringReconcile",
    "MooringPipeline", "MooringLedger",
]

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
    if optimised.contains(target.name) {
        target.swiftSettings?.append(
            .unsafeFlags(["-O"], .when(configuration: .debug)))
    }
}
