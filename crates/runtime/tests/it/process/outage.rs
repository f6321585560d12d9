//! The database goes away and comes back: 503 with Retry-After meanwhile, and nothing is restarted (F5, I6).

use std::sync::Arc;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::{Place, eventually, get};
use crate::harness::Answer;

/// A stretch of network between the service and PostgreSQL that can be cut.
struct Cable {
    port: u16,
    is_whole: Arc<watch::Sender<bool>>,
}

impl Cable {
    async fn to(address: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let is_whole = Arc::new(watch::Sender::new(true));
        let sender = Arc::clone(&is_whole);
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let mut state = sender.subscribe();
                if !*state.borrow() {
                    continue; // Closed at once, as by a host without the server.
                }
                let address = address.clone();
                tokio::spawn(async move {
                    let mut far = TcpStream::connect(&address).await.unwrap();
                    tokio::select! {
                        _ = copy_bidirectional(&mut near, &mut far) => {}
                        _ = state.wait_for(|is_whole| !is_whole) => {}
                    }
                });
            }
        });
        Self { port, is_whole }
    }

    fn set(&self, is_whole: bool) {
        self.is_whole.send_replace(is_whole);
    }
}

#[track_caller]
fn is_outage(answer: &Answer) {
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
    let cable = Cable::to(format!("{}:{}", url.host_str().unwrap(), url.port().unwrap_or(5432))).await;
    let mut through = url.clone();
    through.set_port(Some(cable.port)).unwrap();
    place.set("DATABASE_URL", through.as_str());
    place.set("SVC_DATABASE__CONNECT_TIMEOUT_SECS", "1");
    let service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    for _ in 0..3 {
        let (code, token) = (ada.code().await, ada.refresh_token().await);
        cable.set(false);
        is_outage(&ada.refresh(&token).await.unwrap());
        is_outage(&ada.exchange(&code).await.unwrap());
        let address = service.address;
        eventually("readiness fails", || async move {
            get(address, "/health/ready").await.unwrap().status == 503
        })
        .await;
        assert_eq!(get(address, "/health/live").await.unwrap().status, 200);
        assert_eq!(get(address, "/.well-known/jwks.json").await.unwrap().status, 200);
        cable.set(true);
        eventually("readiness recovers", || async move {
            get(address, "/health/ready").await.unwrap().status == 200
        })
        .await;
        // Nothing was used up by the attempts.
        let _ = ada.exchange(&code).await.unwrap().expect(200);
        let _ = ada.refresh(&token).await.unwrap().expect(200);
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
    let (code, token) = (ada.code().await, ada.refresh_token().await);
    let mut lock = place.database.db.begin_system().await.unwrap();
    if place.database.url.starts_with("postgres") {
        let exclusive = svc_db::SystemSql::new("LOCK TABLE codes, refresh_tokens IN ACCESS EXCLUSIVE MODE");
        lock.execute(exclusive, &[]).await.unwrap();
    }
    is_outage(&ada.exchange(&code).await.unwrap());
    is_outage(&ada.refresh(&token).await.unwrap());
    assert_eq!(get(service.address, "/health/live").await.unwrap().status, 200);
    lock.rollback().await.unwrap();
    let _ = ada.exchange(&code).await.unwrap().expect(200);
    let _ = ada.refresh(&token).await.unwrap().expect(200);
}
