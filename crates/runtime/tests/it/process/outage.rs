//! The database goes away and comes back: 503 with Retry-After meanwhile, and nothing is restarted (F5, I6).

use super::cable::Cable;
use super::faults::ledger::{Ledger, rounds};
use super::{Place, eventually, get};
use crate::harness::Answer;

#[track_caller]
pub fn is_outage(answer: &Answer) {
    let answer = answer.clone().expect_problem(503, "temporarily_unavailable");
    assert!(answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{answer:?}");
    for internal in ["postgres", "tokio_postgres", "127.0.0.1", "SQLITE", "database is locked"] {
        assert!(!answer.body.contains(internal), "{answer:?}");
    }
}

#[tokio::test]
async fn postgresql_gone_and_back_is_an_outage_and_no_restart() {
    let mut place = Place::populated().await;
    let Ok(url) = url::Url::parse(&place.database.url) else { return };
    if url.scheme() != "postgres" {
        return; // SQLite has no network that could be cut.
    }
    let server = [url.port().unwrap_or(5432)];
    let cable = Cable::to(&server).await;
    let mut through = url.clone();
    through.set_port(Some(cable.port)).unwrap();
    place.set("DATABASE_URL", through.as_str());
    place.set("SVC_DATABASE__CONNECT_TIMEOUT_SECS", "1");
    let service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    let mut ledger = Ledger::of("The network to PostgreSQL is cut");
    for _ in 0..rounds(3).min(20) {
        let (code, token) = (ada.code().await, ada.refresh_token().await);
        cable.cut();
        is_outage(&ada.refresh(&token).await.unwrap());
        is_outage(&ada.exchange(&code).await.unwrap());
        let address = service.address;
        eventually("readiness fails", || async move {
            get(address, "/health/ready").await.unwrap().status == 503
        })
        .await;
        assert_eq!(get(address, "/health/live").await.unwrap().status, 200);
        assert_eq!(get(address, "/.well-known/jwks.json").await.unwrap().status, 200);
        cable.lay(&server);
        eventually("readiness recovers", || async move {
            get(address, "/health/ready").await.unwrap().status == 200
        })
        .await;
        // Nothing was used up by the attempts.
        let _ = ada.exchange(&code).await.unwrap().expect(200);
        let _ = ada.refresh(&token).await.unwrap().expect(200);
        ledger.add("times", 1);
        ledger.add("answered 503", 2);
        ledger.add("codes and tokens that were lost", 0);
    }
    assert!(!service.log().contains("panicked"), "{}", service.log());
}

#[tokio::test]
async fn a_database_that_is_locked_is_an_outage_until_it_is_free() {
    let mut place = Place::populated().await;
    place.set("SVC_DATABASE__CONNECT_TIMEOUT_SECS", "1");
    place.set("SVC_DATABASE__STATEMENT_TIMEOUT_SECS", "1");
    let service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    let mut ledger = Ledger::of("Another process has locked the tables");
    let exclusive = if place.database.url.starts_with("postgres") {
        "LOCK TABLE codes, refresh_tokens IN ACCESS EXCLUSIVE MODE"
    } else {
        // The one writer has its turn from its first statement on.
        "DELETE FROM codes WHERE 1 = 0"
    };
    for _ in 0..rounds(1).min(20) {
        let (code, token) = (ada.code().await, ada.refresh_token().await);
        let mut lock = place.database.db.begin_system().await.unwrap();
        lock.execute(svc_db::SystemSql::new(exclusive), &[]).await.unwrap();
        is_outage(&ada.exchange(&code).await.unwrap());
        is_outage(&ada.refresh(&token).await.unwrap());
        assert_eq!(get(service.address, "/health/live").await.unwrap().status, 200);
        lock.rollback().await.unwrap();
        let _ = ada.exchange(&code).await.unwrap().expect(200);
        let _ = ada.refresh(&token).await.unwrap().expect(200);
        ledger.add("times", 1);
        ledger.add("answered 503", 2);
        ledger.add("codes and tokens that were lost", 0);
    }
}
