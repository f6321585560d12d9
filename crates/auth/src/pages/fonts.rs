//! The typefaces that a tenant can choose: stacks of what devices have, so that no page loads one.

/// What the stylesheet has.
pub const SYSTEM: &str =
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',Arial,sans-serif";

/// By the names that settings have.
const STACKS: [(&str, &str); 6] = [
    ("system", SYSTEM),
    ("humanist", "Seravek,'Gill Sans Nova',Ubuntu,Calibri,'DejaVu Sans',sans-serif"),
    ("geometric", "Avenir,Montserrat,Corbel,'URW Gothic',sans-serif"),
    (
        "rounded",
        "ui-rounded,'Hiragino Maru Gothic ProN',Quicksand,Comfortaa,Manjari,'Arial Rounded MT Bold',Calibri,sans-serif",
    ),
    ("serif", "Charter,'Bitstream Charter','Sitka Text',Cambria,'Noto Serif',serif"),
    (
        "monospace",
        "ui-monospace,'Cascadia Code','Source Code Pro',Menlo,Consolas,'DejaVu Sans Mono',monospace",
    ),
];

/// The typefaces to try in turn, by the name of the choice.
pub fn stack(name: &str) -> Option<&'static str> {
    STACKS.iter().find(|(known, _)| *known == name).map(|(_, stack)| *stack)
}

#[cfg(test)]
mod tests {
    use svc_domain::tenancy::branding::FONTS;

    use super::*;

    #[test]
    fn every_choice_is_a_list_of_names() {
        assert!(FONTS.iter().all(|font| stack(font).is_some()));
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | ',' | '\'');
        assert!(STACKS.iter().all(|(_, stack)| stack.chars().all(fits)));
    }
}
