//! Does at an application what a look has found to be done (RFC 7644 §3.3, §3.5, §3.6).

use serde_json::Value;
use svc_domain::delivery::scim_targets::{Document, LinkKind, Look, PushOutcome, Remote, Step, UpdateWith};
use svc_http::{App, Fetched, Method, ScimApplication};

use super::answers::{self, Said};
use super::finding::{self, Sought};

/// The requests of one look.
struct Requests<'a> {
    app: &'a App,
    application: &'a ScimApplication,
    kind: LinkKind,
}

type Done<T> = Result<T, PushOutcome>;

/// Takes a step; returns its outcome.
pub(super) async fn take(
    app: &App,
    application: &ScimApplication,
    look: &Look,
    kind: LinkKind,
) -> PushOutcome {
    let requests = Requests { app, application, kind };
    let took = match &look.step {
        Step::Nothing => Ok(PushOutcome::Unchanged),
        Step::Forget => Ok(PushOutcome::Gone),
        Step::Refuse(why) => Ok(PushOutcome::Refused(why.clone())),
        Step::Create { document, may_exist } => requests.create(look, document, *may_exist).await,
        Step::Update { remote_id, document } => requests.update(look, remote_id, document).await,
        Step::Deactivate(remote) => requests.deactivate(remote).await,
        Step::Delete(remote) => requests.delete(remote).await,
    };
    took.unwrap_or_else(|outcome| outcome)
}

impl Requests<'_> {
    /// What may be there already is looked for first, and what the application refuses as a double afterwards.
    async fn create(&self, look: &Look, document: &Document, may_exist: bool) -> Done<PushOutcome> {
        if may_exist && let Some(id) = self.find(document).await? {
            return self.update(look, &id, document).await;
        }
        match self.send(Method::POST, self.kind.endpoint(), Some(&document.whole())).await? {
            Said::Done(created) => self.created(&created, document).await,
            Said::Absent(why) => Err(answers::in_the_way(why)),
            Said::Conflict(why) => match self.find(document).await? {
                Some(id) => self.update(look, &id, document).await,
                None => Ok(PushOutcome::Refused(foreign(&why, document))),
            },
        }
    }

    /// The application says which id it has given, and must not speak of another person.
    async fn created(&self, created: &Fetched, document: &Document) -> Done<PushOutcome> {
        let answer: Value = serde_json::from_slice(&created.body).unwrap_or_default();
        let external_id = answer.get("externalId").and_then(Value::as_str);
        if external_id.is_some_and(|id| id != document.external_id()) {
            return Err(PushOutcome::Refused(
                "the application answered with the externalId of another".to_owned(),
            ));
        }
        let id = match finding::id_of(&answer) {
            Some(id) => Some(id),
            None => self.find(document).await?,
        };
        match id {
            Some(id) => linked(id, document),
            None => Err(PushOutcome::Refused("the application did not say which id it has given".to_owned())),
        }
    }

    async fn update(&self, look: &Look, id: &str, document: &Document) -> Done<PushOutcome> {
        let path = self.path(id)?;
        let said = match look.target.configuration.update_with {
            UpdateWith::Put => self.send(Method::PUT, &path, Some(&document.whole())).await?,
            UpdateWith::Patch => {
                self.send(Method::PATCH, &path, Some(&document.change(look.pushed.as_ref()))).await?
            }
        };
        match said {
            Said::Done(_) => linked(id.to_owned(), document),
            Said::Absent(_) => Ok(PushOutcome::Vanished),
            Said::Conflict(why) => Ok(PushOutcome::Refused(foreign(&why, document))),
        }
    }

    async fn deactivate(&self, remote: &Remote) -> Done<PushOutcome> {
        let Some(id) = self.known(remote).await? else { return Ok(PushOutcome::Gone) };
        let path = self.path(&id)?;
        let said = match self.application.access().configuration.update_with {
            UpdateWith::Patch => self.send(Method::PATCH, &path, Some(&Document::deactivation())).await?,
            UpdateWith::Put => match self.send(Method::GET, &path, None).await? {
                Said::Done(present) => {
                    self.send(Method::PUT, &path, Some(&deactivated(&present, &id)?)).await?
                }
                otherwise => otherwise,
            },
        };
        match said {
            Said::Done(_) => Ok(PushOutcome::Deactivated { remote_id: id }),
            Said::Absent(_) => Ok(PushOutcome::Gone),
            Said::Conflict(why) => Ok(PushOutcome::Refused(why)),
        }
    }

    async fn delete(&self, remote: &Remote) -> Done<PushOutcome> {
        let Some(id) = self.known(remote).await? else { return Ok(PushOutcome::Gone) };
        match self.send(Method::DELETE, &self.path(&id)?, None).await? {
            Said::Done(_) | Said::Absent(_) => Ok(PushOutcome::Gone),
            Said::Conflict(why) => Ok(PushOutcome::Refused(why)),
        }
    }

    async fn known(&self, remote: &Remote) -> Done<Option<String>> {
        match remote {
            Remote::Known(id) => Ok(Some(id.clone())),
            Remote::Sought(external_id) => {
                let sought = Sought { kind: self.kind, external_id, unique: None };
                finding::find(self.app, self.application, &sought).await
            }
        }
    }

    async fn find(&self, document: &Document) -> Done<Option<String>> {
        let (external_id, unique) = (document.external_id(), Some(document.unique()));
        let sought = Sought { kind: self.kind, external_id, unique };
        finding::find(self.app, self.application, &sought).await
    }

    fn path(&self, id: &str) -> Done<String> {
        let path = ScimApplication::resource(self.kind.endpoint(), id);
        path.map_err(|error| PushOutcome::Refused(error.detail().to_owned()))
    }

    async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Done<Said> {
        let answer = self.application.send(method, path, body).await;
        answers::read(self.app, self.application, answer)
    }
}

fn linked(remote_id: String, document: &Document) -> Done<PushOutcome> {
    let pushed = document.fingerprint().map_err(|error| PushOutcome::Refused(error.detail().to_owned()))?;
    Ok(PushOutcome::Linked { remote_id, pushed })
}

/// The account as the application has it, with `active` false.
fn deactivated(present: &Fetched, id: &str) -> Done<Value> {
    let mut account: Value = serde_json::from_slice(&present.body).unwrap_or_default();
    if finding::id_of(&account).as_deref() != Some(id) {
        return Err(PushOutcome::Refused(
            "the application answered with another account than was asked for".to_owned(),
        ));
    }
    if let Some(account) = account.as_object_mut() {
        account.insert("active".to_owned(), Value::Bool(false));
    }
    Ok(account)
}

/// What an administrator does about an account that is not ours.
fn foreign(why: &str, document: &Document) -> String {
    let ((name, _), external_id) = (document.unique(), document.external_id());
    format!(
        "{why}; if an account with this {name} is to be linked, give it the externalId {external_id} there, then synchronise"
    )
}
