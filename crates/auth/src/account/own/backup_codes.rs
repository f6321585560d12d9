//! Codes on paper that stand in for a second factor, each once.

use svc_core::Result;
use svc_db::coordination::Once;
use svc_domain::people::credentials::backup_codes::digest_of;
use svc_domain::people::credentials::{self, Credential, Kind, lookup_of};
use svc_keys::{digest, hex, token};

use super::super::denied::Denied;
use super::super::purpose::FORM_LIFETIME;
use super::credentials::kept;
use super::owner::Own;
use crate::pages::{Changed, Topic};
use crate::signin::methods::backup_code::code_of;

/// The codes of an account.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// How many are left.
    pub left: u32,
    /// Whether there is a second factor that they could stand in for.
    pub has_factor: bool,
}

/// The codes of the account.
pub async fn standing(own: &Own) -> Result<Standing> {
    let all = kept(own, &mut own.host.read().await?).await?;
    let left = all.iter().filter(|one| one.kind == Some(Kind::BackupCode)).count();
    let has_factor = all.iter().any(Credential::is_factor);
    Ok(Standing { left: u32::try_from(left).unwrap_or(u32::MAX), has_factor })
}

/// What the codes of one form are made of.
pub fn seed(own: &Own) -> String {
    token(&*own.cx().entropy)
}

/// Makes the codes of a form, which end the old ones, and mails the owner. They are told to this form alone: where it is sent again, as
/// a page that is loaded again does, it gets the same ones as long as no others were made since, and otherwise none.
pub async fn make_of(own: &Own, seed: &str) -> Result<std::result::Result<Vec<String>, Denied>> {
    let (codes, now) = (codes_of(own, seed), own.cx().now);
    let once = Once::between(format!("backup codes of {}", hex(digest(seed).0)), now, now + FORM_LIFETIME);
    if own.host.app.coordination.note(&once, now).await? {
        return replace(own, codes).await;
    }
    let all = credentials::of_account(&mut own.host.read().await?, own.owner().account).await?;
    let is_kept = |code: &String| {
        let lookup = lookup_of(digest_of(own.owner().account, code));
        all.iter().any(|one| one.kind == Some(Kind::BackupCode) && one.lookup.as_ref() == Some(&lookup))
    };
    let are_kept = codes.iter().all(is_kept);
    Ok(Ok(if are_kept { codes } else { Vec::new() }))
}

/// Makes new codes, which end the old ones, and mails the owner. They are told once.
pub async fn make(own: &Own) -> Result<std::result::Result<Vec<String>, Denied>> {
    replace(own, codes_of(own, &seed(own))).await
}

fn codes_of(own: &Own, seed: &str) -> Vec<String> {
    let count = own.host.app.config.two_factor.backup_code_count;
    (0..count).map(|nth| code_of(digest(&format!("backup code {nth} of {seed}")))).collect()
}

async fn replace(own: &Own, codes: Vec<String>) -> Result<std::result::Result<Vec<String>, Denied>> {
    let (cx, owner) = (own.cx(), own.owner());
    let mut tx = own.host.begin().await?;
    // Held, so that of two requests at once the codes of one count.
    if !credentials::held_of_account(&mut tx, owner.account).await?.iter().any(Credential::is_factor) {
        return Ok(Err(Denied::SecondFactorMissing));
    }
    own.must_be_as_read(&mut tx).await?;
    let lookups = codes.iter().map(|code| lookup_of(digest_of(owner.account, code))).collect();
    credentials::replace_codes(&mut tx, cx, owner, ("Backup code", lookups)).await?;
    own.tell(&mut tx, Topic::CredentialAdded(Changed::BackupCodes))?;
    tx.commit().await?;
    Ok(Ok(codes))
}
