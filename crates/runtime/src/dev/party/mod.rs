//! `/dev`: a relying party that runs the code flow as an application would (RFC 6749 §4.1, RFC 7636), over the same
//! endpoints, and shows what it verified.

mod exchange;
mod person;
mod transaction;
mod verify;
mod visits;

use std::sync::OnceLock;

use minijinja::{Value, context};
use svc_config::Config;
use svc_core::{Entropy, Result};
use svc_http::{
    Cookies, Edge, HostCx, IntoResponse, PageResponse, Params, Problem, QueryParams, Response, Route, Routes,
    SetCookie, see_other,
};
use svc_keys::SealingKey;

use self::exchange::SignedIn;
pub use self::person::Person;
use self::transaction::Transaction;
use self::visits::Visits;
use super::demo::Client;
use super::page::Templates;

/// The relying party.
pub struct Party {
    /// Its pages.
    pub templates: Templates,
    issuer: String,
    sealing: SealingKey,
    visits: Visits,
    opened: OnceLock<Opened>,
}

/// What is known once the service is composed.
struct Opened {
    service: Edge,
    clients: Vec<Client>,
    people: Vec<Person>,
}

/// The cookie that names who has signed in here.
const VISIT: &str = "dev_visit";
/// The cookie that holds a sign-in under way.
const TRANSACTION: &str = "dev_transaction";

impl Party {
    /// A relying party of the configured issuer, not yet open.
    pub fn new(config: &Config, entropy: &dyn Entropy) -> Result<Self> {
        let mut key = [0; 32];
        entropy.fill(&mut key);
        Ok(Self {
            templates: Templates::load()?,
            issuer: config.oidc.issuer_url.as_str().trim_end_matches('/').to_owned(),
            sealing: SealingKey::from_bytes(key),
            visits: Visits::default(),
            opened: OnceLock::new(),
        })
    }

    /// Makes the service known that its tokens come from, the applications that it poses as, and the people of the demo.
    pub fn open(&self, service: Edge, clients: &[Client], people: Vec<Person>) {
        let _ = self.opened.set(Opened { service, clients: clients.to_vec(), people });
    }

    fn client(&self, handle: &str) -> Option<&Client> {
        self.opened.get()?.clients.iter().find(|client| client.handle == handle)
    }

    fn person(&self, username: &str) -> Option<&Person> {
        self.opened.get()?.people.iter().find(|person| person.username == username)
    }

    /// What the first page shows.
    fn shown(&self) -> Value {
        let people = self.opened.get().map(|opened| opened.people.iter()).into_iter().flatten();
        let people: Vec<_> = people
            .map(|Person { username, name, .. }| context! { username => *username, name => *name })
            .collect();
        context! { issuer => &self.issuer, people }
    }

    fn redirect_uri(&self) -> String {
        format!("{}/dev/callback", self.issuer)
    }

    fn is_secure(&self) -> bool {
        self.issuer.starts_with("https:")
    }

    /// The cookies of a relying party belong to one host; a browser that comes by another name of it is sent there.
    fn elsewhere(&self, host: &HostCx) -> Option<Response> {
        let home = url::Url::parse(&self.issuer).ok()?;
        let is_home = home.host_str() == Some(host.arrival.host.as_str());
        (!is_home).then(|| see_other(&format!("{}/dev", self.issuer)))
    }

    fn trouble(&self, host: &HostCx, code: &str, detail: &str) -> Result<PageResponse> {
        self.templates.page(&host.cx, "trouble.html", context! { code, detail })
    }
}

/// The routes of the relying party.
pub fn routes() -> Routes {
    let why = "exists in development mode only";
    Routes::new([
        Route::get("/dev").public(why, start).undocumented(),
        Route::get("/dev/login").public(why, login).undocumented(),
        Route::get("/dev/callback").public(why, callback).undocumented(),
        Route::get("/dev/logout").public(why, logout).undocumented(),
    ])
}

async fn start(host: HostCx, cookies: Cookies) -> Result<Response, Problem> {
    let party = host.app.part::<Party>()?;
    if let Some(elsewhere) = party.elsewhere(&host) {
        return Ok(elsewhere);
    }
    let visit = cookies.one(&SetCookie::wire_name(VISIT, party.is_secure()));
    let page = match visit.and_then(|visit| party.visits.find(visit)) {
        Some(signed_in) => party.templates.page(&host.cx, "signed_in.html", signed_in.shown()),
        None => party.templates.page(&host.cx, "start.html", party.shown()),
    };
    Ok(page?.into_response())
}

async fn login(host: HostCx, QueryParams(params): QueryParams) -> Result<Response, Problem> {
    let party = host.app.part::<Party>()?;
    if let Some(elsewhere) = party.elsewhere(&host) {
        return Ok(elsewhere);
    }
    let handle = params.one("app").unwrap_or("relying-party");
    let Some(client) = party.client(handle) else {
        return Ok(party.trouble(&host, "unknown application", handle)?.into_response());
    };
    let transaction = Transaction::begin(handle, &*host.cx.entropy);
    let cookie = transaction.cookie(party, &host.cx)?;
    let person = params.one("as").and_then(|username| party.person(username));
    // A person who is chosen by name signs in, also where another is signed in.
    let prompt = person.map_or(params.one("prompt"), |_| Some("login"));
    let url = transaction.authorization_url(party, client, prompt)?;
    match person {
        Some(person) => Ok((cookie, person.sign_in(party, &url).await?).into_response()),
        None => Ok((cookie, see_other(&url)).into_response()),
    }
}

async fn callback(
    host: HostCx,
    cookies: Cookies,
    QueryParams(params): QueryParams,
) -> Result<Response, Problem> {
    let party = host.app.part::<Party>()?;
    match finish(party, &host, &cookies, &params).await {
        Ok(signed_in) => {
            let visit = svc_keys::token(&*host.cx.entropy);
            let cookies = (
                SetCookie::set(VISIT, &visit, None, party.is_secure())?,
                SetCookie::clear(TRANSACTION, party.is_secure())?,
            );
            party.visits.keep(visit, signed_in);
            // Reloading the result must not replay the code.
            Ok((cookies, see_other(&format!("{}/dev", party.issuer))).into_response())
        }
        Err((code, detail)) => {
            let cookie = SetCookie::clear(TRANSACTION, party.is_secure())?;
            Ok((cookie, party.trouble(&host, &code, &detail)?).into_response())
        }
    }
}

type Trouble = (String, String);

/// Holds the answer against the question that this browser asked, and exchanges the code.
async fn finish(
    party: &Party,
    host: &HostCx,
    cookies: &Cookies,
    params: &Params,
) -> Result<SignedIn, Trouble> {
    let transaction = Transaction::of(party, cookies);
    let transaction =
        transaction.ok_or_else(|| verify::wrong("this browser has no sign-in under way; start again"))?;
    if params.one("state") != Some(transaction.state.as_str()) {
        return Err(verify::wrong("state is not the one that was sent"));
    }
    if params.one("iss") != Some(party.issuer.as_str()) {
        return Err(verify::wrong("iss is not the issuer that was asked (RFC 9207)"));
    }
    if let Some(error) = params.one("error") {
        let detail = params.one("error_description").unwrap_or_default();
        return Err((error.to_owned(), detail.to_owned()));
    }
    let code =
        params.one("code").ok_or_else(|| verify::wrong("the answer has neither a code nor an error"))?;
    exchange::exchange(party, host, &transaction, code).await
}

async fn logout(host: HostCx, cookies: Cookies) -> Result<Response, Problem> {
    let party = host.app.part::<Party>()?;
    let visit = cookies.one(&SetCookie::wire_name(VISIT, party.is_secure()));
    let signed_in = visit.and_then(|visit| party.visits.take(visit));
    let target = match &signed_in {
        Some(signed_in) => signed_in.end_session_url(&party.issuer)?,
        None => format!("{}/dev", party.issuer),
    };
    Ok((SetCookie::clear(VISIT, party.is_secure())?, see_other(&target)).into_response())
}
