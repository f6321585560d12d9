//! SIGHUP: what a changed configuration changes in a running process, what waits for the next start, and what changes nothing.

use std::net::SocketAddr;

use super::{Place, SIGHUP, Service, eventually, get, handles};

const DISCOVERY: &str = "/.well-known/openid-configuration";

impl Place {
    /// A place whose limit and filter stand in its file.
    async fn with_file(text: &str) -> Self {
        let mut place = Self::populated().await;
        place.set("SVC_SERVER__ENDPOINT_THROTTLE", "");
        place.write("svc.toml", text);
        place
    }
}

impl Service {
    /// Asks for the configuration to be read again, and waits for the line that says the outcome.
    async fn reread(&self) -> String {
        let lines = || self.log().lines().filter(|line| line.contains("SIGHUP")).count();
        let before = lines();
        self.hang_up();
        eventually("the log tells of SIGHUP", || async { lines() > before }).await;
        self.log().lines().rfind(|line| line.contains("SIGHUP")).unwrap().to_owned()
    }

    /// The statuses of so many requests, one after the other.
    async fn statuses(&self, count: usize) -> Vec<u16> {
        let mut statuses = Vec::new();
        for _ in 0..count {
            statuses.push(get(self.address, DISCOVERY).await.unwrap().status);
        }
        statuses
    }
}

#[tokio::test]
async fn limits_and_the_filter_of_the_log_change_while_requests_go_on() {
    let place = Place::with_file("server.endpoint_throttle = 2\n").await;
    let service = place.serve().await;
    assert_eq!(service.statuses(3).await, [200, 200, 429]);
    assert!(!service.log().contains(DISCOVERY), "what is answered is not told at info");
    place.write(
        "svc.toml",
        "server.endpoint_throttle = 1000\ntelemetry.log_filter = \"info,svc::request=debug\"\n\
         jwt.key_rotation_days = 31\n",
    );
    let line = service.reread().await;
    assert!(line.contains("taken=\"server.endpoint_throttle, telemetry.log_filter\""), "{line}");
    assert!(line.contains("needs_restart=\"jwt.key_rotation_days\""), "{line}");
    assert_eq!(service.statuses(3).await, [200, 200, 200]);
    eventually("requests are told", || async { service.log().contains(DISCOVERY) }).await;
}

#[tokio::test]
async fn a_configuration_that_does_not_hold_changes_nothing_and_says_why() {
    let place = Place::with_file("server.endpoint_throttle = 2\n").await;
    let service = place.serve().await;
    assert_eq!(service.statuses(3).await, [200, 200, 429]);
    place.write("svc.toml", "server.endpoint_throttle = 1000\nserver.prot = 1\n");
    let line = service.reread().await;
    assert!(line.contains("ERROR") && line.contains("nothing was taken over"), "{line}");
    assert!(service.log().contains("server.prot: is not a key"), "{}", service.log());
    // It would not start so: a name that is not of this machine needs production mode.
    place.write("svc.toml", "server.endpoint_throttle = 1000\nserver.allowed_hosts = [\"id.example.com\"]\n");
    let line = service.reread().await;
    assert!(line.contains("nothing was taken over"), "{line}");
    assert!(
        service.log().contains("server.allowed_hosts = id.example.com is not local"),
        "{}",
        service.log()
    );
    assert_eq!(service.statuses(1).await, [429]);
}

#[tokio::test]
async fn the_file_that_the_command_named_is_the_one_that_is_read_again() {
    let place = Place::with_file("server.endpoint_throttle = 1000\n").await;
    place.write("other.toml", "server.endpoint_throttle = 2\n");
    let service = place.serve_by(&["--config", "other.toml"]).await;
    assert_eq!(service.statuses(3).await, [200, 200, 429]);
    place.write("other.toml", "server.endpoint_throttle = 500\n");
    let line = service.reread().await;
    assert!(line.contains("taken=\"server.endpoint_throttle\""), "{line}");
    assert_eq!(service.statuses(3).await, [200, 200, 200]);
}

#[tokio::test]
async fn a_process_that_still_waits_for_svc_kms_is_not_ended_by_sighup_and_reads_again_when_it_serves() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (mut place, kms) = Place::with_kms().await;
    place.set("SVC_KMS__START_TIMEOUT_SECS", "300");
    let process = place.start(&[], "serve");
    eventually("it listens for SIGHUP", || async { handles(&process, SIGHUP) }).await;
    let address = SocketAddr::from(([127, 0, 0, 1], place.port));
    let mut service = Service { process, address, log: place.folder.path().join("serve.err") };
    service.hang_up();
    let _sidecar = kms.serve().await;
    service.answers().await;
    let told = "SIGHUP: the configuration was read again";
    eventually("the log tells of SIGHUP", || async { service.log().contains(told) }).await;
}
