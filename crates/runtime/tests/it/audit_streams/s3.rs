//! Objects in storage: each batch once, under names that sort, whole and signed.

use std::io::Read as _;

use serde_json::{Value, json};

use super::storage::{ACCESS_KEY, REGION, SECRET, Storage};
use super::{Stream, happen, log};
use crate::backchannel_logout::LOOPBACK;
use crate::harness::Harness;

async fn with_storage() -> (Harness, Storage) {
    (Harness::with(&[LOOPBACK]).await, Storage::start().await)
}

fn to(storage: &Storage, changes: &Value) -> Value {
    let mut s3 = json!({
        "endpoint": format!("http://localhost:{}", storage.port), "region": REGION, "bucket": "audit", "prefix": "svc/",
        "access_key_id": ACCESS_KEY,
    });
    for (name, value) in changes.as_object().unwrap() {
        s3[name] = value.clone();
    }
    json!({ "s3": s3 })
}

fn lines(object: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(object).unwrap();
    assert!(text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn entries_are_stored_in_one_object_for_each_interval_whose_name_says_which_they_are() {
    let (h, storage) = with_storage().await;
    let site = h.tenant("main").await;
    let stream = Stream::new(&site, to(&storage, &json!({ "interval_secs": 60 })), Some(SECRET)).await;
    let before = stream.read(&site).await["position"].as_i64().unwrap();
    h.run_jobs().await;
    happen(&site, "one").await;
    h.run_jobs().await;
    assert_eq!(storage.answers(), [200], "the next object has what a minute brings");
    happen(&site, "two").await;
    h.advance(60);
    h.run_jobs().await;
    assert_eq!(storage.answers(), [200, 200]);
    let (objects, all) = (storage.objects(), log(&site, before).await);
    let got: Vec<_> = objects.iter().flat_map(|(_, object)| lines(object)).collect();
    assert_eq!(got, all);
    let first = &lines(&objects[0].1)[0];
    let (tenant, place) = (site.tenant.id, first["position"].as_i64().unwrap());
    let hash = &first["hash"].as_str().unwrap()[..16];
    let expected = format!("audit.localhost/svc/2027/01/15/{tenant}-{place:012}-{place:012}-{hash}.jsonl");
    assert_eq!(objects[0].0, expected);
    assert_eq!(stream.read(&site).await["behind"], 0);
}

#[tokio::test]
async fn an_object_whose_answer_was_lost_is_not_stored_twice() {
    let (h, storage) = with_storage().await;
    let site = h.tenant("main").await;
    let stream = Stream::new(&site, to(&storage, &json!({ "path_style": true })), Some(SECRET)).await;
    storage.shelf.lock().unwrap().is_silent_once = true;
    h.run_jobs().await;
    assert!(stream.read(&site).await["failing_since"].is_string());
    happen(&site, "meanwhile").await;
    h.advance(6);
    h.run_jobs().await;
    assert_eq!(storage.answers(), [200, 412, 200], "what came meanwhile is in an object of its own");
    let objects = storage.objects();
    assert!(objects[0].0.starts_with("localhost/audit/svc/2027/01/15/"), "{}", objects[0].0);
    let got: Vec<_> = objects.iter().flat_map(|(_, object)| lines(object)).collect();
    let places: Vec<_> = got.iter().map(|entry| entry["position"].as_i64().unwrap()).collect();
    assert!(places.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{places:?}");
    assert_eq!(stream.read(&site).await["behind"], 0);
}

#[tokio::test]
async fn an_object_has_entries_of_one_day() {
    let (h, storage) = with_storage().await;
    let site = h.tenant("main").await;
    let stream = Stream::new(&site, to(&storage, &json!({})), Some(SECRET)).await;
    h.advance(86_400);
    happen(&site, "tomorrow").await;
    h.run_jobs().await;
    h.run_jobs().await;
    let objects = storage.objects();
    let days: Vec<_> = objects.iter().map(|(name, _)| &name["audit.localhost/svc/".len()..][..10]).collect();
    assert_eq!(days, ["2027/01/15", "2027/01/16"]);
    assert_eq!(stream.read(&site).await["behind"], 0);
}

#[tokio::test]
async fn objects_are_compressed_where_that_is_wanted_and_storage_without_conditions_is_enough() {
    let (h, storage) = with_storage().await;
    storage.shelf.lock().unwrap().is_simple = true;
    let site = h.tenant("main").await;
    let stream = Stream::new(&site, to(&storage, &json!({ "gzip": true })), Some(SECRET)).await;
    let before = stream.read(&site).await["position"].as_i64().unwrap();
    h.run_jobs().await;
    assert_eq!(storage.answers(), [501, 200]);
    let (name, packed) = storage.objects().remove(0);
    assert!(name.ends_with(".jsonl.gz"), "{name}");
    let mut object = Vec::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut object).unwrap();
    assert_eq!(lines(&object), log(&site, before).await);
}

#[tokio::test]
async fn a_wrong_key_stores_nothing_and_the_stream_says_why() {
    let (h, storage) = with_storage().await;
    let site = h.tenant("main").await;
    let stream = Stream::new(&site, to(&storage, &json!({})), Some("another-key")).await;
    h.run_jobs().await;
    assert_eq!(storage.answers(), [403]);
    assert!(storage.objects().is_empty());
    assert_eq!(stream.read(&site).await["last_error"], "answered 403");
}
