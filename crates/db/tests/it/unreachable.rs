//! A server that is out of reach is waited for once.

use std::time::Duration;

use svc_core::Class;
use svc_db::{Db, PoolSettings, args, sql};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
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

/// Answers each greeting with a refusal (PostgreSQL 15, §55.7, `ErrorResponse`).
fn refuse(listener: TcpListener, state: &'static str) {
    let fields = format!("SFATAL\0VFATAL\0C{state}\0Mno\0\0");
    let length = u32::try_from(fields.len() + 4).unwrap().to_be_bytes();
    let refusal = [&b"E"[..], &length, fields.as_bytes()].concat();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let length = client.read_u32().await.unwrap();
            let mut greeting = vec![0; usize::try_from(length).unwrap() - 4];
            client.read_exact(&mut greeting).await.unwrap();
            client.write_all(&refusal).await.unwrap();
        }
    });
}

#[tokio::test]
async fn a_server_that_refuses_connections_is_to_be_tried_again() {
    // A wrong password, no such database, no right to connect, a database that takes no connections, no place left.
    for state in ["28P01", "3D000", "42501", "55000", "53300"] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("postgres://svc:svc@{}/svc?sslmode=disable", listener.local_addr().unwrap());
        refuse(listener, state);
        let db = Db::open(&url, &PoolSettings::default()).unwrap();
        for _ in 0..2 {
            let refused = db.ping().await.unwrap_err();
            assert_eq!(
                (refused.class(), refused.wait()),
                (Class::TemporarilyUnavailable, Some(1)),
                "{state}"
            );
        }
        // The operator reads why.
        let why = db.why_unreachable().await.unwrap();
        assert!(format!("{why:?}").contains(state), "{why:?}");
    }
}
