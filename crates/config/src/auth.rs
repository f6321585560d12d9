//! `[auth]`, `[captcha]`, `[hibp]`: password hashing, and what slows down abuse.

use super::load::choice::choice;
use super::load::section::section;
use super::load::web::HttpUrl;
use svc_core::{Seconds, Secret};

choice! {
    /// What happens when a check cannot be made.
    FailMode {
        /// The request is refused.
        FailClosed = "fail-closed",
        /// The request goes on.
        FailOpen = "fail-open",
    }
}

choice! {
    /// Whose challenge the pages show.
    CaptchaProvider {
        /// Cloudflare Turnstile.
        Turnstile = "turnstile",
        /// hCaptcha.
        Hcaptcha = "hcaptcha",
        /// Google reCAPTCHA.
        Recaptcha = "recaptcha",
    }
}

section! {
    /// Password hashing (Argon2id, RFC 9106) and the limits on guessing.
    Auth {
        /// Memory of one hash in KiB; production needs 65536 or more.
        argon2_memory_kib: u32 = 65_536, 8..=1_048_576;
        /// Passes over the memory.
        argon2_iterations: u32 = 2, 1..=10;
        /// Lanes; production needs 1.
        argon2_parallelism: u32 = 1, 1..=4;
        /// Hashes computed at the same time; each takes its memory.
        argon2_max_concurrent: u32 = 2, 1..=256;
        /// Wrong passwords for one account before it is locked for a while.
        brute_force_max_attempts: u32 = 5, 1..=100;
        /// How long the lock holds.
        brute_force_lockout_secs: Seconds = Seconds(900), 1..=86_400;
        /// Passwords tried from one address, for any account, within the window.
        password_verify_ip_max_attempts: u32 = 100, 1..=100_000;
        /// That window.
        password_verify_ip_window_secs: Seconds = Seconds(300), 1..=86_400;
        /// Registrations from one address within the window.
        registration_rate_limit_max: u32 = 20, 1..=100_000;
        /// That window.
        registration_rate_limit_window_secs: Seconds = Seconds(3600), 1..=86_400;
    }
}

section! {
    /// A challenge against automated sign-in and registration. Required in production on the auth plane.
    #[mark(Unused)]
    Captcha {
        /// Whether pages ask for it.
        #[mark(Refused)]
        enabled: bool = false;
        /// Whose challenge.
        provider: CaptchaProvider = CaptchaProvider::Turnstile;
        /// Public key of the site.
        site_key: Option<String> = None;
        /// Secret key of the site.
        secret_key: Option<Secret> = None;
        /// Verification endpoint, when it is not the provider's usual one.
        verify_url: Option<HttpUrl> = None;
        /// What happens when the provider cannot be asked.
        fail_mode: FailMode = FailMode::FailClosed;
        /// Time for the answer.
        timeout_secs: Seconds = Seconds(5), 1..=30;
    }
}

section! {
    /// Refuses passwords known from breaches (Have I Been Pwned). Required in production on the auth plane.
    #[mark(Unused)]
    Hibp {
        /// Whether new passwords are looked up; only five characters of their hash leave the service.
        #[mark(Refused)]
        enabled: bool = false;
        /// Where.
        api_url: HttpUrl = HttpUrl::built_in("https://api.pwnedpasswords.com");
        /// What happens when the list cannot be asked.
        fail_mode: FailMode = FailMode::FailClosed;
        /// Time for the answer.
        timeout_secs: Seconds = Seconds(5), 1..=30;
    }
}
