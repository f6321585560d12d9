//! The table of sign-in methods is what the methods say of themselves.

use std::fmt::Write as _;

use super::same_part_as_committed;

#[test]
fn the_page_of_sign_in_has_every_method_with_what_it_proves() {
    let mut table = String::from(
        "| `method` | kind | `amr` | alone | begins a sign-in | recovers an account | verifies the user | resists phishing |\n\
         |---|---|---|---|---|---|---|---|",
    );
    let yes = |is: bool| if is { "yes" } else { "no" };
    for method in svc_auth::METHODS {
        let amr: Vec<_> = method.amr.iter().map(|value| format!("`{value}`")).collect();
        let level = method.level().map_or_else(|| "–".to_owned(), |level| format!("`{}`", level.acr()));
        let (factor, is_first) = (method.factor, yes(method.is_first));
        write!(
            table,
            "\n| `{}` | {} | {} | {level} | {is_first} | {} | {} | {} |",
            method.id,
            factor.label(),
            amr.join(", "),
            yes(method.recovers),
            yes(factor.verifies_user()),
            yes(factor.resists_phishing()),
        )
        .unwrap();
    }
    same_part_as_committed("sign-in.md", "methods", &table);
}
