//! Typed, time-ordered identifiers: a prefix and a `UUIDv7` (RFC 9562 §5.7) in Crockford base32.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Entropy, Error, Timestamp};

/// What an identifier names; the prefix shows which record an id belongs to.
pub trait Kind {
    /// The text before the underscore, for example `app`.
    const PREFIX: &'static str;
}

/// An identifier of one kind of record, for example `app_01jd3x…`.
pub struct Id<K>(u128, PhantomData<fn() -> K>);

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const DIGITS: usize = 26;
/// The length in bytes of an id with the longest prefix, which has five letters.
const LONGEST: usize = 5 + 1 + DIGITS;
/// How many of the first digits hold the time.
const DIGITS_OF_TIME: usize = 10;
/// The largest time, in milliseconds: it has 48 bits.
const LATEST_MILLIS: u128 = 0xFFFF_FFFF_FFFF;

impl<K: Kind> Id<K> {
    /// A fresh id: 48 bits of milliseconds, then 74 random bits.
    pub fn new(now: Timestamp, entropy: &dyn Entropy) -> Self {
        let mut random = [0; 16];
        entropy.fill(&mut random);
        let millis = u128::from(now.as_millis().unsigned_abs()) & LATEST_MILLIS;
        let bits = (millis << 80) | (u128::from_be_bytes(random) >> 48);
        let versioned = (bits & !(0xF << 76)) | (0x7 << 76);
        Self((versioned & !(0x3 << 62)) | (0x2 << 62), PhantomData)
    }

    /// When it was made, to the millisecond.
    pub fn made_at(&self) -> Timestamp {
        let millis = i64::try_from(self.0 >> 80).unwrap_or_default();
        Timestamp::from_micros(millis.saturating_mul(1_000))
    }

    /// The text that every id of this millisecond begins with. It sorts before all of them, and after every earlier id.
    pub fn beginning(time: Timestamp) -> String {
        let millis = u128::try_from(time.as_millis()).unwrap_or_default().min(LATEST_MILLIS);
        let mut text = Self(millis << 80, PhantomData).to_string();
        text.truncate(K::PREFIX.len() + 1 + DIGITS_OF_TIME);
        text
    }
}

impl<K: Kind> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Written in one piece, so that a text grows once: a request writes some fifteen of them.
        let mut text = [b'_'; LONGEST];
        let mut bits = self.0;
        for digit in text.iter_mut().rev().take(DIGITS) {
            let value = usize::try_from(bits & 31).unwrap_or_default();
            *digit = ALPHABET.get(value).copied().unwrap_or(b'0');
            bits >>= 5;
        }
        let end = LONGEST - DIGITS - 1;
        let start = end.checked_sub(K::PREFIX.len()).ok_or(fmt::Error)?;
        text.get_mut(start..end).ok_or(fmt::Error)?.copy_from_slice(K::PREFIX.as_bytes());
        f.write_str(std::str::from_utf8(text.get(start..).unwrap_or_default()).map_err(|_| fmt::Error)?)
    }
}

impl<K: Kind> FromStr for Id<K> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::unknown_id();
        let digits =
            text.strip_prefix(K::PREFIX).and_then(|rest| rest.strip_prefix('_')).ok_or_else(unknown)?;
        if digits.len() != DIGITS || digits.as_bytes().first().is_none_or(|first| *first > b'7') {
            return Err(unknown());
        }
        let mut bits = 0u128;
        for byte in digits.bytes() {
            bits = (bits << 5) | u128::from(value(byte).ok_or_else(unknown)?);
        }
        Ok(Self(bits, PhantomData))
    }
}

/// The value of a digit. Computed, not searched for in the alphabet, because every request reads several ids.
fn value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'h' => Some(digit - b'a' + 10),
        b'j' | b'k' => Some(digit - b'j' + 18),
        b'm' | b'n' => Some(digit - b'm' + 20),
        b'p'..=b't' => Some(digit - b'p' + 22),
        b'v'..=b'z' => Some(digit - b'v' + 27),
        _ => None,
    }
}

impl<K: Kind> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<K: Kind> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, K: Kind> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?.parse::<Self>();
        id.map_err(|_| {
            <D::Error as serde::de::Error>::custom(format!(
                "expected an id that begins with `{}_`",
                K::PREFIX
            ))
        })
    }
}

// Derives would demand the same traits of the marker type.
impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Id<K> {}
impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<K> Eq for Id<K> {}
impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}
impl<K> Hash for Id<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident / $kind:ident = $prefix:literal;)*) => {
        $(
            #[doc(hidden)]
            pub enum $kind {}
            impl Kind for $kind {
                const PREFIX: &'static str = $prefix;
            }
            $(#[$doc])*
            pub type $name = Id<$kind>;
        )*

        /// The prefix of the ids of the type with this name.
        pub(crate) fn prefix(type_name: &str) -> Option<&'static str> {
            match type_name {
                $(stringify!($name) => Some($prefix),)*
                _ => None,
            }
        }
    };
}

ids! {
    /// A tenant as a caller names it; not yet a proof of anything (see [`crate::TenantId`]).
    TenantRef / TenantKind = "tnt";
    /// A person with credentials, known to the whole deployment.
    AccountId / AccountKind = "acc";
    /// A person's membership in one tenant.
    TenantUserId / TenantUserKind = "usr";
    /// What a person proves themselves with besides the password.
    CredentialId / CredentialKind = "crd";
    /// An OAuth application; its text form is the `client_id`.
    AppId / AppKind = "app";
    /// A protected API (resource server).
    ApiId / ApiKind = "api";
    /// A role of a tenant.
    RoleId / RoleKind = "rol";
    /// A group of a tenant's people.
    GroupId / GroupKind = "grp";
    /// A provider of an organization, through which its people sign in.
    SsoConnectionId / SsoConnectionKind = "sso";
    /// A provider of a tenant, at which its people sign in.
    ConnectorId / ConnectorKind = "cnr";
    /// A customer of a tenant.
    OrganizationId / OrganizationKind = "org";
    /// A domain that an organization claims.
    OrganizationDomainId / OrganizationDomainKind = "dom";
    /// A domain that a tenant wants to answer at.
    CustomDomainId / CustomDomainKind = "cdm";
    /// An invitation to an organization.
    OrganizationInvitationId / OrganizationInvitationKind = "inv";
    /// What tenants of a kind may use, and how much of it.
    PlanId / PlanKind = "pln";
    /// A process of the deployment.
    ProcessId / ProcessKind = "prc";
    /// A policy document.
    PolicyId / PolicyKind = "pol";
    /// A decision of policies that was written down.
    PolicyDecisionId / PolicyDecisionKind = "pdc";
    /// A browser session of one person at one tenant; its text form is the `sid` claim.
    SessionId / SessionKind = "ses";
    /// An attempt to sign in, in a person's own history.
    LoginId / LoginKind = "lgn";
    /// A person whom another trusts to say who they are.
    GuardianId / GuardianKind = "grd";
    /// An account that its guardians are asked to recover.
    RecoveryCaseId / RecoveryCaseKind = "rcv";
    /// Support staff who act for a person.
    ImpersonationId / ImpersonationKind = "act";
    /// An import of people from another system.
    ImportId / ImportKind = "imp";
    /// A remembered consent.
    ConsentId / ConsentKind = "con";
    /// A family of refresh tokens that one authorization started.
    FamilyId / FamilyKind = "rtf";
    /// An entry of the audit log.
    AuditId / AuditKind = "aud";
    /// An event, stable over deliveries.
    EventId / EventKind = "evt";
    /// An outgoing message.
    MailId / MailKind = "mel";
    /// An outgoing text message.
    TextId / TextKind = "txt";
    /// One message on its way to a receiver.
    DeliveryId / DeliveryKind = "dlv";
    /// A subscription to events.
    WebhookId / WebhookKind = "whk";
    /// Where the audit log of a tenant is sent.
    AuditStreamId / AuditStreamKind = "aus";
    /// A receiver that is asked before something happens.
    HookId / HookKind = "hok";
    /// A WebAssembly module that hooks name.
    HookModuleId / HookModuleKind = "hkm";
    /// A version of a document that people accept.
    TermsId / TermsKind = "trm";
    /// A field that a tenant asks people to fill in.
    SignUpFieldId / SignUpFieldKind = "suf";
    /// A person's permission for an application to act for them.
    DelegationId / DelegationKind = "dlg";
    /// An issuer whose assertions a tenant trusts.
    TrustedIssuerId / TrustedIssuerKind = "tis";
    /// A key of the management API.
    ApiKeyId / ApiKeyKind = "apk";
    /// A token with which the directory of an organization provisions people (RFC 7644).
    ScimTokenId / ScimTokenKind = "sct";
    /// A group of the directory of an organization (RFC 7643 §4.2).
    ScimGroupId / ScimGroupKind = "scg";
    /// A schema extension that a tenant declares for its provisioned people (RFC 7643 §7).
    ScimSchemaId / ScimSchemaKind = "scs";
    /// An application to which a tenant's people are pushed (RFC 7644).
    ScimTargetId / ScimTargetKind = "sca";
    /// An initial access token of the registration endpoint.
    RegistrationTokenId / RegistrationTokenKind = "rgt";
    /// A device code (RFC 8628).
    DeviceCodeId / DeviceCodeKind = "dvc";
    /// A backchannel authentication request (OpenID CIBA).
    CibaRequestId / CibaRequestKind = "cib";
    /// An event stream of a receiver of signals (OpenID SSF).
    StreamId / StreamKind = "ssf";
    /// A security event token; its text form is the `jti` (RFC 8417).
    SetId / SetKind = "set";
    /// One HTTP request.
    RequestId / RequestKind = "req";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeededEntropy;

    #[test]
    fn an_id_survives_its_text_form() {
        let id = AppId::new(Timestamp::from_secs(1_700_000_000), &SeededEntropy::new(1));
        let text = id.to_string();
        assert_eq!(text.len(), "app_".len() + DIGITS);
        assert_eq!(text.parse::<AppId>().unwrap(), id);
    }

    #[test]
    fn the_text_of_an_id_begins_with_its_prefix_and_ends_with_its_lowest_bits() {
        let text = |bits: u128| Id::<AppKind>(bits, PhantomData).to_string();
        assert_eq!(text(0), "app_00000000000000000000000000");
        assert_eq!(text(33), "app_00000000000000000000000011");
        assert_eq!(text(u128::MAX), "app_7zzzzzzzzzzzzzzzzzzzzzzzzz");
    }

    #[test]
    fn every_digit_is_read_as_it_is_written_and_no_other_byte_is_one() {
        for byte in 0..=u8::MAX {
            let place = ALPHABET.iter().position(|digit| *digit == byte);
            assert_eq!(value(byte).map(usize::from), place, "{byte}");
        }
    }

    #[test]
    fn an_id_says_when_it_was_made() {
        for micros in [0, 1_800_000_000_123_000] {
            let at = Timestamp::from_micros(micros + 999);
            let id: AppId = Id::new(at, &SeededEntropy::new(1));
            assert_eq!(id.made_at(), Timestamp::from_micros(micros));
        }
    }

    #[test]
    fn later_ids_sort_after_earlier_ones() {
        let entropy = SeededEntropy::new(2);
        let early = AppId::new(Timestamp::from_secs(1), &entropy);
        let late = AppId::new(Timestamp::from_secs(2), &entropy);
        assert!(early < late && early.to_string() < late.to_string());
    }

    #[test]
    fn the_beginning_of_a_millisecond_is_below_its_ids_and_above_all_earlier_ones() {
        let entropy = SeededEntropy::new(4);
        for millis in [1, 31, 32, 1_023, 1_700_000_000_000, 0xFFFF_FFFF_FFFF] {
            let id =
                |millis: i64| AppId::new(Timestamp::from_micros(millis * 1_000 + 999), &entropy).to_string();
            let beginning = AppId::beginning(Timestamp::from_micros(millis * 1_000));
            assert!(id(millis).starts_with(&beginning), "{millis}");
            assert!(id(millis) > beginning && id(millis - 1) < beginning, "{millis}");
        }
        assert_eq!(AppId::beginning(Timestamp::from_secs(-1)), "app_0000000000");
        assert_eq!(AppId::beginning(Timestamp::from_micros(i64::MAX)), "app_7zzzzzzzzz");
    }

    #[test]
    fn another_kinds_id_and_any_mutilation_is_unknown() {
        let text = AppId::new(Timestamp::from_secs(3), &SeededEntropy::new(3)).to_string();
        assert!(text.parse::<SessionId>().is_err());
        assert!(text.to_uppercase().parse::<AppId>().is_err());
        assert!(text[..text.len() - 1].parse::<AppId>().is_err());
        assert!(format!("{text}0").parse::<AppId>().is_err());
        assert!("app_zzzzzzzzzzzzzzzzzzzzzzzzzz".parse::<AppId>().is_err());
    }
}
