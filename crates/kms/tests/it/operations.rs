//! What a client asks of a running process, and how it outlives the process.

use std::process::{Command, Stdio};
use std::sync::Arc;

use svc_core::{Actor, Clock as _, Cx, SystemClock, TenantRef};
use svc_keys::jose::{Algorithm, Jws, SigningKey, Typ};
use svc_keys::keyring::Purpose;
use svc_keys::management::Wrapped;
use svc_keys::{KeyManagement as _, KeyUse, SystemEntropy};

use crate::place::{Place, Running, eventually};

const SIGNING: KeyUse = KeyUse { purpose: Purpose::SigningKeys, tenant: None };

pub fn cx() -> Cx {
    Cx {
        now: SystemClock.now(),
        entropy: Arc::new(SystemEntropy),
        actor: Actor::System("test"),
        request_id: "test".to_owned(),
        client_ip: None,
    }
}

#[tokio::test]
async fn keys_are_created_wrapped_unwrapped_and_signed_with() {
    let place = Place::made();
    let _running = place.serve().await;
    let (client, cx) = (place.client().await, cx());
    for &algorithm in Algorithm::SIGNING {
        let made = client.create(SIGNING, algorithm, &cx).await.unwrap();
        let kid = made.key.kid();
        let plain = client.unwrap(SIGNING, kid, &made.wrapped).await.unwrap();
        let key = SigningKey::from_pkcs8(kid, algorithm, &plain).unwrap();
        let token = key.sign(Typ::Jwt, b"{}").unwrap();
        Jws::parse(&token, &[algorithm]).unwrap().verify(made.key.public()).unwrap();
        let with = Wrapped { id: kid, algorithm, key: &made.wrapped };
        let signature = client.sign(SIGNING, with, b"message").await.unwrap();
        if algorithm == Algorithm::EdDsa {
            assert_eq!(signature, made.key.held().unwrap().signature(b"message").unwrap());
        }
        assert!(!client.is_outdated(SIGNING, &made.wrapped, &cx));
    }
}

#[tokio::test]
async fn a_key_opens_for_its_own_id_purpose_and_tenant_only() {
    let place = Place::made();
    let _running = place.serve().await;
    let (client, cx) = (place.client().await, cx());
    let (one, two): (TenantRef, TenantRef) = (cx.id(), cx.id());
    let of = |tenant| KeyUse { purpose: Purpose::TenantKeys, tenant: Some(tenant) };
    let wrapped = client.wrap(of(one), "1", b"secret", &cx).await.unwrap();
    assert_eq!(*client.unwrap(of(one), "1", &wrapped).await.unwrap(), b"secret");
    for (other, id) in [(of(two), "1"), (of(one), "2"), (SIGNING, "1")] {
        let error = client.unwrap(other, id, &wrapped).await.unwrap_err();
        assert!(format!("{error:?}").contains("does not open with keyring version 1"), "{error:?}");
    }
    let codes = [of(one), of(two), SIGNING].map(|of| client.hmac(of, b"message"));
    let [a, b, c] = codes;
    let (a, b, c) = (a.await.unwrap(), b.await.unwrap(), c.await.unwrap());
    assert!(a != b && b != c && a.len() == 32);
    assert_eq!(client.hmac(of(one), b"message").await.unwrap(), a, "the same each time");
}

#[tokio::test]
async fn keys_that_processes_hold_themselves_wrap_nothing_and_the_root_stays() {
    let place = Place::made();
    let _running = place.serve().await;
    let (client, cx) = (place.client().await, cx());
    let of = KeyUse::of_deployment(Purpose::Forms);
    let error = client.wrap(of, "1", b"key", &cx).await.unwrap_err();
    assert!(
        format!("{error:?}").contains("keys of hosted forms are sealed with by their holders"),
        "{error:?}"
    );
    assert!(client.keyring().versions().to_text().is_err(), "the root is not handed out");
    let sealer = client.keyring().sealer(Purpose::Forms);
    let again = place.client().await.keyring().sealer(Purpose::Forms);
    let form = sealer.seal(&["form"], b"plain", &cx).unwrap();
    assert_eq!(again.open(&["form"], &form).unwrap(), b"plain");
}

#[tokio::test]
async fn a_client_outlives_the_process_and_goes_on_with_the_next() {
    let place = Place::made();
    let mut running = place.serve().await;
    let (client, cx) = (place.client().await, cx());
    let wrapped = client.wrap(SIGNING, "kid", b"key", &cx).await.unwrap();
    running.kill();
    let error = client.unwrap(SIGNING, "kid", &wrapped).await.unwrap_err();
    assert_eq!((error.class().status(), error.wait()), (503, Some(1)), "{error:?}");
    let running = place.serve().await;
    eventually("the client has connected again", || async { client.look().await.is_ok() }).await;
    assert_eq!(*client.unwrap(SIGNING, "kid", &wrapped).await.unwrap(), b"key");
    running.pause();
    let error = client.unwrap(SIGNING, "kid", &wrapped).await.unwrap_err();
    assert_eq!(error.class().status(), 503, "a process that hangs: {error:?}");
    running.go_on();
    eventually("it answers again", || async { client.look().await.is_ok() }).await;
}

#[tokio::test]
async fn a_process_that_still_opens_its_file_ends_when_it_is_asked_to() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let place = Place::made();
    // The passphrase comes through a pipe, at which the process waits for it.
    let (passphrase, pipe) = (std::fs::read(place.path("passphrase")).unwrap(), place.path("pipe"));
    assert!(Command::new("mkfifo").args(["-m", "600"]).arg(&pipe).status().unwrap().success());
    let mut command = place.command(&["serve"]);
    command.env("SVC_KMS_PASSPHRASE_FILE", &pipe).stderr(Stdio::null());
    let mut running = Running(command.spawn().unwrap());
    let pid = running.0.id().to_string();
    let handles_sigterm = || {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let handled = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or_default();
        u64::from_str_radix(handled.trim(), 16).is_ok_and(|signals| ((signals >> 14) & 1) == 1)
    };
    eventually("it listens for SIGTERM", || async { handles_sigterm() }).await;
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    std::fs::write(&pipe, passphrase).unwrap();
    assert!(running.0.wait().unwrap().success());
    assert!(!place.file("kms.sock").exists());
}

#[tokio::test]
async fn a_filter_of_the_environment_that_is_empty_hides_nothing() {
    let place = Place::made();
    let path = place.path("log");
    let mut command = place.command(&["serve"]);
    command.env("RUST_LOG", "").stderr(std::fs::File::create(&path).unwrap());
    let _running = Running(command.spawn().unwrap());
    let says = |text: &str| std::fs::read_to_string(&path).unwrap().contains(text);
    eventually("it says that it listens", || async { says("listening") }).await;
}

#[tokio::test]
async fn a_line_of_the_log_is_text_or_a_json_object() {
    let place = Place::made();
    let path = place.path("log");
    for (arguments, is_json) in [(&["serve"][..], false), (&["serve", "--log-format", "json"], true)] {
        let mut command = place.command(arguments);
        command.stderr(std::fs::File::create(&path).unwrap());
        let _running = Running(command.spawn().unwrap());
        let listening = || {
            let log = std::fs::read_to_string(&path).unwrap();
            log.lines().find(|line| line.contains("listening")).map(str::to_owned)
        };
        eventually("it says that it listens", || async { listening().is_some() }).await;
        let line = listening().unwrap();
        let Ok(line) = serde_json::from_str::<serde_json::Value>(&line) else {
            assert!(!is_json && line.contains(" listening ") && line.contains(" keys=\"1 "), "{line}");
            continue;
        };
        let keys = line["keys"].as_str().unwrap();
        assert!(is_json && keys.starts_with("1 ") && keys.len() == "1 ".len() + 32, "{line}");
        assert_eq!(line["level"].as_str().zip(line["message"].as_str()), Some(("INFO", "listening")));
    }
}
