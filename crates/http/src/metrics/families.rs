//! Every family of metrics, with the text that scrapers show and the reference has.

/// A family of metrics.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// What its values are.
    pub kind: FamilyKind,
    /// Its labels.
    pub labels: &'static [&'static str],
    /// What it counts or measures.
    pub help: &'static str,
}

/// What the values of a family are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyKind {
    /// A count that only grows.
    Counter,
    /// A value of this moment.
    Gauge,
    /// Counts by size.
    Histogram,
}

use FamilyKind::{Counter, Gauge, Histogram};

const fn family(
    name: &'static str,
    kind: FamilyKind,
    labels: &'static [&'static str],
    help: &'static str,
) -> Family {
    Family { name, kind, labels, help }
}

/// The families. No label names a tenant or a person, and none is chosen by callers.
#[rustfmt::skip]
pub const FAMILIES: &[Family] = &[
    family("http_requests_total", Counter, &["method", "route", "status"], "Requests that were answered."),
    family("http_request_duration_seconds", Histogram, &["method", "route"], "Time from the request to its answer."),
    family("http_connections_open", Gauge, &[], "Open connections of clients."),
    family("tls_certificate_end_timestamp_seconds", Gauge, &[], "When the certificate of `server.tls`, or the one that `server.acme` has ordered, ends, in seconds since 1970."),
    family("tls_domain_certificate_end_timestamp_seconds", Gauge, &[], "When the first certificate of a custom domain ends that is in `server.tls.domains_folder`, or that `server.acme` has ordered, in seconds since 1970; 0 while there is none."),
    family("second_factors_total", Counter, &["method", "outcome"], "Second factors that were judged, by method; the outcome is `success` or `refused`."),
    family("sign_ins_total", Counter, &["factor", "outcome"], "Sign-ins by what was proven first; the outcome is `success`, `credentials`, `locked`, `not_admitted`, `unusual`, `hook`, or `provider` where another provider vouched for no one."),
    family("token_requests_total", Counter, &["grant", "outcome"], "Requests to the token endpoint; the outcome is `success` or the error."),
    family("password_hashes_waiting", Gauge, &[], "Passwords that wait for a hashing thread."),
    family("database_connections", Gauge, &["state"], "Connections to the database: `idle`, `used`, and `most` that may be used."),
    family("database_flights_total", Counter, &[], "Round trips to the database."),
    family("database_statements_total", Counter, &[], "Statements in them."),
    family("database_commits_total", Counter, &[], "Transactions that were committed."),
    family("coordination_up", Gauge, &["backend"], "Whether the store of counters and notes (`redis` or `memcached`) is in reach: 1 or 0."),
    family("cache_lookups_total", Counter, &["cache", "outcome"], "Look-ups of records that are kept in memory: `hit` or `miss`."),
    family("cache_bytes", Gauge, &["cache"], "About how much memory they take."),
    family("job_runs_total", Counter, &["job", "outcome"], "Runs of background jobs."),
    family("job_last_success_timestamp_seconds", Gauge, &["job"], "When a job last succeeded; its lag is the time since then."),
    family("token_journal_waiting", Gauge, &[], "Client-credentials tokens whose count is not yet written (at most 2,048)."),
    family("delivery_attempts_total", Counter, &["queue", "outcome"], "Attempts to deliver what a queue (`mails`, `sms`, `logouts`, `signals`, `webhooks`, `scim`) holds; the outcome is `sent`, `failed` or `given_up`."),
    family("audit_chains_broken_total", Counter, &[], "Audit logs that got no checkpoint because they were changed."),
    family("audit_entries_chained_total", Counter, &[], "Entries that got their place in the audit log of their tenant."),
    family("audit_stream_batches_total", Counter, &["kind", "outcome"], "Batches of the audit log that were sent to streams of a kind (`webhook`, `syslog`, `s3`), `sent` or `failed`."),
    family("audit_stream_entries_total", Counter, &["kind"], "Entries of the audit log that receivers of streams acknowledged."),
    family("audit_stream_lag_entries", Gauge, &[], "Entries of the audit log that active streams have not got, counted for each."),
    family("audit_stream_lag_seconds", Gauge, &[], "Age of the oldest of them."),
    family("scim_targets_deactivated_total", Counter, &["reason"], "SCIM targets that the service deactivated: `unauthorized`, `forbidden` or `failing`."),
    family("audit_streams_deactivated_total", Counter, &["reason"], "Streams of the audit log that the service deactivated: `gone` or `failing`."),
    family("events_sequenced_total", Counter, &[], "Events that got their position in the log of their tenant."),
    family("webhook_answers_total", Counter, &["status"], "Answers of receivers of webhooks: `2xx` to `5xx`, or `none` where there was none in time."),
    family("webhooks_deactivated_total", Counter, &["reason"], "Subscriptions that the service deactivated: `gone` or `failing`."),
    family("hook_calls_total", Counter, &["point", "outcome"], "Calls of hooks; the outcome is `allow`, `deny`, or `fault` where there was no valid answer in time."),
    family("telemetry_exports_total", Counter, &["signal", "outcome"], "Messages to the collector of telemetry: `traces` or `metrics`, `sent` or `failed`."),
    family("telemetry_spans_dropped_total", Counter, &[], "Spans that were dropped because too many waited for the collector."),
    family("build_info", Gauge, &["version"], "Always 1; the label is the version."),
    family("process_resident_memory_bytes", Gauge, &[], "Memory of the process that is in use."),
];

/// Counts of what is rare, with their labels: they are shown from 0 on, because a series that begins with the first of them has not
/// grown for those who ask by how much it has.
#[rustfmt::skip]
pub(super) const RARE: &[(&str, &[(&str, &str)])] = &[
    ("audit_chains_broken_total", &[]),
    ("audit_streams_deactivated_total", &[("reason", "failing")]),
    ("audit_streams_deactivated_total", &[("reason", "gone")]),
    ("delivery_attempts_total", &[("queue", "mails"), ("outcome", "given_up")]),
    ("delivery_attempts_total", &[("queue", "sms"), ("outcome", "given_up")]),
    ("scim_targets_deactivated_total", &[("reason", "failing")]),
    ("scim_targets_deactivated_total", &[("reason", "forbidden")]),
    ("scim_targets_deactivated_total", &[("reason", "unauthorized")]),
    ("webhooks_deactivated_total", &[("reason", "failing")]),
    ("webhooks_deactivated_total", &[("reason", "gone")]),
];
