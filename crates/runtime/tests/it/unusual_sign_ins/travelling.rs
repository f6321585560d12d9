//! Places too far apart to travel between, by a database of addresses of the deployment.

use super::mmdb::database;
use super::{ELSEWHERE, HOME, RATED, World, signals};
use crate::harness::Harness;

/// London, and Sydney.
const CITIES: [super::mmdb::Located; 2] =
    [([203, 0, 113], 51.51, -0.13, 50), ([198, 51, 100], -33.87, 151.21, 50)];

async fn service(folder: &tempfile::TempDir) -> Harness {
    let path = folder.path().join("city.mmdb");
    std::fs::write(&path, database("Test-City", &CITIES)).unwrap();
    let path = path.to_str().unwrap();
    Harness::with(&[RATED[0], RATED[1], ("SVC_ADAPTIVE_MFA__IP_DATABASE_PATH", path)]).await
}

#[tokio::test]
async fn a_sign_in_from_the_other_side_of_the_earth_within_hours_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let h = service(&folder).await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    let _ = world.enter(&mut browser, HOME).await;
    h.advance(2 * 3600);
    let _ = world.enter(&mut world.site.browser(), ELSEWHERE).await;
    let history = world.history().await;
    assert_eq!(signals(&history[0]), ["new_device", "new_network", "impossible_travel"], "{history:?}");
    assert_eq!(history[0]["score"], 85);
    let about = &history[0]["reasons"][2]["about"];
    assert!(about.as_str().unwrap().contains("too far away"), "{about}");
    assert!(!history[0].to_string().contains("151.21"), "places are not kept");
}

#[tokio::test]
async fn a_flight_later_or_in_a_known_browser_or_from_an_unknown_network_it_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let h = service(&folder).await;
    let world = World::new(&h).await;
    let mut browser = world.at_home(1).await;
    let _ = world.enter(&mut world.site.browser(), ELSEWHERE).await;
    assert_eq!(signals(&world.history().await[0]), ["new_device", "new_network"]);
    h.advance(3600);
    browser.cookies.retain(|name, _| !name.contains("session"));
    let _ = world.enter(&mut browser, HOME).await;
    let known = world.history().await;
    assert!(!signals(&known[0]).contains(&"impossible_travel"), "{known:?}");
    h.advance(60);
    let _ = world.enter(&mut world.site.browser(), "192.0.2.77").await;
    let unknown = world.history().await;
    assert!(!signals(&unknown[0]).contains(&"impossible_travel"), "{unknown:?}");
}

#[tokio::test]
async fn a_replaced_database_counts_when_it_is_read_again_and_a_broken_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let h = service(&folder).await;
    let path = folder.path().join("city.mmdb");
    let place = || h.app().places.of("198.51.100.0/24").map(|place| place.latitude);
    assert_eq!(place(), Some(-33.87));
    std::fs::write(&path, database("Test-City", &[([198, 51, 100], 1.0, 2.0, 5)])).unwrap();
    h.app().places.reload();
    assert_eq!(place(), Some(1.0));
    for broken in [b"broken".to_vec(), database("Test-ASN", &CITIES)] {
        std::fs::write(&path, broken).unwrap();
        h.app().places.reload();
        assert_eq!(place(), Some(1.0));
    }
}
