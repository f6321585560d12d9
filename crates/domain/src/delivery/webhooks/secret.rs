//! The secret with which the deliveries of a subscription are signed: made here or given, sealed at rest, replaced with an overlap.

use std::collections::BTreeMap;

use svc_core::events::WebhookSecretRotated;
use svc_core::{Cx, Error, Result, TenantRef, Timestamp, WebhookId};
use svc_db::{Tenant, Tx, args, change_sql};
use svc_keys::keyring::Sealer;
use svc_keys::prefixed_token;

use super::subscriptions::Webhook;
use crate::log::{Action, Meaning, change, check_version};
use crate::overlap::Overlap;
use crate::sealed_secret::Place;

/// What a given secret must carry: 32 bytes.
const BITS: f64 = 256.0;
/// What is measured of a random text is less than what it carries, because it is short: of 300,000 none had less than this.
const MEASURED_BITS: f64 = 0.68 * BITS;
const LONGEST: usize = 256;

/// A fresh secret: 32 random bytes.
pub(crate) fn made(cx: &Cx) -> String {
    prefixed_token("svc_whsec_", &*cx.entropy)
}

/// Refuses a given secret that could be guessed: it must have room for 32 bytes of entropy, and not look regular.
pub(crate) fn check(secret: &str) -> Result<()> {
    let is_plain = secret.len() <= LONGEST && secret.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_plain || room(secret) < BITS || measured(secret) < MEASURED_BITS || is_regular(secret.as_bytes()) {
        return Err(Error::bad_request(
            "secret: give at least 32 random bytes, for example as 64 hexadecimal digits or 43 of base64url, at most \
             256 characters; or leave it out, and one is made",
        ));
    }
    Ok(())
}

/// How many bits a text of these characters can carry.
fn room(secret: &str) -> f64 {
    let is_hex = secret.bytes().all(|byte| byte.is_ascii_hexdigit());
    let of_each = if is_hex { 4.0 } else { 6.0 };
    of_each * size(secret.len())
}

/// How many bits it carries if its characters come by chance as often as they do here.
fn measured(secret: &str) -> f64 {
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    for byte in secret.bytes() {
        *counts.entry(byte).or_default() += 1;
    }
    let length = size(secret.len());
    counts.values().map(|count| size(*count) * (length / size(*count)).log2()).sum()
}

/// Whether it repeats itself, or counts.
fn is_regular(secret: &[u8]) -> bool {
    let repeats = (1..=secret.len() / 2)
        .any(|period| secret.iter().zip(secret.iter().skip(period)).all(|(one, next)| one == next));
    let steps: Vec<_> =
        secret.iter().zip(secret.iter().skip(1)).map(|(one, next)| next.wrapping_sub(*one)).collect();
    let counted = steps.iter().filter(|step| matches!(step, 1 | 255)).count();
    repeats || counted * 2 > steps.len()
}

fn size(length: usize) -> f64 {
    f64::from(u32::try_from(length).unwrap_or(u32::MAX))
}

pub(super) fn place(webhook: (TenantRef, WebhookId)) -> Place {
    Place::of("webhooks", webhook)
}

/// Replaces the secret; the former one signs as well for `overlap`. Returns the new one, and until when that is. `conflict` where
/// receivers may still use the one before, unless both are to end at once.
pub async fn rotate(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    webhook: &Webhook,
    overlap: Overlap,
) -> Result<(String, Option<Timestamp>)> {
    let secret = made(cx);
    let former_expires_at = replace(tx, cx, sealer, webhook, (&secret, overlap)).await?;
    Ok((secret, former_expires_at))
}

/// Whether this is the secret of a subscription. One that does not open, because its key was destroyed, is no longer its secret.
pub fn holds(webhook: &Webhook, given: &str, tenant: TenantRef, sealer: &Sealer) -> bool {
    place((tenant, webhook.id)).holds(&webhook.secret, given, sealer)
}

/// The same as [`rotate`] with a secret that is given. Returns until when the former one signs as well.
pub async fn replace(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    webhook: &Webhook,
    (secret, overlap): (&str, Overlap),
) -> Result<Option<Timestamp>> {
    check(secret)?;
    let former_expires_at = overlap.end_after(webhook.former_secret_expires_at, cx.now)?;
    let stored = place((tx.tenant().reference(), webhook.id)).seal(secret, sealer, cx)?;
    let former = former_expires_at.map(|_| webhook.secret.clone().into_column());
    let update = change_sql!(
        "UPDATE webhooks SET sealed_secret = $3, sealed_former_secret = $4, former_expires_at = $5, updated_at = $6, \
         version = version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $7"
    );
    let arguments =
        args![webhook.id, stored.into_column(), former, former_expires_at, cx.now, webhook.version];
    let meaning = Meaning::done(Action::WebhookSecretRotated, webhook.id)
        .telling(WebhookSecretRotated { webhook_id: webhook.id });
    check_version(change(tx, cx, update, arguments, meaning).await?, "the subscription")?;
    Ok(former_expires_at)
}

#[cfg(test)]
mod tests {
    use svc_core::{Entropy as _, SeededEntropy};

    use super::*;

    #[test]
    fn random_secrets_of_32_bytes_are_taken_in_each_usual_form() {
        let entropy = SeededEntropy::new(7);
        for _ in 0..10_000 {
            let mut random = [0; 32];
            entropy.fill(&mut random);
            let texts = [
                svc_keys::hex(random),
                svc_keys::base64url(random),
                format!("svc_whsec_{}", svc_keys::base64url(random)),
            ];
            for text in texts {
                assert!(check(&text).is_ok(), "{text}");
            }
        }
    }

    #[test]
    fn what_could_be_guessed_is_refused() {
        let short = svc_keys::base64url([0x5a; 31]);
        let (same, pairs) = ("a".repeat(64), "ab".repeat(64));
        let (digits, counted) =
            ("0123456789abcdef".repeat(4), (b'!'..=b'~').map(char::from).collect::<String>());
        let sentence = "this is the secret of our receiver, please";
        let spaced = format!("{} ", svc_keys::base64url([1; 64]));
        let endless = svc_keys::base64url([7; 300]);
        for weak in ["", "hunter2", &short, &same, &pairs, &digits, &counted, sentence, &spaced, &endless] {
            let refusal = check(weak).unwrap_err();
            assert!(refusal.detail().starts_with("secret: give at least 32 random bytes"), "{weak}");
        }
    }
}
