//! What is measured when it is asked for: queues, pools, caches, memory.

use crate::app::App;

/// Sets the values of this moment.
pub(crate) fn observe(app: &App) {
    let metrics = &app.metrics;
    metrics.set("build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1);
    if let Some(bytes) = resident_bytes() {
        metrics.set("process_resident_memory_bytes", &[], bytes);
    }
    metrics.set("password_hashes_waiting", &[], app.services.passwords.waiting() as u64);
    let connections = app.db.connections();
    metrics.set("database_connections", &[("state", "idle")], connections.idle as u64);
    metrics.set("database_connections", &[("state", "used")], connections.used as u64);
    if let Some(most) = connections.most {
        metrics.set("database_connections", &[("state", "most")], most as u64);
    }
    let counts = app.db.counts();
    metrics.reach("database_flights_total", &[], counts.flights);
    metrics.reach("database_statements_total", &[], counts.statements);
    metrics.reach("database_commits_total", &[], counts.commits);
    if let Some((backend, is_up)) = app.coordination.store() {
        metrics.set("coordination_up", &[("backend", backend)], u64::from(is_up));
    }
    for (cache, counts) in app.services.caches() {
        metrics.reach("cache_lookups_total", &[("cache", cache), ("outcome", "hit")], counts.hits);
        metrics.reach("cache_lookups_total", &[("cache", cache), ("outcome", "miss")], counts.misses);
        metrics.set("cache_bytes", &[("cache", cache)], counts.bytes);
    }
}

/// What the kernel says; nothing where it is another one than Linux.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
