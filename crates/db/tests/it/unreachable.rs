//! A server that is out of reach is waited for once.

use std::time::Duration;

use svc_core::Class;
use svc_db::{Db, PoolSettings, args, sql};
use tokio::net::TcpListener;
use tokio::time::Instant;

use crate::place::tenant;

// Here time passes only while everything waits.
#[tokio::test(start_paused = true)]
async fn after_the_first_failure_requests_fail_at_once() {
    // A listener that takes connections and never says a word.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("postgres://svc:svc@{}/svc?sslmode=disable", silent.local_addr().unwrap());
    let settings = PoolSettings { connect_timeout: Duration::from_secs(1), ..PoolSettings::default() };
    let db = Db::open(&url, &settings).unwrap();
    let read = async || {
        let mut tx = db.read(tenant()).await.unwrap();
        let outcome = tx.all(sql!("SELECT id FROM things WHERE tenant_id = $1"), args![]).await;
        outcome.err().unwrap().class()
    };
    assert_eq!(read().await, Class::TemporarilyUnavailable);
    let started = Instant::now();
    for _ in 0..100 {
        assert_eq!(read().await, Class::TemporarilyUnavailable);
        assert_eq!(db.ping().await.unwrap_err().class(), Class::TemporarilyUnavailable);
    }
    assert_eq!(started.elapsed(), Duration::ZERO, "none of 200 refusals waited");
}
