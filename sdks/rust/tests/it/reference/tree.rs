//! The modules of the package and what `lib.rs` makes public of them.

use std::path::{Path, PathBuf};

use syn::{Attribute, Ident, Item, ItemImpl, ItemUse, Type, UseTree, Visibility};

/// A file of the package.
pub struct Module {
    name: String,
    pub attrs: Vec<Attribute>,
    pub items: Vec<Item>,
    below: Vec<Self>,
}

/// A name that users of the package can write, after `svc_sdk::`.
pub struct Export<'a> {
    pub name: String,
    pub item: &'a Item,
    pub module: &'a Module,
    /// The imports that lead to it.
    pub uses: Vec<&'a ItemUse>,
}

impl Module {
    /// The package, from its `lib.rs` on.
    pub fn read() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        Self::at("crate", &folder.join("lib.rs"), &folder)
    }

    /// `folder` has the files of the modules below.
    fn at(name: &str, file: &Path, folder: &Path) -> Self {
        let text = std::fs::read_to_string(file).unwrap();
        let parsed = syn::parse_file(&text).unwrap();
        let child = |item: &Item| match item {
            Item::Mod(module) if module.content.is_none() => {
                let (name, folder) = (module.ident.to_string(), folder.join(module.ident.to_string()));
                let files: [PathBuf; 2] = [folder.with_extension("rs"), folder.join("mod.rs")];
                let file =
                    files.iter().find(|file| file.exists()).unwrap_or_else(|| panic!("{name} has no file"));
                Some(Self::at(&name, file, &folder))
            }
            _ => None,
        };
        let below = parsed.items.iter().filter_map(child).collect();
        Self { name: name.to_owned(), attrs: parsed.attrs, items: parsed.items, below }
    }

    /// What is public here, in the order of the file.
    pub fn exports(&self) -> Vec<Export<'_>> {
        let mut all = Vec::new();
        for item in &self.items {
            match item {
                Item::Use(import) if is_public(&import.vis) => {
                    // A crate that is handed on whole has a reference of its own.
                    for (path, name) in leaves(&import.tree).into_iter().filter(|(path, _)| path.len() > 1) {
                        let mut export = self.find(&path);
                        export.uses.push(import);
                        all.push(Export { name, ..export });
                    }
                }
                Item::Mod(module) if is_public(&module.vis) => {
                    let below = self.child(&module.ident.to_string()).exports();
                    let named = |one: &Export<'_>| format!("{}::{}", module.ident, one.name);
                    all.extend(below.into_iter().map(|one| Export { name: named(&one), ..one }));
                }
                _ if vis(item).is_some_and(is_public) => {
                    let name = name(item).unwrap();
                    all.push(Export { name, item, module: self, uses: Vec::new() });
                }
                _ => {}
            }
        }
        all
    }

    /// Every implementation for a type of this name.
    pub fn impls(&self, of: &str) -> Vec<(&Self, &ItemImpl)> {
        let own = self.items.iter().filter_map(|item| match item {
            Item::Impl(one) if is_called(&one.self_ty, of) => Some((self, one)),
            _ => None,
        });
        own.chain(self.below.iter().flat_map(|module| module.impls(of))).collect()
    }

    /// What a path from here leads to.
    fn find(&self, path: &[String]) -> Export<'_> {
        match path {
            [here, rest @ ..] if here == "self" => self.find(rest),
            [name] => {
                let own = self.exports().into_iter().find(|one| one.name == *name);
                own.unwrap_or_else(|| panic!("{} does not export {name}", self.name))
            }
            [module, rest @ ..] => self.child(module).find(rest),
            [] => panic!("an empty path"),
        }
    }

    fn child(&self, name: &str) -> &Self {
        let own = self.below.iter().find(|module| module.name == name);
        own.unwrap_or_else(|| panic!("the reference finds no module {name} in {}", self.name))
    }
}

/// The paths of an import, each with the name that it gets.
pub fn leaves(tree: &UseTree) -> Vec<(Vec<String>, String)> {
    let leaf = |from: &Ident, to: &Ident| vec![(vec![from.to_string()], to.to_string())];
    match tree {
        UseTree::Name(name) => leaf(&name.ident, &name.ident),
        UseTree::Rename(name) => leaf(&name.ident, &name.rename),
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
        UseTree::Path(path) => {
            let below =
                |(rest, name): (Vec<String>, String)| ([vec![path.ident.to_string()], rest].concat(), name);
            leaves(&path.tree).into_iter().map(below).collect()
        }
        UseTree::Glob(_) => panic!("the reference needs imports that name what they bring"),
    }
}

pub fn is_public(vis: &Visibility) -> bool {
    matches!(vis, Visibility::Public(_))
}

pub fn name(item: &Item) -> Option<String> {
    parts(item).map(|(_, _, ident)| ident.to_string())
}

pub fn attrs(item: &Item) -> &[Attribute] {
    parts(item).map_or(&[], |(attrs, _, _)| attrs)
}

fn vis(item: &Item) -> Option<&Visibility> {
    parts(item).map(|(_, vis, _)| vis)
}

/// What items that can be exported have in common.
fn parts(item: &Item) -> Option<(&[Attribute], &Visibility, &Ident)> {
    Some(match item {
        Item::Const(one) => (&one.attrs, &one.vis, &one.ident),
        Item::Enum(one) => (&one.attrs, &one.vis, &one.ident),
        Item::Fn(one) => (&one.attrs, &one.vis, &one.sig.ident),
        Item::Struct(one) => (&one.attrs, &one.vis, &one.ident),
        Item::Trait(one) => (&one.attrs, &one.vis, &one.ident),
        Item::Type(one) => (&one.attrs, &one.vis, &one.ident),
        _ => return None,
    })
}

fn is_called(kind: &Type, name: &str) -> bool {
    matches!(kind, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}
