# The one door to everything: `make demo` and `make test` work on a machine that has only Swift,
# make and apt. All targets but `release` and `install` share one build, the debug one, so that
# the packages compile once.

SHELL := /bin/sh
SWIFT ?= swift
PREFIX ?= /usr/local
DEMO ?= demo
SECONDS ?= 60
SEEDS ?=
BUILD_FLAGS ?=

.PHONY: help build release test integration test-release built-tests servers mutations soak race demo bench instructions sanitize spark lint format install packages clean

help:
	@echo 'make demo      build, and walk through a made-up app in ./demo (DEMO=DIR for another)'
	@echo 'make test      build, and run every test that needs no more than PyPI and PostgreSQL'
	@echo 'make integration  the same, and the tests against Ceph and rclone'
	@echo 'make test-release  build the release, and run the tests of the whole program on it'
	@echo 'make mutations break single lines of a copy, and want a test to notice each'
	@echo 'make soak      simulate for SECONDS ($(SECONDS)), from a seed that the clock chooses'
	@echo 'make race      race devices against the program, a minute a seed (SECONDS=60 SEEDS="1 2")'
	@echo 'make bench     run Mooring and its peers on the same files (REFERENCES=N ROUNDS=N FORM=gz)'
	@echo 'make instructions  count the instructions of an audit (INSTRUCTIONS=N at most)'
	@echo 'make sanitize  run tests of what works side by side under two sanitizers'
	@echo 'make spark     compare the Spark engine with the native one (APPS=N REFERENCES=N)'
	@echo 'make build     build .build/debug/mooring'
	@echo 'make release   build .build/release/mooring, optimised'
	@echo 'make install   install the release build below PREFIX ($(PREFIX))'
	@echo 'make lint      check the formatting'
	@echo 'make format    put the formatting right'
	@echo 'make packages  install the Debian packages that a build needs, when they are missing'
	@echo 'make servers   install the servers of the tests, when they are missing'
	@echo 'make clean     remove what builds left behind'

build: packages
	$(SWIFT) build --product mooring

release: packages
	$(SWIFT) build -c release --product mooring --static-swift-stdlib

# Lanes side by side: tests that run the whole program block the threads that the tests of
# connections and time-outs need, and wait most of the time themselves.
LIVE := MooringAWSTests|MooringS3Tests|MooringPostgresTests|MooringDynamoDBTests|MooringAppSyncTests|TestServersTests
# Those of them that wait for servers.
LATE := EndToEndTests[.](S3|DynamoDB|AppSync|Postgres|SimulateTests|IAMPolicy)
TESTS = SWIFT='$(SWIFT)' .ci/tests \
	'--filter $(LIVE);--skip $(LIVE)|EndToEndTests' \
	'--filter EndToEndTests --skip $(LATE)' \
	'--filter $(LATE)'

test: packages
	$(MAKE) -j 2 servers built-tests
	$(TESTS)

integration: packages
	$(MAKE) -j 2 servers built-tests
	Tests/Servers/install ceph
	export MOORING_INTEGRATION=1; $(TESTS)

# What ships: the tests that run the whole program, by the release build.
test-release: release
	$(MAKE) -j 2 servers built-tests
	MOORING_PROGRAM='$(CURDIR)/.build/release/mooring' SWIFT='$(SWIFT)' .ci/tests \
		'--filter EndToEndTests'

built-tests:
	$(SWIFT) build --build-tests $(BUILD_FLAGS)

# Without PyPI the tests against S3 are skipped with that reason, without Debian's packages those
# against PostgreSQL; in CI they fail.
servers:
	@Tests/Servers/install || [ "$$CI" != true ]
	@Tests/Servers/install moto || [ "$$CI" != true ]
	@Tests/Servers/install postgres || [ "$$CI" != true ]

mutations: packages
	python3 Tests/Mutations/run.py

soak: build
	.build/debug/mooring simulate --seed $$(date +%s)000 --seconds '$(SECONDS)' --trace

race: packages
	$(SWIFT) build --build-tests
	MOORING_RACE_SECONDS='$(SECONDS)' MOORING_RACE_SEEDS='$(SEEDS)' \
		$(SWIFT) test --skip-build --filter EndToEndTests.RaceTests

demo: build
	MOORING=.build/debug/mooring Examples/demo.sh '$(DEMO)'

# The peers come from PyPI, and are run on the same files in turn.
PEERS := .build-peers
BENCH = Benchmarks/join/data-csv-$(REFERENCES)-$(SEED)
REFERENCES ?= 1000000
SEED ?= 1
ROUNDS ?= 5
# One of them, or several in quotes.
FORM ?= csv inventory gz

bench: release
	[ -x $(PEERS)/bin/python ] || python3 -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet duckdb chdb
	set -e; for form in $(FORM); do \
		data="Benchmarks/join/data-$$form-$(REFERENCES)-$(SEED)"; \
		[ -e "$$data" ] || python3 Benchmarks/join/generate.py --form "$$form" \
			"$$data" '$(REFERENCES)' '$(SEED)'; \
		$(PEERS)/bin/python Benchmarks/join/run.py .build/release/mooring "$$data" '$(ROUNDS)'; \
	done

# For each reference and its object, as Benchmarks/RESULTS.md has what was measured and is wanted.
INSTRUCTIONS ?= 29000

instructions: release
	python3 Benchmarks/join/instructions.py .build/release/mooring '$(INSTRUCTIONS)'

# Each sanitizer wants a build of its own: data races, and memory that is used wrongly. The tests of
# what works side by side, and of what reads memory in place; of the random apps a few, since each
# takes many times as long. What a test's program that dies had in hand is never given back. The tests
# of common names are bounded by a time that is too short for the thread sanitizer alone.
SANITIZED := MooringTextTests|MooringReconcileTests|MooringLedgerTests|MooringFilesTests|MooringPipelineTests
SANITIZERS ?= thread address

sanitize: packages
	set -e; export MOORING_SEED=1-60 ASAN_OPTIONS=detect_leaks=0; \
	export TSAN_OPTIONS='suppressions=$(CURDIR)/Tests/Sanitizers/thread.txt'; for kind in $(SANITIZERS); do \
		$(SWIFT) build --build-tests --sanitize $$kind --build-path .build-$$kind; \
		skip=; [ $$kind != thread ] || skip='--skip CommonNameTests'; \
		$(SWIFT) test --skip-build --sanitize $$kind --build-path .build-$$kind \
			--disable-xctest --filter '$(SANITIZED)' $$skip; \
	done

# A master and two workers on loopback: the demo, REFERENCES references and as many objects, and APPS
# random apps in one session, each audited by both engines.
APPS ?= 200

spark: release
	Tests/Servers/install spark
	[ -e '$(BENCH)' ] || python3 Benchmarks/join/generate.py '$(BENCH)' '$(REFERENCES)' '$(SEED)'
	Tests/Spark/run '$(CURDIR)/.build/release/mooring' '$(CURDIR)/$(BENCH)' '$(APPS)' '$(SEED)'

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

install: release
	install -D -m 755 .build/release/mooring '$(DESTDIR)$(PREFIX)/bin/mooring'

packages:
	@.ci/packages

clean:
	rm -rf .build .build-servers
