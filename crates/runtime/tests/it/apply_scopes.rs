//! `svc-runtime apply` of an API with scopes that roles permit.

use svc_runtime::apply::{Mode, Unlisted};

use crate::apply::{apply_by, apply_text};
use crate::harness::Harness;

const READER: &str = "[[tenant.role]]\nname = \"reader\"\n\
    permissions = [{ api = \"https://notes.example\", scopes = [\"notes:read\"] }]\n";

fn file(scopes: &str, roles: &str) -> String {
    format!(
        "[[tenant]]\nslug = \"acme\"\nname = \"Acme\"\n\n[[tenant.api]]\nidentifier = \"https://notes.example\"\n\
         scopes = [{scopes}]\nname = \"Notes\"\n\n{roles}"
    )
}

#[tokio::test]
async fn a_scope_stays_in_its_api_while_a_role_outside_the_file_permits_it() {
    let h = Harness::new().await;
    let (both, one) = ("{ name = \"notes:read\" }, { name = \"notes:write\" }", "{ name = \"notes:write\" }");
    apply_text(&h, &file(both, READER)).await.unwrap();
    let refused = apply_text(&h, &file(one, "")).await.unwrap_err();
    assert_eq!(
        refused,
        "line 7: tenant \"acme\": api \"https://notes.example\": scopes: the role \"reader\" permits notes:read; change that role first"
    );
    assert!(apply_text(&h, &file(both, READER)).await.unwrap().is_unchanged(), "nothing was written");
    apply_text(&h, &file(one, "[[tenant.role]]\nname = \"reader\"\n")).await.unwrap();

    apply_text(&h, &file(both, READER)).await.unwrap();
    let prune = Mode { unlisted: Unlisted::Removed, ..Mode::default() };
    apply_by(&h, &file(one, ""), prune).await.unwrap();
}
