package offline

// statement is a sentence that TestPlanted puts into the real transcripts. Key
// is the part of it that has to stand in the summary for its content to be
// there; of a decision that is the whole sentence without its full stop.
type statement struct{ kind, text, key string }

// tuning is the half of the statements that the summary was tuned on. Both
// halves were written before anything was tuned and hold none of the cue words
// of cues.go (TestPlantedHasNoCues).
var tuning = []statement{
	{"path", "The nightly ledger export lands in /srv/acct/exports/ledger-eu.parquet.", "/srv/acct/exports/ledger-eu.parquet"},
	{"path", "Fixtures for the tax tables sit under test/fixtures/vat/2031-q2.json.", "test/fixtures/vat/2031-q2.json"},
	{"path", "Grafana reads its panels from ops/dashboards/latency_p99.yaml.", "ops/dashboards/latency_p99.yaml"},
	{"path", "My own sketches are in ~/drafts/quorum/notes-on-leases.md.", "~/drafts/quorum/notes-on-leases.md"},
	{"path", `The old installer left a copy at C:\Users\dev\AppData\Local\tern\tern.ini.`, `C:\Users\dev\AppData\Local\tern\tern.ini`},
	{"identifier", "The lease is handed over by renewQuorumLease.", "renewQuorumLease"},
	{"identifier", "Everything with the flag `allow_partial_refunds` set goes through the slow path.", "allow_partial_refunds"},
	{"identifier", "Ticket OPS-4417 has the screenshots.", "OPS-4417"},
	{"identifier", "Its owner is the service account svc-heron-batch.", "svc-heron-batch"},
	{"identifier", "The column is called settled_at_utc in the replica.", "settled_at_utc"},
	{"number", "The staging cluster has 37 shards.", "37 shards"},
	{"number", "A cold start takes 8.4 s on the small machine.", "8.4 s"},
	{"number", "The upstream cuts us off at 1,250 requests per minute.", "1,250 requests"},
	{"number", "Backups are kept for 45 days.", "45 days"},
	{"number", "The port of the sidecar is 9187.", "9187"},
	{"decision", "Billing moves to integer cents and the float column goes away.", "Billing moves to integer cents and the float column goes away"},
	{"decision", "We go with Postgres LISTEN/NOTIFY and leave Redis out of it.", "We go with Postgres LISTEN/NOTIFY and leave Redis out of it"},
	{"decision", "Uploads above the limit get a signed URL, and the proxy stops buffering them.", "Uploads above the limit get a signed URL, and the proxy stops buffering them"},
	{"decision", "The mobile team owns the schema from March on.", "The mobile team owns the schema from March on"},
	{"decision", "Retries stay out of the client and live in the gateway.", "Retries stay out of the client and live in the gateway"},
	{"error", "Mounting the vault gave EPERM on /dev/vault7.", "EPERM on /dev/vault7"},
	{"error", `It said: relation "invoice_lines" does not exist.`, `relation "invoice_lines" does not exist`},
	{"error", "The linker stopped with undefined reference to `heron_flush'.", "undefined reference to `heron_flush'"},
	{"error", "curl came back with (60) SSL certificate problem: certificate has expired.", "(60) SSL certificate problem: certificate has expired"},
	{"error", "The worker was killed with signal 9 while merging tile 14/8821/5391.", "killed with signal 9 while merging tile 14/8821/5391"},
	{"command", "Deploys go out with make ship REGION=eu-west.", "make ship REGION=eu-west"},
	{"command", "`terraform apply -target=module.edge` is what rolls the edge out.", "terraform apply -target=module.edge"},
	{"command", "The seed data comes from python3 tools/seed.py --customers 200.", "python3 tools/seed.py --customers 200"},
	{"command", "To see the queue use redis-cli -n 3 LLEN jobs:late.", "redis-cli -n 3 LLEN jobs:late"},
	{"command", "A snapshot is taken by pg_dump -Fc orders > orders.dump.", "pg_dump -Fc orders > orders.dump"},
}

// heldOut is the half that the figures are reported on.
var heldOut = []statement{
	{"path", "Have a look at internal/ferry/dock_windows.go for the odd case.", "internal/ferry/dock_windows.go"},
	{"path", "Certificates of the test CA are stored in deploy/pki/ca-2029/root.pem.", "deploy/pki/ca-2029/root.pem"},
	{"path", "The crash dumps pile up in /var/crash/osprey.", "/var/crash/osprey"},
	{"path", "Translations: web/i18n/de-AT.po.", "web/i18n/de-AT.po"},
	{"path", "That behaviour comes from vendor/github.com/kestrel/wire/codec.rs line 88.", "vendor/github.com/kestrel/wire/codec.rs"},
	{"identifier", "The gauge is exported as osprey_inflight_bytes.", "osprey_inflight_bytes"},
	{"identifier", "MaxIdleLeases is what the operator turns up.", "MaxIdleLeases"},
	{"identifier", "Build 20310417.3 is the one in the field.", "20310417.3"},
	{"identifier", "The customer in question is ACME-DE-0093.", "ACME-DE-0093"},
	{"identifier", "The regression came in with commit 9f3c2ab71d.", "9f3c2ab71d"},
	{"number", "Peak load last spring was 14,300 orders an hour.", "14,300 orders"},
	{"number", "The invoice template has room for 62 characters.", "62 characters"},
	{"number", "Anything above 0.75 counts as a duplicate.", "0.75"},
	{"number", "The printer talks at 19200 baud.", "19200 baud"},
	{"number", "There are 11 tenants on the old plan.", "11 tenants"},
	{"decision", "The importer keeps its own lock file and ignores the one of the server.", "The importer keeps its own lock file and ignores the one of the server"},
	{"decision", "Dates are stored as UTC text, and the browser shows local time.", "Dates are stored as UTC text, and the browser shows local time"},
	{"decision", "Version 4 ships without the plugin API.", "Version 4 ships without the plugin API"},
	{"decision", "Anna's proposal won: one queue per tenant.", "one queue per tenant"},
	{"decision", "Deleting rows is up to the nightly job, the API just marks them.", "Deleting rows is up to the nightly job, the API just marks them"},
	{"error", "The scanner answers ORA-01555: snapshot too old.", "ORA-01555: snapshot too old"},
	{"error", "On the old laptop it panics with index out of range [7] with length 7.", "index out of range [7] with length 7"},
	{"error", "Login shows AADSTS50011 and nothing else.", "AADSTS50011"},
	{"error", "git push was turned down with remote: GH006: Protected branch update.", "GH006: Protected branch update"},
	{"error", "The kernel log has I/O timeout on nvme1n1p2.", "I/O timeout on nvme1n1p2"},
	{"command", "cargo bench --bench wire -- --save-baseline spring gives the figures.", "cargo bench --bench wire -- --save-baseline spring"},
	{"command", "Use ./bin/osprey replay --from 2031-04-01 for the backfill.", "./bin/osprey replay --from 2031-04-01"},
	{"command", "I check it with kubectl -n ferry get pods -o wide.", "kubectl -n ferry get pods -o wide"},
	{"command", "The docs are made by `mkdocs build --strict`.", "mkdocs build --strict"},
	{"command", "ssh heron-7 'sudo systemctl restart ferry' brings it back.", "ssh heron-7 'sudo systemctl restart ferry'"},
}
