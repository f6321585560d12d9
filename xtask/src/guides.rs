//! The applications of the framework guides and of the first tutorial, as one declarative file: what they say is what their
//! clients are tested with.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Result, launch};

/// The demo tenant with its own choices; the applications of the guides join those of the demo.
const TENANT: &str = "[[tenant]]\nslug = \"demo\"\nname = \"Demo\"\n\
    settings = { registration = true, client_id_metadata_documents = true, accent = \"#3b5bdb\" }\n";

/// Writes the file into a folder.
pub fn write(folder: &Path) -> Result<PathBuf> {
    let mut pages: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(launch::root().join("docs/frameworks"))? {
        pages.push(entry?.path());
    }
    pages.sort();
    let mut seed = TENANT.to_owned();
    let tutorial = fs::read_to_string(launch::root().join("docs/tutorials/first-sign-in.md"))?;
    // Its file begins with the tenant, which is the same one.
    seed.extend(
        blocks(&tutorial)
            .filter_map(|block| block.find("[[tenant.application]]").and_then(|at| block.get(at..))),
    );
    for page in pages {
        for block in blocks(&fs::read_to_string(page)?) {
            seed.push('\n');
            seed.push_str(block);
        }
    }
    let file = folder.join("guides.toml");
    fs::write(&file, seed)?;
    Ok(file)
}

/// The TOML of a page.
fn blocks(page: &str) -> impl Iterator<Item = &str> {
    page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_toml_block_of_a_page_is_taken_and_nothing_else() {
        let page = "# A\n```toml\na = 1\n```\ntext\n```sh\nb\n```\n```toml\nc = 2\n```\n";
        assert_eq!(blocks(page).collect::<Vec<_>>(), ["a = 1\n", "c = 2\n"]);
    }

    #[test]
    fn the_guides_have_an_application_each() {
        let folder = tempfile::tempdir().unwrap();
        let text = fs::read_to_string(write(folder.path()).unwrap()).unwrap();
        for handle in ["django", "go", "nextjs", "passport", "requests-oauthlib", "shop", "spring"] {
            assert!(text.contains(&format!("handle = \"{handle}\"")), "{handle}");
        }
    }
}
