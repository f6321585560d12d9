//! Upkeep that SQLite does not do by itself: updating the planner's statistics, and giving unused pages back to the file system.

use rusqlite::{Connection, Result};

/// Most rows of an index that `ANALYZE` reads (`analysis_limit`), so that a large table does not keep writers waiting.
const SAMPLE: u32 = 1_000;
/// Every table whose size has changed by much, whether this connection has read it or not.
const OPTIMIZE: u32 = 0x1_0002;

/// Returns how many pages were given back.
pub(super) fn run(connection: &Connection, worth_counting: u32, most: u32) -> Result<u64> {
    if pages(connection, "page_count")? >= worth_counting {
        connection.pragma_update(None, "analysis_limit", SAMPLE)?;
        connection.pragma(None, "optimize", OPTIMIZE, |_| Ok(()))?;
    }
    let before = pages(connection, "freelist_count")?;
    // One page for each row. A file that an earlier version has made uses its pages again, and keeps them.
    connection.pragma(None, "incremental_vacuum", most, |_| Ok(()))?;
    Ok(before.saturating_sub(pages(connection, "freelist_count")?).into())
}

fn pages(connection: &Connection, what: &str) -> Result<u32> {
    connection.pragma_query_value(None, what, |row| row.get(0))
}
