//! The relying party at a tenant's host: which id and origins it has there, and the ceremonies with it (WebAuthn §7.1, §7.2).

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use svc_config::{Config, Passkey as Section, PasskeysOfDomains, UserVerification, WebOrigin};
use svc_core::{AccountId, OrInternal as _, Result, Seconds, Timestamp};
use svc_keys::{base64url, from_hex, hex};
use url::Url;
use webauthn_rs_core::WebauthnCore;
use webauthn_rs_core::proto::{
    AllowCredentials, AttestationFormat, AuthenticatorAttachment, Credential as Kept, ParsedAttestation,
    PublicKeyCredentialHints, RegisterPublicKeyCredential, RegisteredExtensions,
    UserVerificationPolicy as Policy,
};

use super::ceremony::{Answer, Creation, Fault, Pending, Request, Verified, read};
use super::{Created, Passkey, Use, user_handle};

/// Where the model of the authenticator stands in its data (WebAuthn §6.1): behind hash, flags and counter.
const AAGUID: std::ops::Range<usize> = 37..53;

/// The relying party at a host.
pub struct RelyingParty {
    id: String,
    core: WebauthnCore,
    policy: Policy,
    timeout: Seconds,
}

/// Which passkeys may sign (`allowCredentials`), and whether their holder is verified (`userVerification`).
#[derive(Clone, Copy)]
pub enum AllowedPasskeys<'a> {
    /// Any passkey; the answer says whose it is.
    Any,
    /// One of these, with the holder verified.
    Unlocked(&'a [Passkey]),
    /// One of these, without verification: the password was the other factor, and a touch is enough.
    Touched(&'a [Passkey]),
    /// One of these, with the holder verified where the authenticator can do that.
    Held(&'a [Passkey]),
}

/// Whose passkey is made.
pub struct Holder<'a> {
    /// The account.
    pub account: AccountId,
    /// What authenticators show to tell accounts apart: the address or user name.
    pub name: &'a str,
    /// The person's name.
    pub display_name: &'a str,
}

impl RelyingParty {
    /// The relying party of the deployment, where the host belongs to it or shares its passkeys; elsewhere one of the host's own. `None` at a host
    /// that browsers know no passkeys for, such as an IP address.
    pub fn at(config: &Config, origin: &str) -> Option<Self> {
        Self::answered_at(config, origin, |_, _| Vec::new())
    }

    /// The same for the API, which the apps call that share the passkeys: their answers count as well as those of pages. What pages send is
    /// never held against this one.
    pub fn with_apps(config: &Config, origin: &str) -> Option<Self> {
        Self::answered_at(config, origin, origins_of_apps)
    }

    fn answered_at(config: &Config, origin: &str, more: fn(&Section, &str) -> Vec<Url>) -> Option<Self> {
        let (section, url) = (&config.passkey, Url::parse(origin).ok()?);
        let host = url.domain()?;
        let shared = section.shared_rp_id(&config.oidc.issuer_url);
        let is_related = section.related_origins.iter().any(|related| related.as_str() == origin);
        let is_shared = section.custom_domains == PasskeysOfDomains::Shared;
        let id = if covers(&shared, host) || is_related || is_shared { shared } else { host.to_owned() };
        let is_issuer = config.oidc.issuer_url.origin() == origin;
        let visited = section.origin.as_ref().filter(|_| is_issuer).map(WebOrigin::as_str);
        let mut origins = vec![visited.map_or(Some(url.clone()), |visited| Url::parse(visited).ok())?];
        origins.extend(more(section, &id));
        let timeout = config.passkey.timeout_secs;
        let wait = Duration::from_secs(timeout.0.unsigned_abs());
        let core = WebauthnCore::new_unsafe_experts_only(
            &section.rp_name,
            &id,
            origins,
            wait,
            Some(false),
            Some(false),
        );
        let policy = match section.user_verification {
            UserVerification::Required => Policy::Required,
            UserVerification::Preferred => Policy::Preferred,
            UserVerification::Discouraged => Policy::Discouraged_DO_NOT_USE,
        };
        Some(Self { id, core, policy, timeout })
    }

    /// Its id: a passkey works where it is the same.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether a passkey was made for it.
    pub fn knows(&self, passkey: &Passkey) -> bool {
        passkey.rp_id == self.id
    }

    /// Asks for a new passkey, other than those that the person has here. Returns what the browser is given, and what is
    /// remembered.
    pub fn create(
        &self,
        holder: &Holder<'_>,
        purpose: Use,
        (present, now): (&[Passkey], Timestamp),
    ) -> Result<(Value, Creation)> {
        let (is_passkey, handle) = (purpose == Use::Passkey, user_handle(holder.account));
        let name = first_of([holder.name, holder.display_name]);
        let shown = first_of([holder.display_name, name]);
        let excluded = present.iter().filter(|passkey| self.knows(passkey));
        let builder = self.core.new_challenge_register_builder(&handle, name, shown).or_internal()?;
        let builder = builder
            .user_verification_policy(if is_passkey { self.policy } else { Policy::Discouraged_DO_NOT_USE })
            .require_resident_key(is_passkey)
            .exclude_credentials(Some(excluded.map(|passkey| passkey.id.clone()).collect()))
            .hints((!is_passkey).then(|| vec![PublicKeyCredentialHints::SecurityKey]))
            // What browsers that know no hints go by (WebAuthn §5.8.7).
            .authenticator_attachment((!is_passkey).then_some(AuthenticatorAttachment::CrossPlatform));
        let (options, state) = self.core.generate_challenge_register(builder).or_internal()?;
        let challenge = base64url(&options.public_key.challenge);
        Ok((json!(options.public_key), self.pending(state, challenge, (purpose, now))))
    }

    /// The passkey that the browser says was made, if it answers the challenge.
    pub fn created(&self, pending: &Creation, answer: &str) -> std::result::Result<Created, Fault> {
        let answer: RegisterPublicKeyCredential = read(answer).ok_or(Fault::Invalid)?;
        let made = self.core.register_credential(&answer, &pending.state, None)?;
        let passkey = Passkey {
            rp_id: self.id.clone(),
            purpose: pending.purpose,
            is_backup_eligible: made.backup_eligible,
            is_backed_up: made.backup_state,
            aaguid: aaguid(&answer.response.attestation_object),
            transports: made.transports.unwrap_or_default(),
            id: made.cred_id,
            key: made.cred,
            handle: None,
            is_unseen: false,
        };
        Ok(Created { passkey, counter: made.counter, is_unlocked: made.user_verified })
    }

    /// Asks for a signature: of any passkey, or of one of these after something else was proven. Returns what the browser is
    /// given, and what is remembered.
    pub fn request(&self, asked: AllowedPasskeys<'_>, now: Timestamp) -> Result<(Value, Request)> {
        let (purpose, policy, allowed) = match asked {
            AllowedPasskeys::Any => (Use::Passkey, self.policy, None),
            AllowedPasskeys::Unlocked(allowed) => (Use::Passkey, Policy::Required, Some(allowed)),
            AllowedPasskeys::Touched(allowed) => {
                (Use::SecurityKey, Policy::Discouraged_DO_NOT_USE, Some(allowed))
            }
            AllowedPasskeys::Held(allowed) => (Use::SecurityKey, Policy::Preferred, Some(allowed)),
        };
        let builder = self.core.new_challenge_authenticate_builder(Vec::new(), Some(policy)).or_internal()?;
        let (mut options, state) = self.core.generate_challenge_authenticate(builder).or_internal()?;
        let allowed = allowed.into_iter().flatten().filter(|passkey| self.knows(passkey));
        options.public_key.allow_credentials = allowed
            .map(|passkey| AllowCredentials {
                type_: "public-key".to_owned(),
                id: passkey.id.clone(),
                transports: Some(passkey.transports.clone()).filter(|transports| !transports.is_empty()),
            })
            .collect();
        let challenge = base64url(&options.public_key.challenge);
        Ok((json!(options.public_key), self.pending(state, challenge, (purpose, now))))
    }

    /// What a signature of the passkey proves, if it answers the challenge. `counter` is the last one that was seen.
    pub fn verify(
        &self,
        pending: &Request,
        answer: &Answer,
        (passkey, counter): (&Passkey, i64),
    ) -> std::result::Result<Verified, Fault> {
        if !self.knows(passkey) {
            return Err(Fault::Foreign);
        }
        let kept = Kept {
            cred_id: passkey.id.clone(),
            cred: passkey.key.clone(),
            // The library would refuse a counter that went back; that is noted instead (WebAuthn §7.2, step 22).
            counter: 0,
            transports: None,
            user_verified: false,
            backup_eligible: if passkey.is_unseen {
                answer.says_eligible()
            } else {
                passkey.is_backup_eligible
            },
            backup_state: passkey.is_backed_up,
            // Each ceremony says itself what it requires.
            registration_policy: Policy::Discouraged_DO_NOT_USE,
            extensions: RegisteredExtensions::none(),
            attestation: ParsedAttestation::default(),
            attestation_format: AttestationFormat::None,
        };
        let result = self.core.authenticate_single_credential(&answer.0, &pending.state, &kept)?;
        let now = i64::from(result.counter());
        let is_behind = (now > 0 || counter > 0) && now <= counter;
        let passkey = Passkey {
            is_backup_eligible: result.backup_eligible(),
            is_backed_up: result.backup_state(),
            is_unseen: false,
            ..passkey.clone()
        };
        Ok(Verified { is_unlocked: result.user_verified(), counter: result.counter(), is_behind, passkey })
    }

    fn pending<S>(&self, state: S, challenge: String, (purpose, now): (Use, Timestamp)) -> Pending<S> {
        Pending { state, challenge, since: now, until: now + self.timeout, purpose }
    }
}

/// What apps give for their origin: on Android the certificate that they are signed with, and on Apple's systems the relying party, at
/// whichever host of it they call.
fn origins_of_apps(section: &Section, rp_id: &str) -> Vec<Url> {
    let certificates =
        section.android_apps().filter_map(|(_, fingerprint)| from_hex(&fingerprint.replace(':', "")));
    let android = certificates.map(|certificate| format!("android:apk-key-hash:{}", base64url(certificate)));
    let apple = (!section.apple_apps.is_empty()).then(|| format!("https://{rp_id}"));
    android.chain(apple).filter_map(|origin| Url::parse(&origin).ok()).collect()
}

/// Whether a browser lets a page at `host` use this relying party (WebAuthn §5.1.3). A name without a dot covers itself only.
fn covers(rp_id: &str, host: &str) -> bool {
    let is_above = || host.strip_suffix(rp_id).is_some_and(|rest| rest.ends_with('.'));
    host == rp_id || (rp_id.contains('.') && is_above())
}

/// The first of these that says something. People may have neither address nor name, and authenticators show something all the same.
fn first_of(names: [&str; 2]) -> &str {
    names.into_iter().find(|name| !name.is_empty()).unwrap_or("account")
}

#[derive(Deserialize)]
struct AttestationObject {
    #[serde(rename = "authData")]
    auth_data: serde_cbor_2::Value,
}

/// The model of an authenticator; `None` where it does not say.
fn aaguid(attestation_object: &[u8]) -> Option<String> {
    let object: AttestationObject = serde_cbor_2::from_slice(attestation_object).ok()?;
    let serde_cbor_2::Value::Bytes(data) = object.auth_data else { return None };
    let bytes = data.get(AAGUID).filter(|bytes| bytes.iter().any(|byte| *byte != 0))?;
    let hex = hex(bytes);
    let parts = [hex.get(..8)?, hex.get(8..12)?, hex.get(12..16)?, hex.get(16..20)?, hex.get(20..)?];
    Some(parts.join("-"))
}
