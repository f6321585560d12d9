//! Ending on request: what is in flight is finished, nothing new is taken, and nothing holds the process for ever (F21).

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use svc_core::{Clock as _, SystemClock};
use svc_db::{Db, PoolSettings};
use svc_domain::coordination::processes::{self, Process};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::{Place, SIGTERM, Service, eventually, exit, handles, parsed};

#[tokio::test]
async fn a_request_in_flight_is_answered_and_new_connections_are_refused() {
    let place = Place::populated().await;
    let mut service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    let token = ada.refresh_token().await;
    let body = format!("grant_type=refresh_token&client_id={}&refresh_token={token}", ada.client_id);
    let head = format!(
        "POST /oauth/token HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\nContent-Type: \
         application/x-www-form-urlencoded\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        place.port,
        body.len()
    );
    let mut stream = TcpStream::connect(service.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    // The request has begun once its body is asked for.
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).await.unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(&body.as_bytes()[..20]).await.unwrap();
    service.terminate();
    let address = service.address;
    eventually("the port is closed", || async move { TcpStream::connect(address).await.is_err() }).await;
    stream.write_all(&body.as_bytes()[20..]).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let answer = parsed(&answer).expect("the answer is whole");
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(exit(&mut service.process).await, "{}", service.log());
    // What was answered is durable.
    let service = place.serve().await;
    ada.address = service.address;
    let _ = ada.refresh(&super::person::refresh_token_of(&answer)).await.unwrap().expect(200);
}

#[tokio::test]
async fn no_connection_holds_the_process_past_its_deadline() {
    let mut place = Place::populated().await;
    place.set("SVC_SERVER__SHUTDOWN_DEADLINE_SECS", "1");
    let mut service = place.serve().await;
    let _silent = TcpStream::connect(service.address).await.unwrap();
    let mut dripping = TcpStream::connect(service.address).await.unwrap();
    let head = b"POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx";
    dripping.write_all(head).await.unwrap();
    super::get(service.address, "/health/live").await.unwrap();
    let asked = Instant::now();
    service.terminate();
    service.terminate();
    assert!(exit(&mut service.process).await, "{}", service.log());
    assert!(asked.elapsed() < Duration::from_secs(15), "{:?}", asked.elapsed());
}

#[tokio::test]
async fn an_idle_process_ends_at_once() {
    let place = Place::populated().await;
    let mut service = place.serve().await;
    let asked = Instant::now();
    service.terminate();
    assert!(exit(&mut service.process).await);
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
    assert!(!service.log().contains("panicked") && !service.log().contains("ERROR"), "{}", service.log());
}

#[tokio::test]
async fn a_process_that_still_waits_for_svc_kms_ends_when_it_is_asked_to() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (mut place, _kms) = Place::with_kms().await;
    place.set("SVC_KMS__START_TIMEOUT_SECS", "300");
    let process = place.start(&[], "serve");
    // As the first process of a container it would not be ended by a signal that it does not handle.
    eventually("it listens for SIGTERM", || async { handles(&process, SIGTERM) }).await;
    let address = SocketAddr::from(([127, 0, 0, 1], place.port));
    let mut service = Service { process, address, log: place.folder.path().join("serve.err") };
    service.terminate();
    assert!(exit(&mut service.process).await, "{}", service.log());
}

/// What operators are told about the processes that run.
pub async fn running(place: &Place) -> Vec<Process> {
    let db = Db::open(&place.database.url, &PoolSettings::default()).unwrap();
    processes::running(&mut db.read_system().await.unwrap(), SystemClock.now()).await.unwrap()
}

#[tokio::test]
async fn a_process_is_listed_as_long_as_it_runs() {
    let place = Place::populated().await;
    let mut service = place.serve().await;
    eventually("it is listed", || async { running(&place).await.len() == 1 }).await;
    assert_eq!(running(&place).await[0].plane, "all");
    service.terminate();
    assert!(exit(&mut service.process).await, "{}", service.log());
    assert_eq!(running(&place).await, []);
}
