//! Sign-in methods, second factors and sessions, each a section of its own.

use std::path::PathBuf;

use super::load::choice::choice;
use super::load::section::section;
use super::load::web::{HttpUrl, WebOrigin};
use svc_core::Seconds;

choice! {
    /// Whether an authenticator must verify the person (WebAuthn §5.8.6).
    UserVerification {
        /// It must.
        Required = "required",
        /// It should.
        Preferred = "preferred",
        /// It need not.
        Discouraged = "discouraged",
    }
}

choice! {
    /// Which passkeys work at custom domains of tenants.
    PasskeysOfDomains {
        /// Those of the domain.
        Own = "own",
        /// Those of the deployment (WebAuthn §5.11).
        Shared = "shared",
    }
}

section! {
    /// Passkeys: the relying party of WebAuthn.
    Passkey {
        /// Whether passkeys are offered.
        enabled: bool = true;
        /// Relying-party id: the origin's host or a parent domain of it. When not set: the issuer's host. A tenant whose host is
        /// neither this nor under it has passkeys of its own host.
        rp_id: Option<String> = None;
        /// Name that authenticators show.
        rp_name: String = "Sign-in".to_owned();
        /// Origin that browsers visit; must match it exactly. When not set: the issuer's origin.
        origin: Option<WebOrigin> = None;
        /// Whether the authenticator must verify the person.
        user_verification: UserVerification = UserVerification::Required;
        /// Time for one ceremony.
        timeout_secs: Seconds = Seconds(300), 15..=600;
        /// Origins of tenants under other domains where the same passkeys work; `/.well-known/webauthn` names them at the host of `rp_id`.
        related_origins: Vec<WebOrigin> = Vec::new();
        /// Which passkeys work at custom domains of tenants: `own`, those of the domain itself; or `shared`, those of `rp_id`, in browsers
        /// that know related origins, and then `/.well-known/webauthn` names all custom domains.
        custom_domains: PasskeysOfDomains = PasskeysOfDomains::Own;
        /// Android apps that share the passkeys, each its package name, = and the SHA-256 fingerprint of its certificate.
        android_apps: Vec<String> = Vec::new();
        /// Apple apps that share the passkeys: app ids, such as ABCDE12345.com.example.app.
        apple_apps: Vec<String> = Vec::new();
    }
}

impl Passkey {
    /// The relying party of the deployment.
    pub fn shared_rp_id(&self, issuer: &HttpUrl) -> String {
        self.rp_id.clone().unwrap_or_else(|| issuer.host())
    }

    /// The Android apps: package name, and the fingerprints of the certificate.
    pub fn android_apps(&self) -> impl Iterator<Item = (&str, &str)> {
        self.android_apps.iter().filter_map(|app| app.split_once('='))
    }
}

section! {
    /// Sign-in by a code sent by mail.
    EmailOtp {
        /// Whether it is offered.
        enabled: bool = false;
        /// Whether people who may register themselves may do so by a code, without a password.
        registration_enabled: bool = true;
        /// Digits of a code.
        code_length: u32 = 6, 6..=10;
        /// Life of a code.
        lifetime_secs: Seconds = Seconds(300), 60..=900;
        /// Wrong codes before it is spent.
        max_attempts: u32 = 5, 1..=10;
    }
}

section! {
    /// Sign-in and second factor by a code sent by text message.
    Sms {
        /// Whether it is offered.
        enabled: bool = false;
        /// Digits of a code.
        code_length: u32 = 6, 6..=10;
        /// Life of a code.
        lifetime_secs: Seconds = Seconds(300), 60..=900;
        /// Wrong codes before it is spent.
        max_attempts: u32 = 5, 1..=10;
        /// Messages to one number in an hour.
        max_per_hour: u32 = 5, 1..=100;
    }
}

section! {
    /// Sign-in by a link sent by mail.
    MagicLink {
        /// Whether it is offered.
        enabled: bool = false;
        /// Life of a link.
        lifetime_secs: Seconds = Seconds(900), 60..=3600;
    }
}

section! {
    /// Accounts of guests: people who have not said who they are, and may keep the account by doing so later.
    Anonymous {
        /// Whether people may go on as guests.
        enabled: bool = false;
        /// Days until a guest that is not used any more is deleted.
        lifetime_days: u32 = 30, 1..=365;
    }
}

section! {
    /// Second factors: one-time codes of an app (RFC 6238) and backup codes.
    TwoFactor {
        /// Whether people may set one up.
        enabled: bool = true;
        /// Whether every sign-in needs a second factor. A tenant can demand it for its own by `second_factor_required`.
        required: bool = false;
        /// Name that authenticator apps show. When not set: the name of the tenant.
        issuer_name: Option<String> = None;
        /// Steps of 30 seconds by which a clock may differ.
        totp_skew_steps: u32 = 1, 0..=2;
        /// Backup codes made at once.
        backup_code_count: u32 = 10, 5..=20;
        /// Days for which a browser is not asked again; 0 asks each time.
        trusted_device_days: u32 = 0, 0..=90;
    }
}

section! {
    /// Asks for a second factor when a sign-in looks unusual.
    AdaptiveMfa {
        /// Whether sign-ins are rated, and people notified of those from new devices.
        enabled: bool = false;
        /// Rating from which a second factor is asked for; a tenant may choose another.
        step_up_score: u32 = 50, 1..=100;
        /// Rating from which the sign-in is refused; a tenant may choose another.
        block_score: u32 = 90, 1..=100;
        /// Database of the places of addresses (`.mmdb`, with cities), for travel that is impossible.
        ip_database_path: Option<PathBuf> = None;
    }
}

section! {
    /// Support staff who act for people, at tenants that want it.
    Impersonation {
        /// The longest time in minutes; a tenant may allow less.
        max_minutes: u32 = 60, 1..=60;
    }
}

section! {
    /// Challenge-response sign-in of agents with their keys.
    #[mark(Unused)]
    Challenge {
        /// Whether it is offered.
        enabled: bool = true;
        /// Life of a challenge.
        lifetime_secs: Seconds = Seconds(60), 10..=600;
    }
}

section! {
    /// The session of a person with the hosted pages.
    SessionCookie {
        /// Name of the cookie; over https it gets the prefix __Host-.
        name: String = "svc_session".to_owned();
        /// A session unused for this long ends.
        idle_lifetime_secs: Seconds = Seconds(1_209_600), 300..=7_776_000;
        /// Every session ends after this time.
        absolute_lifetime_secs: Seconds = Seconds(2_592_000), 300..=31_536_000;
        /// How many accounts may be signed in in one browser at a tenant; with 1 every sign-in ends the one before.
        accounts_per_browser: u32 = 8, 1..=16;
    }
}

section! {
    /// What people may do without an administrator.
    UserSelfService {
        /// Whether people may register themselves.
        registration_enabled: bool = true;
        /// Whether a forgotten password can be replaced: by a mailed link, or by what else the account has proven and people can
        /// sign in with here: a passkey, a phone number, an account at another provider.
        recovery_enabled: bool = true;
        /// Whether people may delete their account.
        deletion_enabled: bool = true;
        /// For how many days a person may keep the account that is to be deleted.
        deletion_grace_days: u32 = 14, 1..=90;
        /// Whether people may choose guardians who recover their account together.
        social_recovery_enabled: bool = false;
        /// Fewest hours from the last confirmation that is needed to the new password; people and tenants may wait longer.
        social_recovery_min_wait_hours: u32 = 24, 1..=720;
        /// Hours that people begin with.
        social_recovery_wait_hours: u32 = 48, 1..=720;
        /// For how many days a case waits for guardians, and then for the new password.
        social_recovery_lifetime_days: u32 = 7, 1..=30;
    }
}
