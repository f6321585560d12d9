//! A tenant's name, logo, colours, typeface and texts, with companions of enough contrast (WCAG 2.2 §1.4.3, §1.4.11).

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use svc_core::Error;
use svc_domain::organizations::Look;
use svc_domain::tenancy::branding::{self, ROUNDEST};
use svc_domain::tenancy::tenants::Tenant;

use super::own::Own;
use super::{fonts, text};

/// What a tenant may change in the look of its pages and mails.
#[derive(Clone, Debug)]
pub struct Branding {
    name: String,
    logo_url: Option<String>,
    accent: Colour,
    policy_url: Option<String>,
    tos_url: Option<String>,
    radius: Option<u32>,
    font: Option<&'static str>,
    sender_name: Option<String>,
    own: Own,
}

/// Longest tenant name that is shown, in characters.
const LONGEST_NAME: usize = 80;
/// Longest logo address, in bytes; larger pictures belong behind a URL.
const LONGEST_LOGO: usize = 32 * 1024;
/// The roundness of corners of a tenant that has not chosen one, as the stylesheet has it.
const RADIUS: u32 = 10;
/// The accent of a tenant that has not chosen one.
const ACCENT: Colour = Colour([0x2f, 0x5b, 0xd7]);
/// The stylesheet's lightest and darkest surfaces, against which accents must be visible.
const LIGHT_SURFACE: Colour = Colour([0xf4, 0xf5, 0xf8]);
const DARK_SURFACE: Colour = Colour([0x1d, 0x20, 0x28]);
const WHITE: Colour = Colour([0xff, 0xff, 0xff]);
const BLACK: Colour = Colour([0, 0, 0]);
/// Least contrast of text, and of the shape of a control.
const TEXT: f64 = 4.5;
/// Thin light strokes on a dark ground want more than the least.
const DARK_TEXT: f64 = 6.0;
const SHAPE: f64 = 3.0;

impl Branding {
    /// The look of a tenant; refuses an accent that is not `#rrggbb` and a logo that is no picture.
    pub fn new(name: &str, logo_url: Option<&str>, accent: Option<&str>) -> Result<Self, Error> {
        if logo_url.is_some_and(|url| url.len() > LONGEST_LOGO || !text::is_image_url(url)) {
            return Err(Error::invalid_request(
                "logo: give an https address, a path of this host or a data:image URL",
            ));
        }
        Ok(Self {
            name: text::clean(name, LONGEST_NAME),
            logo_url: logo_url.map(str::to_owned),
            accent: accent.map_or(Ok(ACCENT), str::parse)?,
            policy_url: None,
            tos_url: None,
            radius: None,
            font: None,
            sender_name: None,
            own: Own::default(),
        })
    }

    /// The look of a tenant, or of one of its organizations. What was chosen is checked where it is stored; a page must come out
    /// all the same, so that what it cannot have is left out.
    pub fn of(tenant: &Tenant, look: Option<&Look>) -> Result<Self, Error> {
        let texts = look.map(|look| Arc::clone(&look.texts)).into_iter().chain([Arc::clone(&tenant.texts)]);
        let own = look.map(|look| look.branding.clone()).unwrap_or_default();
        Self::made(&tenant.name, own.over(tenant.settings.branding()), Own::new(texts))
    }

    /// A look as it is chosen, with texts of its own.
    pub(crate) fn made(name: &str, chosen: branding::Branding, own: Own) -> Result<Self, Error> {
        let branding::Branding { accent, logo_uri, policy_uri, tos_uri, radius, font, sender_name } = chosen;
        let web = |url: Option<String>| url.filter(|url| text::is_web_url(url));
        let shown = Self::new(name, logo_uri.as_deref(), accent.as_deref());
        Ok(Self {
            policy_url: web(policy_uri),
            tos_url: web(tos_uri),
            radius: radius.filter(|radius| *radius <= ROUNDEST),
            font: font.as_deref().and_then(fonts::stack),
            sender_name,
            own,
            ..shown.or_else(|_| Self::new(name, None, None))?
        })
    }

    /// The texts that stand above the catalogues.
    pub(super) fn own(&self) -> &Own {
        &self.own
    }

    /// The name from which mails come, if it is not the deployment's.
    pub fn sender_name(&self) -> Option<&str> {
        self.sender_name.as_deref()
    }

    /// The roundness of corners, in pixels.
    pub(super) fn radius(&self) -> u32 {
        self.radius.unwrap_or(RADIUS)
    }

    /// The typefaces to try in turn.
    pub(super) fn font(&self) -> &'static str {
        self.font.unwrap_or(fonts::SYSTEM)
    }

    /// The address of the tenant's privacy policy.
    pub(super) fn policy_url(&self) -> Option<&str> {
        self.policy_url.as_deref()
    }

    /// The address of the tenant's terms of service.
    pub(super) fn tos_url(&self) -> Option<&str> {
        self.tos_url.as_deref()
    }

    /// The tenant's name as pages show it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The address of the tenant's logo.
    pub fn logo_url(&self) -> Option<&str> {
        self.logo_url.as_deref()
    }

    /// The letter that stands in for a missing logo.
    pub(super) fn monogram(&self) -> String {
        self.name
            .chars()
            .find(|c| c.is_alphanumeric())
            .map_or_else(String::new, |c| c.to_uppercase().collect())
    }

    /// The accent and the text colour upon it, for mails.
    pub(super) fn button(&self) -> (String, String) {
        (self.accent.to_string(), self.accent.text_upon().to_string())
    }

    /// The CSS variables of the page: nothing but validated colours goes in.
    pub(super) fn css(&self) -> String {
        let accent = self.accent;
        let scheme = |surface, text| {
            let (ink, edge) = (accent.visible_on(surface, text), accent.visible_on(surface, SHAPE));
            format!("--accent-ink:{ink};--accent-edge:{edge}")
        };
        let radius = self.radius.map(|radius| format!("--radius:{radius}px;")).unwrap_or_default();
        let font = self.font.map(|font| format!("--font:{font};")).unwrap_or_default();
        format!(
            ":root{{{radius}{font}--accent:{accent};--on-accent:{};{}}}@media(prefers-color-scheme:dark){{:root{{{}}}}}",
            accent.text_upon(),
            scheme(LIGHT_SURFACE, TEXT),
            scheme(DARK_SURFACE, DARK_TEXT),
        )
    }
}

/// An opaque sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Colour([u8; 3]);

impl Colour {
    /// White where it can be read upon this colour, else black: one of them always can.
    fn text_upon(self) -> Self {
        if self.contrast(WHITE) >= TEXT { WHITE } else { BLACK }
    }

    /// The nearest shade that stands out from `surface`.
    fn visible_on(self, surface: Self, least: f64) -> Self {
        let towards = if surface.luminance() > 0.5 { BLACK } else { WHITE };
        (0..=100)
            .map(|percent| self.mix(towards, percent))
            .find(|c| c.contrast(surface) >= least)
            .unwrap_or(towards)
    }

    fn mix(self, other: Self, percent: u16) -> Self {
        let mut mixed = self;
        for (part, towards) in mixed.0.iter_mut().zip(other.0) {
            let value = (u16::from(*part) * (100 - percent) + u16::from(towards) * percent) / 100;
            *part = u8::try_from(value).unwrap_or(u8::MAX);
        }
        mixed
    }

    fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// WCAG relative luminance.
    fn luminance(self) -> f64 {
        let [r, g, b] = self.0.map(|value| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }
}

impl FromStr for Colour {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let digits =
            text.strip_prefix('#').filter(|hex| hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let value = digits.and_then(|hex| u32::from_str_radix(hex, 16).ok());
        let [_, r, g, b] =
            value.ok_or_else(|| Error::invalid_request("accent: write it as #rrggbb"))?.to_be_bytes();
        Ok(Self([r, g, b]))
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_accent_gets_readable_companions() {
        for step in 0..4096_u32 {
            let channel = |shift: u32| u8::try_from((step >> shift & 15) * 17).unwrap();
            let accent = Colour([channel(8), channel(4), channel(0)]);
            assert!(accent.contrast(accent.text_upon()) >= TEXT, "{accent}");
            for surface in [LIGHT_SURFACE, DARK_SURFACE] {
                assert!(accent.visible_on(surface, TEXT).contrast(surface) >= TEXT, "{accent}");
                assert!(accent.visible_on(surface, SHAPE).contrast(surface) >= SHAPE, "{accent}");
            }
        }
    }

    #[test]
    fn an_accent_cannot_carry_css() {
        for bad in ["red", "#fff", "#12345g", "#123456;}body{", "＃123456", "#+12345", ""] {
            assert!(Branding::new("Acme", None, Some(bad)).is_err(), "{bad}");
        }
        assert!(Branding::new("Acme", None, Some("#A1b2C3")).unwrap().css().contains("--accent:#a1b2c3;"));
    }

    #[test]
    fn what_is_stored_and_cannot_be_shown_is_left_out() {
        let chosen = branding::Branding {
            accent: Some("#123456;}body{".to_owned()),
            logo_uri: Some("javascript:alert(1)".to_owned()),
            policy_uri: Some("javascript:alert(1)".to_owned()),
            radius: Some(10_000),
            font: Some("serif;}body{".to_owned()),
            ..branding::Branding::default()
        };
        let shown = Branding::made("Acme", chosen, Own::default()).unwrap();
        let plain = Branding::new("Acme", None, None).unwrap();
        assert_eq!((shown.css(), shown.logo_url(), shown.policy_url()), (plain.css(), None, None));
        let chosen = branding::Branding {
            radius: Some(0),
            font: Some("serif".to_owned()),
            ..branding::Branding::default()
        };
        let css = Branding::made("Acme", chosen, Own::default()).unwrap().css();
        assert!(css.starts_with(":root{--radius:0px;--font:Charter,"), "{css}");
    }

    #[test]
    fn a_logo_is_a_picture() {
        for bad in [
            "javascript:alert(1)",
            "data:text/html,<script>",
            "//evil.example/x.png",
            "http://acme.example/x",
        ] {
            assert!(Branding::new("Acme", Some(bad), None).is_err(), "{bad}");
        }
        assert!(Branding::new("Acme", Some("https://acme.example/logo.svg"), None).is_ok());
    }

    #[test]
    fn the_monogram_is_the_first_letter() {
        assert_eq!(Branding::new("  ßeta Bank", None, None).unwrap().monogram(), "SS");
        assert_eq!(Branding::new("\u{202E}", None, None).unwrap().monogram(), "");
    }
}
