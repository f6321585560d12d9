//! What the widgets of CAPTCHA providers are made of, and where they load from.

use svc_config::CaptchaProvider;

/// What differs between providers.
pub struct Provider {
    /// The script of the widget.
    pub script: &'static str,
    /// The class of the element that the script fills.
    pub class: &'static str,
    /// Where the widget loads from.
    pub sources: &'static [&'static str],
    /// The form's input with the answer.
    pub input: &'static str,
    /// The usual address of the verify call.
    pub verify_url: &'static str,
}

const TURNSTILE: Provider = Provider {
    script: "https://challenges.cloudflare.com/turnstile/v0/api.js",
    class: "cf-turnstile",
    sources: &["https://challenges.cloudflare.com"],
    input: "cf-turnstile-response",
    verify_url: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
};

const HCAPTCHA: Provider = Provider {
    script: "https://js.hcaptcha.com/1/api.js",
    class: "h-captcha",
    sources: &["https://hcaptcha.com", "https://*.hcaptcha.com"],
    input: "h-captcha-response",
    verify_url: "https://api.hcaptcha.com/siteverify",
};

const RECAPTCHA: Provider = Provider {
    script: "https://www.google.com/recaptcha/api.js",
    class: "g-recaptcha",
    sources: &["https://www.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/"],
    input: "g-recaptcha-response",
    verify_url: "https://www.google.com/recaptcha/api/siteverify",
};

impl Provider {
    /// The provider of the configuration; none where the browser works by itself.
    pub fn of(provider: CaptchaProvider) -> Option<&'static Self> {
        match provider {
            CaptchaProvider::ProofOfWork => None,
            CaptchaProvider::Turnstile => Some(&TURNSTILE),
            CaptchaProvider::Hcaptcha => Some(&HCAPTCHA),
            CaptchaProvider::Recaptcha => Some(&RECAPTCHA),
        }
    }
}

/// The origins that a widget loads from (CSP `script-src`, `frame-src`, `style-src`, `connect-src`).
pub fn sources(provider: CaptchaProvider) -> &'static [&'static str] {
    Provider::of(provider).map_or(&[], |provider| provider.sources)
}
