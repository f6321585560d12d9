//! What the person has answered to what the tenant asks for.

use std::sync::Arc;

use serde_json::{Map, Value};
use svc_core::{Error, OrganizationId, Result};
use svc_domain::people::fields::{Fault, Field};
use svc_domain::people::intake::Intake;
use svc_domain::people::tenant_users;

use super::organizations;
use super::owner::Own;

/// What the tenant asks people for.
pub async fn intake(own: &Own) -> Result<Arc<Intake>> {
    own.host.app.services.intakes.of(own.host.tenant.id).await
}

/// What the tenant asks the person for, with what their organizations ask.
pub struct Questions {
    intake: Arc<Intake>,
    organizations: Vec<OrganizationId>,
}

impl Questions {
    /// The fields, in their order.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.intake.fields().iter().filter(|field| field.is_for(&self.organizations))
    }
}

/// What the tenant asks the person for, with what their organizations ask.
pub async fn questions(own: &Own) -> Result<Questions> {
    let intake = intake(own).await?;
    let organizations = organizations::asking(own, &intake).await?;
    Ok(Questions { intake, organizations })
}

/// Keeps answers; one that is absent takes away what is kept.
pub async fn save(own: &Own, answers: Vec<(&Field, Option<Value>)>) -> Result<()> {
    own.person.must_be_known()?;
    let mut tx = own.host.begin().await?;
    // What the tenant notes may have changed since the person was read.
    let Some(person) = tenant_users::find(&mut tx, own.person.id).await? else { return Ok(()) };
    let mut metadata = person.metadata.clone();
    for (field, answer) in answers {
        field.put(&mut metadata, answer);
    }
    tenant_users::set_metadata(&mut tx, own.cx(), person.id, (&person.metadata, &metadata)).await?;
    tx.commit().await
}

/// The answers of a document, each held against its field.
pub fn read<'a>(
    questions: &'a Questions,
    values: &Map<String, Value>,
) -> Result<Vec<(&'a Field, Option<Value>)>> {
    let mut answers = Vec::with_capacity(values.len());
    for (name, value) in values {
        let refused = |why: String| Error::bad_request(format!("values.{name}: {why}"));
        let field = questions.fields().find(|field| field.content.name == *name);
        let field = field.ok_or_else(|| refused("this is not asked for".to_owned()))?;
        if !field.content.editable {
            return Err(refused("an administrator alone changes this".to_owned()));
        }
        answers.push((field, field.answered(value).map_err(|fault| refused(sentence(fault)))?));
    }
    Ok(answers)
}

fn sentence(fault: Fault) -> String {
    match fault {
        Fault::Missing => "it is required".to_owned(),
        Fault::Invalid => {
            "use a value of the field's type, one of its choices, and no control characters".to_owned()
        }
        Fault::TooShort(least) => format!("use at least {least} characters"),
        Fault::TooLong(most) => format!("use at most {most} characters"),
    }
}
