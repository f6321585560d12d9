//! Names in comments and code.

use std::collections::BTreeSet;

use syn::Item;

use super::tree;

/// The names that a module takes from other packages, each with its path.
pub fn imported(items: &[Item]) -> Vec<(String, String)> {
    let own = ["std", "crate", "self", "super"];
    let uses = items.iter().filter_map(|item| match item {
        Item::Use(import) => Some(tree::leaves(&import.tree)),
        _ => None,
    });
    let foreign = uses.flatten().filter(|(path, name)| !own.contains(&&*path[0]) && name != "_");
    foreign.map(|(path, name)| (name, path.join("::"))).collect()
}

/// The names in code, without its comments.
pub fn words(code: &str) -> BTreeSet<String> {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    lines.flat_map(|line| line.split(move |letter| !is_part(letter))).map(str::to_owned).collect()
}

/// A line of a comment, in which what rustdoc would link is code alone.
pub fn unlinked(line: &str) -> String {
    let mut parts = line.split("[`");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("`]").unwrap_or_else(|| panic!("no link ends in: {line}"));
        plain += &match rest.strip_prefix('(').and_then(|target| target.split_once(')')) {
            Some((target, _)) if target.starts_with("http") => format!("[`{name}`]{rest}"),
            Some((_, after)) => format!("`{name}`{after}"),
            None => format!("`{}`{rest}", name.trim_start_matches("crate::")),
        };
    }
    plain
}

#[test]
fn a_link_to_a_name_is_code_and_one_to_an_address_stays() {
    for (line, plain) in [
        ("Their [`crate::Claims`], and [`Error`].", "Their `Claims`, and `Error`."),
        ("The [`id`](Delivery::id) of it.", "The `id` of it."),
        ("See [`http`](https://docs.rs/http).", "See [`http`](https://docs.rs/http)."),
        ("`a[0]` of it", "`a[0]` of it"),
    ] {
        assert_eq!(unlinked(line), plain);
    }
}
