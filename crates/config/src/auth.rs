//! `[auth]`, `[captcha]`, `[hibp]`: password hashing, and what slows down abuse.

use std::path::PathBuf;

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
        /// None: the browser works for a moment, which a script of ours has it do.
        ProofOfWork = "proof_of_work",
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
    /// A challenge against automated registration, recovery and guessing. Required in production on the auth plane.
    Captcha {
        /// Whether pages ask for it: registration and recovery always, sign-in after some wrong passwords.
        enabled: bool = false;
        /// Whose challenge.
        provider: CaptchaProvider = CaptchaProvider::ProofOfWork;
        /// Public key of the site, for a provider elsewhere.
        site_key: Option<String> = None;
        /// Secret key of the site; for the provider `proof_of_work` a random text of 32 characters or more, the same on every node.
        secret_key: Option<Secret> = None;
        /// Wrong passwords from one address within `auth.password_verify_ip_window_secs` before sign-in asks for it.
        after_wrong_passwords: u32 = 3, 0..=1000;
        /// How hard the provider `proof_of_work` is: 2 to this power is how many digests a browser computes on average.
        proof_of_work_bits: u32 = 17, 8..=24;
        /// Verification endpoint, when it is not the provider's usual one: https in production, unless it is on this machine.
        verify_url: Option<HttpUrl> = None;
        /// What happens when the provider cannot be asked.
        fail_mode: FailMode = FailMode::FailClosed;
        /// Time for the answer.
        timeout_secs: Seconds = Seconds(5), 1..=30;
    }
}

section! {
    /// Refuses passwords known from breaches (Have I Been Pwned). Required in production on the auth plane.
    Hibp {
        /// Whether new passwords are looked up, in the list or at the API.
        enabled: bool = false;
        /// A list on this machine, made by `svc-runtime hibp import`. With it the API is not asked.
        list_path: Option<PathBuf> = None;
        /// The range API, which learns five of the forty characters of a password's SHA-1 digest.
        api_url: HttpUrl = HttpUrl::built_in("https://api.pwnedpasswords.com");
        /// What happens when neither can be asked.
        fail_mode: FailMode = FailMode::FailClosed;
        /// Time for the answer.
        timeout_secs: Seconds = Seconds(5), 1..=30;
    }
}
