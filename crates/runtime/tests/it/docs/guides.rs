//! The framework guides: every application and API that they show is taken as it stands.

use std::collections::BTreeSet;

use super::root;
use crate::apply::apply_text;
use crate::harness::Harness;

/// The TOML of every guide, by the name of its page.
fn guides() -> Vec<(String, String)> {
    let folder = std::fs::read_dir(root("docs/frameworks")).unwrap();
    let pages = folder.map(|entry| entry.unwrap().path());
    let guide = |page: std::path::PathBuf| {
        let text = std::fs::read_to_string(&page).unwrap();
        let blocks: Vec<_> =
            text.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
        (page.file_stem().unwrap().to_string_lossy().into_owned(), blocks.join("\n"))
    };
    pages.map(guide).filter(|(_, toml)| !toml.is_empty()).collect()
}

#[tokio::test]
async fn the_applications_of_every_guide_can_be_applied() {
    let h = Harness::new().await;
    let guides = guides();
    let names: BTreeSet<_> = guides.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.is_superset(&["django", "go", "mcp", "nextjs", "spring"].into()), "{names:?}");
    for (name, toml) in &guides {
        let file = format!("[[tenant]]\nslug = \"guides\"\nname = \"Guides\"\n{toml}");
        let outcome = apply_text(&h, &file).await;
        assert!(outcome.is_ok(), "{name}: {outcome:?}");
    }
}
