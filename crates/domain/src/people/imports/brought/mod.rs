//! What a line brings in addition to the password, in the forms that the service keeps itself. What it does not know is kept sealed.

mod apps;
mod codes;
mod identities;
mod members;
mod passkeys;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_core::{Cx, Error, Result};
use svc_db::{Tenant, Tx};
use svc_keys::Sealer;

pub use self::identities::ImportedIdentity;
use super::lines::PersonLine;
use crate::claims::profile::Profile;
use crate::people::credentials::identities::Identity;
use crate::people::credentials::passkeys::Passkey;
use crate::people::credentials::{self, Kind, MOST_OF_A_KIND, NewCredential, Owner, imported_lookup};
use crate::people::phones::{self, PhoneNumber};
use crate::people::tenant_users::Person;

/// Longest name in characters; other systems allow longer ones.
const LONGEST_NAME: usize = 60;

/// What a line brings.
#[derive(Default)]
pub(super) struct Brought {
    apps: Vec<apps::App>,
    codes: Vec<Vec<u8>>,
    passkeys: Vec<(String, u32, Passkey)>,
    identities: Vec<Identity>,
    phone: Option<PhoneNumber>,
    /// Second factors and passkeys that are not understood.
    pub unknown: Option<Value>,
}

impl Brought {
    /// Reads what a line has. Each fault begins with the member.
    pub fn read(line: &PersonLine) -> Result<Self> {
        let mut brought = Self { codes: codes::read(&line.backup_code_hashes)?, ..Self::default() };
        let (mut factors, mut passkeys) = (Vec::new(), Vec::new());
        brought.apps.extend(line.totp_secret.as_ref().map(apps::of_secret).transpose()?);
        for (at, factor) in line.factors.iter().enumerate() {
            let at = |error: Error| within(&format!("factors[{at}]"), &error);
            if let Some(app) = apps::read(factor).map_err(at)? {
                brought.apps.push(app);
            } else if let Some(codes) = codes::of_keycloak(factor).map_err(at)? {
                brought.codes.extend(codes);
            } else {
                factors.push(factor);
            }
        }
        for (at, said) in line.passkeys.iter().enumerate() {
            match passkeys::read(said).map_err(|error| within(&format!("passkeys[{at}]"), &error))? {
                Some(passkey) => brought.passkeys.push(passkey),
                None => passkeys.push(said),
            }
        }
        for (at, said) in line.identities.iter().enumerate() {
            let read = said.read().map_err(|error| within(&format!("identities[{at}]"), &error));
            brought.identities.push(read?);
        }
        brought.phone = proven_number(line)?;
        if !factors.is_empty() || !passkeys.is_empty() {
            brought.unknown = Some(json!({ "factors": factors, "passkeys": passkeys }));
        }
        brought.check_counts()?;
        Ok(brought)
    }

    fn check_counts(&self) -> Result<()> {
        let most = usize::try_from(MOST_OF_A_KIND).unwrap_or(usize::MAX);
        let counts = [
            ("factors", self.apps.len()),
            ("backup_code_hashes", self.codes.len()),
            ("passkeys", self.passkeys.len()),
            ("identities", self.identities.len()),
        ];
        match counts.iter().find(|(_, count)| *count > most) {
            Some((name, _)) => {
                Err(Error::bad_request(format!("{name}: a person has at most {most} of these")))
            }
            None => Ok(()),
        }
    }

    /// Refuses what another member of the tenant has, or what the line has twice.
    pub async fn check_free(&self, tx: &mut Tx<Tenant>) -> Result<()> {
        let passkeys = self.passkeys.iter().map(|(_, _, passkey)| passkey.lookup().to_vec());
        let identities = self.identities.iter().map(Identity::lookup);
        let phones = self.phone.iter().map(PhoneNumber::lookup);
        let all = (passkeys.map(|lookup| ("passkeys", Kind::Passkey, lookup)))
            .chain(identities.map(|lookup| ("identities", Kind::Identity, lookup)))
            .chain(phones.map(|lookup| ("profile", Kind::Phone, lookup)));
        let mut seen = BTreeSet::new();
        for (name, kind, lookup) in all {
            let lookup = imported_lookup(tx, &lookup);
            let is_taken = credentials::is_kept(tx, kind, &lookup).await?;
            if is_taken || !seen.insert((kind, lookup)) {
                return Err(Error::conflict(format!(
                    "{name}: one of these is another member's, or is given twice"
                )));
            }
        }
        Ok(())
    }

    /// Gives all of it to a new account, which the tenant manages. Secrets of apps are sealed by `sealer`, the deployment's.
    pub async fn give(
        self,
        tx: &mut Tx<Tenant>,
        cx: &Cx,
        (person, sealer): (&Person, &Sealer),
    ) -> Result<()> {
        let owner = Owner::from(person);
        for app in &self.apps {
            app.give(tx, cx, (owner, sealer)).await?;
        }
        if !self.codes.is_empty() {
            codes::give(tx, cx, owner, &self.codes).await?;
        }
        for (name, counter, passkey) in &self.passkeys {
            let lookup = Some(imported_lookup(tx, passkey.lookup()));
            let new = imported((cx, Kind::Passkey, name), lookup, passkey);
            credentials::add(tx, cx, owner, NewCredential { mark: (*counter).into(), ..new }).await?;
        }
        for identity in &self.identities {
            let lookup = Some(imported_lookup(tx, &identity.lookup()));
            let new = imported((cx, Kind::Identity, &identity.label), lookup, identity);
            credentials::add(tx, cx, owner, new).await?;
        }
        if let Some(number) = &self.phone {
            let lookup = Some(imported_lookup(tx, &number.lookup()));
            let document = phones::Imported { number: number.as_str().to_owned() };
            let new = imported((cx, Kind::Phone, number.as_str()), lookup, &document);
            credentials::add(tx, cx, owner, new).await?;
        }
        Ok(())
    }

    /// The claims that a new account begins with: a number that it is given is proven.
    pub fn claims(&self, claims: Profile) -> Profile {
        match &self.phone {
            Some(number) => {
                Profile { phone_number: Some(number.to_string()), phone_number_verified: true, ..claims }
            }
            None => claims,
        }
    }
}

fn imported<'a, T>(
    (cx, kind, name): (&Cx, Kind, &'a str),
    lookup: Option<Vec<u8>>,
    document: &'a T,
) -> NewCredential<'a, T> {
    NewCredential { id: cx.id(), kind, lookup, name, document, sealed: None, mark: 0, expires_at: None }
}

/// The number of a line whose source has proven it.
fn proven_number(line: &PersonLine) -> Result<Option<PhoneNumber>> {
    let number = line.profile.phone_number.as_deref().filter(|_| line.profile.phone_number_verified);
    number.map(PhoneNumber::parse).transpose().map_err(|error| within("profile", &error))
}

/// A name that another system has, as it fits here.
fn named(said: Option<&str>, otherwise: &str) -> String {
    let plain: String = said.unwrap_or_default().chars().filter(|letter| !letter.is_control()).collect();
    let cut: String = plain.trim().chars().take(LONGEST_NAME).collect();
    if cut.is_empty() { otherwise.to_owned() } else { cut }
}

fn within(member: &str, error: &Error) -> Error {
    Error::bad_request(format!("{member}: {}", error.detail()))
}
