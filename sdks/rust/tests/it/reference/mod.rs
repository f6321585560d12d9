//! docs/reference/packages/rust.md is made from the package's comments; `SVC_REWRITE_DOCS=1` writes it.

mod code;
mod names;
mod tree;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use syn::{Attribute, Expr, ExprLit, ImplItem, Item, ItemImpl, ItemUse, Lit, Meta};

use self::tree::Module;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/packages/rust.md");

#[test]
fn the_reference_is_what_the_comments_say() {
    let page = page(&Module::read());
    if std::env::var_os("SVC_REWRITE_DOCS").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    let written = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert!(written == page, "SVC_REWRITE_DOCS=1 cargo test --test it reference writes {PAGE}");
}

fn page(root: &Module) -> String {
    let mut page = Page { root, text: String::new(), foreign: BTreeSet::new() };
    page.text = format!(
        "# svc-sdk\n\n{}Every name that the package exports, made from its comments. [How it is used](../../packages/rust.md).\n",
        prose(&root.attrs)
    );
    for export in root.exports() {
        page.item(&export);
    }
    page.text += "\n## Names of other packages\n\n| in the code above | is |\n|---|---|\n";
    for (name, path) in &page.foreign {
        writeln!(page.text, "| `{name}` | `{path}` |").unwrap();
    }
    page.text
}

struct Page<'a> {
    root: &'a Module,
    text: String,
    /// What the code of the page calls by a name that its module imports.
    foreign: BTreeSet<(String, String)>,
}

impl Page<'_> {
    fn item(&mut self, export: &tree::Export<'_>) {
        let (kind, mut code) = code::item(export.item);
        let name = &export.name;
        let own = tree::name(export.item).unwrap();
        let impls: Vec<(&Module, &ItemImpl)> = self.root.impls(&own);
        for (module, one) in impls.iter().filter(|(_, one)| one.trait_.is_some() && code::is_generic(one)) {
            let head = code::head(one);
            self.note(module, &head);
            code = format!("{code}\n\n{head}");
        }
        self.note(export.module, &code);
        let needs = export.uses.iter().filter_map(|one| feature(one));
        let needs: String =
            needs.map(|feature| format!("It comes with the feature `{feature}`.\n\n")).collect();
        let text = prose(tree::attrs(export.item)) + &needs + &implements(export.item, &impls);
        self.section(&format!("## {kind} {name}"), &text, &code);
        for (module, one) in impls.iter().filter(|(_, one)| one.trait_.is_none()) {
            self.methods(name, module, one);
        }
    }

    fn methods(&mut self, owner: &str, module: &Module, one: &ItemImpl) {
        for item in &one.items {
            let method = match item {
                ImplItem::Fn(method) if tree::is_public(&method.vis) => method,
                ImplItem::Const(constant) if tree::is_public(&constant.vis) => {
                    panic!("{owner}::{}: the reference knows no constants of types yet", constant.ident)
                }
                _ => continue,
            };
            let code = code::method(one, method);
            self.note(module, &code);
            self.section(&format!("### fn {owner}::{}", method.sig.ident), &prose(&method.attrs), &code);
        }
    }

    fn section(&mut self, heading: &str, text: &str, code: &str) {
        write!(self.text, "\n{heading}\n\n{text}```rust\n{code}\n```\n").unwrap();
    }

    fn note(&mut self, module: &Module, code: &str) {
        let imported = names::imported(&module.items);
        let words = names::words(code);
        let used = imported.into_iter().filter(|(name, _)| words.contains(name));
        self.foreign.extend(used);
    }
}

/// The comment as Markdown, whose headings stand below that of what it is about.
fn prose(attrs: &[Attribute]) -> String {
    let mut in_code = false;
    let line = |line: String| {
        in_code ^= line.starts_with("```");
        if line.starts_with('#') && !in_code {
            format!("#### {}", line.trim_start_matches(['#', ' ']))
        } else {
            line
        }
    };
    let lines: Vec<String> = comment(attrs).into_iter().map(line).collect();
    if lines.is_empty() { String::new() } else { format!("{}\n\n", lines.join("\n")) }
}

/// The lines of a comment, in which names that rustdoc would link are code alone.
fn comment(attrs: &[Attribute]) -> Vec<String> {
    let line = |attr: &Attribute| match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => panic!("a comment is a text"),
        },
        _ => None,
    };
    let lines = attrs.iter().filter_map(line);
    lines.map(|line| names::unlinked(line.strip_prefix(' ').unwrap_or(&line))).collect()
}

/// The feature without which a name is not exported.
fn feature(import: &ItemUse) -> Option<String> {
    let condition = import.attrs.iter().find(|attr| attr.path().is_ident("cfg"))?;
    let Meta::List(list) = &condition.meta else { panic!("a condition is a list") };
    let said = list.tokens.to_string();
    let name = said.strip_prefix("feature = ").unwrap_or_else(|| panic!("{said} is no feature"));
    Some(name.trim_matches('"').to_owned())
}

/// A sentence of the traits whose implementation has no parameters of its own.
fn implements(item: &Item, impls: &[(&Module, &ItemImpl)]) -> String {
    let mut all = BTreeSet::new();
    for attr in tree::attrs(item).iter().filter(|attr| attr.path().is_ident("derive")) {
        attr.parse_nested_meta(|one| {
            all.insert(code::of(&one.path));
            Ok(())
        })
        .unwrap();
    }
    for (_, one) in impls.iter().filter(|(_, one)| !code::is_generic(one)) {
        let path = one.trait_.as_ref().map(|(path, _)| code::of(path));
        all.extend(path.map(|path| path.trim_start_matches("fmt::").to_owned()));
    }
    let all: Vec<String> = all.into_iter().map(|one| format!("`{one}`")).collect();
    if all.is_empty() { String::new() } else { format!("Implements {}.\n\n", all.join(", ")) }
}
