//! The names of a person: claims of the scope `profile` (OpenID Connect Core §5.4).

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_domain::claims::profile::Profile;
use svc_domain::people::changes;
use utoipa::ToSchema;

use super::super::claim::is_name;
use super::super::denied::Denied;
use super::owner::Own;

/// The names of a person; what is absent or empty is not claimed.
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
}

impl From<&Profile> for Names {
    fn from(profile: &Profile) -> Self {
        Self {
            name: profile.name.clone(),
            given_name: profile.given_name.clone(),
            family_name: profile.family_name.clone(),
            nickname: profile.nickname.clone(),
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
    let Names { name, given_name, family_name, nickname } = change(Names::from(&present))?;
    let all = [name, given_name, family_name, nickname].map(|name| {
        let name = name.map(|name| name.trim().to_owned());
        name.filter(|name| !name.is_empty())
    });
    if !all.iter().flatten().all(|name| is_name(name)) {
        return Ok(Err(Denied::NameInvalid));
    }
    let [name, given_name, family_name, nickname] = all;
    let profile = Profile { name, given_name, family_name, nickname, ..present };
    changes::set_profile(&mut tx, own.cx(), &own.person, &profile).await?;
    tx.commit().await?;
    Ok(Ok(()))
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
