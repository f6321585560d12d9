//! The order inside a crate: its folders are wings that may only look down, and no file imports itself by a detour.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The wings of `svc-auth` from the bottom up, and which of the wings below each may use.
const AUTH: &[(&str, &[&str])] = &[
    ("pages", &[]),
    ("hosted", &["pages"]),
    ("register", &[]),
    ("clients", &["register"]),
    ("authorize", &["pages", "hosted", "register", "clients"]),
    ("token", &["register", "clients", "authorize"]),
    ("signin", &["pages", "hosted", "register", "clients", "authorize"]),
    ("account", &["pages", "hosted", "authorize", "signin"]),
    ("elsewhere", &["pages", "hosted", "clients", "authorize", "token", "signin"]),
    ("proxy", &["hosted", "authorize", "token"]),
    ("metadata", &["pages", "hosted", "register", "clients", "authorize", "token", "signin", "elsewhere"]),
];

/// The source files of a crate by module path, and the files that each imports from.
struct Sources {
    files: BTreeMap<Vec<String>, String>,
    imports: BTreeMap<Vec<String>, BTreeSet<Vec<String>>>,
}

impl Sources {
    fn of(package: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package).join("src");
        let mut files = BTreeMap::new();
        for path in source_files(&root) {
            let text = std::fs::read_to_string(&path).unwrap();
            files.insert(module_of(path.strip_prefix(&root).unwrap()), code(&text));
        }
        let mut sources = Self { files, imports: BTreeMap::new() };
        sources.imports = sources
            .files
            .iter()
            .map(|(module, text)| (module.clone(), sources.imported(module, text)))
            .collect();
        sources
    }

    /// The modules whose files hold what `text` names by path.
    fn imported(&self, module: &[String], text: &str) -> BTreeSet<Vec<String>> {
        let starts = |at: usize| !text[..at].ends_with(|before: char| is_word(before) || before == ':');
        let mut found = BTreeSet::new();
        for (at, _) in text.match_indices("::").filter(|(at, _)| *at > 0) {
            let head = text[..at].rsplit(|c| !is_word(c)).next().unwrap();
            let child: Vec<String> = module.iter().cloned().chain([head.to_owned()]).collect();
            let is_ours = matches!(head, "crate" | "super" | "self") || self.files.contains_key(&child);
            if is_ours && starts(at - head.len()) {
                let mut paths = Vec::new();
                expand(&text[at - head.len()..], Vec::new(), &mut paths);
                found.extend(paths.iter().filter_map(|path| self.resolved(module, path)));
            }
        }
        found.remove(module);
        found
    }

    /// The deepest module file on the way of `path`, as it reads in `module`.
    fn resolved(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let mut at = module.to_vec();
        let mut segments = path.iter().peekable();
        if segments.next_if(|head| *head == "crate").is_some() {
            at.clear();
        } else {
            segments.next_if(|head| *head == "self");
            while segments.next_if(|head| *head == "super").is_some() {
                at.pop();
            }
        }
        for segment in segments {
            at.push(segment.clone());
            if !self.files.contains_key(&at) {
                at.pop();
                break;
            }
        }
        self.files.contains_key(&at).then_some(at)
    }

    /// Some way from a file back to itself, if there is one.
    fn circle(&self) -> Option<String> {
        let mut done = BTreeSet::new();
        self.files.keys().find_map(|module| self.circle_from(module, &mut Vec::new(), &mut done))
    }

    fn circle_from(
        &self,
        module: &Vec<String>,
        way: &mut Vec<Vec<String>>,
        done: &mut BTreeSet<Vec<String>>,
    ) -> Option<String> {
        if let Some(first) = way.iter().position(|passed| passed == module) {
            let names = way[first..].iter().chain([module]).map(|passed| passed.join("::"));
            return Some(names.collect::<Vec<_>>().join(" → "));
        }
        if !done.contains(module) {
            way.push(module.clone());
            let found = self.imports[module].iter().find_map(|next| self.circle_from(next, way, done));
            way.pop();
            done.insert(module.clone());
            return found;
        }
        None
    }
}

/// The sources without the files that only tests are built from.
fn source_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_stem().unwrap();
        if name == "tests" || name == "fixtures" {
            continue;
        }
        if path.is_dir() {
            files.extend(source_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// `token/grants/mod.rs` is the module `token::grants`; `lib.rs` is the root.
fn module_of(path: &Path) -> Vec<String> {
    let mut parts: Vec<_> =
        path.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    parts.pop_if(|last| *last == "mod" || *last == "lib");
    parts
}

/// The text without comments and without the unit tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Every path of a (possibly braced) path expression.
fn expand(text: &str, mut before: Vec<String>, paths: &mut Vec<Vec<String>>) {
    let mut rest = text.trim_start();
    loop {
        let word: String = rest.chars().take_while(|c| is_word(*c)).collect();
        if word.is_empty() {
            break;
        }
        rest = &rest[word.len()..];
        before.push(word);
        match rest.strip_prefix("::") {
            Some(after) if after.starts_with('{') => {
                for branch in branches(after) {
                    expand(branch, before.clone(), paths);
                }
                return;
            }
            Some(after) => rest = after,
            None => break,
        }
    }
    paths.push(before);
}

/// The parts between the commas of a braced list.
fn branches(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 1, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            parts.push(&text[start..at]);
            break;
        }
    }
    parts
}

#[test]
fn the_wings_of_the_auth_plane_only_look_down() {
    let sources = Sources::of("auth");
    let on_disk: BTreeSet<_> =
        sources.files.keys().filter_map(|module| module.first()).map(String::as_str).collect();
    assert_eq!(AUTH.iter().map(|(wing, _)| *wing).collect::<BTreeSet<_>>(), on_disk);
    for (index, (wing, allowed)) in AUTH.iter().enumerate() {
        let is_below = |name: &&str| AUTH[..index].iter().any(|(below, _)| below == name);
        assert!(allowed.iter().all(is_below), "{wing} may use a wing that is not below it");
    }
    let mut faults = Vec::new();
    for (module, imports) in &sources.imports {
        let Some(wing) = module.first() else { continue };
        let (_, allowed) = AUTH.iter().find(|(known, _)| known == wing).unwrap();
        for import in imports.iter().filter(|import| import.first() != Some(wing)) {
            let is_allowed = import.first().is_some_and(|other| allowed.contains(&other.as_str()));
            if !is_allowed {
                faults.push(format!("{} must not use {}", module.join("::"), import.join("::")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_file_of_the_auth_plane_imports_itself_by_a_detour() {
    assert_eq!(Sources::of("auth").circle(), None);
}

#[test]
fn the_scan_reads_paths_as_the_compiler_does() {
    let mut paths = Vec::new();
    expand("crate::{a::{B, c::D}, e as f, g}; x::y", Vec::new(), &mut paths);
    let paths: Vec<_> = paths.iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["crate::a::B", "crate::a::c::D", "crate::e", "crate::g"]);
    let sources = Sources::of("auth");
    let imports = |module: &str| {
        let found = &sources.imports[&module.split("::").map(str::to_owned).collect::<Vec<_>>()];
        found.iter().map(|import| import.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(imports("token::grants::device_code"), ["token::grant", "token::grants::polled"]);
    assert!(imports("token").contains(&"token::grants".to_owned()));
}
