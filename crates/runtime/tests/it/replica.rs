//! A read replica answers what may lag, and the primary answers without it.

use std::time::{Duration, Instant};

use svc_http::Method;
use svc_testkit::cluster::{Cluster, Copied};
use svc_testkit::replica::Replica;

use crate::harness::database::postgres_url;
use crate::harness::{Harness, Site};

/// The newest entries of the audit log.
async fn audited(site: &Site<'_>) -> String {
    let token = site.mint(|_| ());
    site.call(Method::GET, "/api/v1/audit?limit=10", Some(&token), None).await.expect(200).body
}

#[tokio::test]
async fn the_audit_log_is_read_from_the_replica_and_from_the_primary_when_it_is_gone() {
    let Some(original) = postgres_url() else { return };
    let first = Harness::in_one_process(&[]).await;
    let site = first.tenant("main").await;
    // A primary of its own: what other tests write would have to be taken in first.
    let primary = Cluster::copy_of(&original, Copied::Apart).await;
    let mut replica = Replica::of(&primary.instead_of(&original)).await;
    let replica_url = replica.url(first.database());
    let h = first.moved_to(&primary, &[("SVC_DATABASE__REPLICA_URL", &replica_url)]).await;
    let site = Site { harness: &h, ..site };
    replica.pause(&original).await;
    let ada = site.user("ada").await.id.to_string();
    // What was written after the pause is not there yet: so it is the replica that answers.
    assert!(!audited(&site).await.contains(&ada));
    replica.resume(&original).await;
    let resumed = Instant::now();
    while !audited(&site).await.contains(&ada) {
        assert!(resumed.elapsed() < Duration::from_mins(1), "the replica does not go on");
    }
    replica.kill();
    let grace = site.user("grace").await.id.to_string();
    let log = audited(&site).await;
    assert!(log.contains(&ada) && log.contains(&grace), "{log}");
}
