//! `svc-runtime apply` after the keys of a tenant were destroyed: what the file gives is sealed again.

use svc_domain::tenancy::tenants::find_by_slug;
use svc_runtime::apply::Verb;

use crate::apply::apply_text;
use crate::harness::Harness;
use crate::oauth_security::keys_of_tenants::destroy;

const FILE: &str = r#"
[[tenant]]
slug = "acme"
name = "Acme"

[[tenant.user]]
username = "grace"
email = "grace@acme.example"

[[tenant.organization]]
slug = "initech"
name = "Initech"
owner = "grace"

[[tenant.webhook]]
url = "https://receiver.example/events"
event_types = ["auth.*"]
secret = "5f0c8a7be2d94c61b3e7a8f4c0d1927ee4a6b8d2f90c1735ab6d4e8f70913c2b"

[[tenant.hook]]
point = "pre_token"
url = "https://receiver.example/hook"
on_failure = "deny"
secret = "5f0c8a7be2d94c61b3e7a8f4c0d1927ee4a6b8d2f90c1735ab6d4e8f70913c2b"

[[tenant.connector]]
name = "github"
preset = "github"
client_id = "svc"
client_secret = "a-secret-that-github-made"
enabled = true

[[tenant.sso_connection]]
organization = "initech"
issuer = "https://login.initech.example"
display_name = "Initech"
client_id = "svc"
client_secret = "a-secret-that-initech-made"
enabled = true

[[tenant.audit_stream]]
name = "Security"
destination = { webhook = { url = "https://receiver.example/audit" } }
secret = "5f0c8a7be2d94c61b3e7a8f4c0d1927ee4a6b8d2f90c1735ab6d4e8f70913c2b"

[[tenant.scim_target]]
name = "Wiki"
base_url = "https://wiki.example/scim/v2"
secret = "token-of-the-wiki"
people = { everyone = true }
"#;

#[tokio::test]
async fn what_has_a_secret_gets_it_again_from_the_file_where_the_keys_of_the_tenant_were_destroyed() {
    let h = Harness::new().await;
    apply_text(&h, FILE).await.unwrap();
    let mut system = h.app().db.read_system().await.unwrap();
    let tenant = find_by_slug(&mut system, "acme").await.unwrap().unwrap();
    drop(system);
    assert!(destroy(&h, tenant).await >= 1);
    h.advance(60);
    let again = apply_text(&h, FILE).await.unwrap();
    let records = again.records().iter().filter(|record| record.verb == Verb::Updated);
    let mut kinds: Vec<_> = records.map(|record| record.kind).collect();
    kinds.sort_unstable();
    let with_secrets = ["audit_stream", "connector", "hook", "scim_target", "sso_connection", "webhook"];
    assert_eq!(kinds, with_secrets, "{again}");
    h.advance(60);
    let last = apply_text(&h, FILE).await.unwrap();
    assert!(last.is_unchanged(), "{last}");
}
