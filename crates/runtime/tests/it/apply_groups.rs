//! `svc-runtime apply` of groups that are in one another.

use crate::apply::{apply_text, changed};
use crate::harness::Harness;

fn file(groups: [(&str, &str); 2]) -> String {
    let tables =
        groups.map(|(name, inside)| format!("[[tenant.group]]\nname = \"{name}\"\ngroups = [{inside}]\n"));
    format!("[[tenant]]\nslug = \"acme\"\nname = \"Acme\"\n{}", tables.concat())
}

#[tokio::test]
async fn a_file_turns_two_groups_round_in_whatever_order_it_has_them() {
    let h = Harness::new().await;
    let (above, below) = (("Staff", "\"Editors\""), ("Editors", ""));
    let (raised, lowered) = (("Editors", "\"Staff\""), ("Staff", ""));
    apply_text(&h, &file([above, below])).await.unwrap();
    for groups in [[raised, lowered], [below, above], [lowered, raised], [above, below]] {
        h.advance(1);
        let outcome = apply_text(&h, &file(groups)).await.unwrap();
        let mut turned = changed(&outcome);
        turned.sort();
        assert_eq!(turned, ["Updated group Editors", "Updated group Staff"], "{groups:?}");
        let told = outcome.to_string();
        assert!(told.contains("groups: [] → [\"") && told.contains("\"] → []"), "{told}");
        assert!(apply_text(&h, &file(groups)).await.unwrap().is_unchanged(), "{groups:?}");
    }
}

#[tokio::test]
async fn groups_that_would_be_in_themselves_are_refused_at_their_line() {
    let h = Harness::new().await;
    let refused =
        apply_text(&h, &file([("Staff", "\"Editors\""), ("Editors", "\"Staff\"")])).await.unwrap_err();
    assert_eq!(refused, "line 7: tenant \"acme\": group \"Editors\": the group would be in itself");
}
