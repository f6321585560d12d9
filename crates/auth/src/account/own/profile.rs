//! The names of a person and the language: claims of the scope `profile` (OpenID Connect Core §5.4).

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result};
use svc_domain::claims::profile::Profile;
use svc_domain::people::changes;
use utoipa::ToSchema;

use super::super::claim::is_name;
use super::super::denied::Denied;
use super::owner::Own;
use crate::pages::language_tag;

/// The names of a person, and the language; what is absent or empty is not claimed.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = IdentityNames, examples(json!({ "given_name": "Ada", "family_name": "King" })))]
pub struct Names {
    /// The full name.
    #[schema(max_length = 200)]
    pub name: Option<String>,
    /// The first name.
    #[schema(max_length = 200)]
    pub given_name: Option<String>,
    /// The last name.
    #[schema(max_length = 200)]
    pub family_name: Option<String>,
    /// The nickname.
    #[schema(max_length = 200)]
    pub nickname: Option<String>,
    /// The language of the person's pages and mails (BCP 47), such as `de` or `pt-BR`; the nearest one that there is counts.
    #[schema(max_length = 35)]
    pub locale: Option<String>,
}

impl From<&Profile> for Names {
    fn from(profile: &Profile) -> Self {
        Self {
            name: profile.name.clone(),
            given_name: profile.given_name.clone(),
            family_name: profile.family_name.clone(),
            nickname: profile.nickname.clone(),
            locale: profile.locale.clone(),
        }
    }
}

/// Makes the names what `change` makes of the present ones.
pub async fn set(
    own: &Own,
    change: impl FnOnce(Names) -> Result<Names> + Send,
) -> Result<std::result::Result<(), Denied>> {
    let mut tx = own.host.begin().await?;
    let present = changes::held_profile(&mut tx, &own.person).await?;
    let Names { name, given_name, family_name, nickname, locale } = change(Names::from(&present))?;
    // What the person's directory says stays, in whatever form.
    let locale = if locale == present.locale { locale } else { checked_locale(locale.as_deref())? };
    let all = [name, given_name, family_name, nickname].map(|name| {
        let name = name.map(|name| name.trim().to_owned());
        name.filter(|name| !name.is_empty())
    });
    let mut members = ["name", "given_name", "family_name", "nickname"].into_iter().zip(&all);
    let invalid = members.find(|(_, name)| name.as_deref().is_some_and(|name| !is_name(name)));
    if let Some((member, _)) = invalid {
        return Ok(Err(Denied::NameInvalid(member)));
    }
    let [name, given_name, family_name, nickname] = all;
    let profile = Profile { name, given_name, family_name, nickname, locale, ..present };
    changes::set_profile(&mut tx, own.cx(), &own.person, &profile).await?;
    tx.commit().await?;
    Ok(Ok(()))
}

fn checked_locale(locale: Option<&str>) -> Result<Option<String>> {
    let Some(tag) = locale.map(str::trim).filter(|tag| !tag.is_empty()) else { return Ok(None) };
    let tag = language_tag(tag);
    tag.map(Some).ok_or_else(|| Error::bad_request("locale: give a language tag such as de or pt-BR"))
}

/// Makes a language that of the account, where it is another.
pub async fn set_language(own: &Own, tag: &str) -> Result<()> {
    if own.person.profile.locale.as_deref() == Some(tag) {
        return Ok(());
    }
    let mut tx = own.host.begin().await?;
    let present = changes::held_profile(&mut tx, &own.person).await?;
    let profile = Profile { locale: Some(tag.to_owned()), ..present };
    changes::set_profile(&mut tx, own.cx(), &own.person, &profile).await?;
    tx.commit().await
}
