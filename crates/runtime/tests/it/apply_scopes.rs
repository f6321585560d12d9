//! `svc-runtime apply` of an API with scopes that roles permit.

use svc_runtime::apply::{Mode, Unlisted};

use crate::apply::{apply_by, apply_text, changed};
use crate::harness::Harness;

const PRUNE: Mode = Mode { dry_run: false, unlisted: Unlisted::Removed, keeps_secrets: false };

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
    apply_by(&h, &file(one, ""), PRUNE).await.unwrap();
}

#[tokio::test]
async fn an_api_that_is_pruned_keeps_the_roles_that_its_scopes_name() {
    let h = Harness::new().await;
    let roles = "[[tenant.role]]\nname = \"reader\"\n[[tenant.role]]\nname = \"writer\"\n";
    let whole = file("{ name = \"notes:read\", roles = [\"reader\"] }", roles);
    apply_text(&h, &whole).await.unwrap();
    let (tenant, _) = whole.split_once("[[tenant.api]]").unwrap();
    let told = apply_text(&h, tenant).await.unwrap();
    assert_eq!(changed(&told), ["Unlisted api https://notes.example", "Unlisted role writer"], "{told}");
    let pruned = apply_by(&h, tenant, PRUNE).await.unwrap();
    assert_eq!(changed(&pruned), ["Pruned api https://notes.example", "Pruned role writer"], "{pruned}");
    assert_eq!(changed(&apply_by(&h, tenant, PRUNE).await.unwrap()), Vec::<String>::new());

    // What the file mentions again is what it was.
    h.advance(1);
    let outcome = apply_text(&h, &whole).await.unwrap();
    assert_eq!(changed(&outcome), ["Updated api https://notes.example", "Created role writer"], "{outcome}");
    let open = file("{ name = \"notes:read\" }", "");
    let gone = apply_by(&h, &open, PRUNE).await.unwrap();
    let gone_with_it = ["Updated api https://notes.example", "Pruned role reader", "Pruned role writer"];
    assert_eq!(changed(&gone), gone_with_it, "{gone}");
}
