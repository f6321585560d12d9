//! The refresh token grant (RFC 6749 §6, RFC 9700 §4.14.2): rotation with reuse detection, and a short grace for lost answers.

use svc_core::{Digest, Error, Scope};
use svc_db::{Tenant, Tx};
use svc_domain::apps::GrantType;
use svc_domain::grants::delegations;
use svc_domain::grants::refresh::{self, Family, Found, Spending, State, Used};
use svc_domain::organizations::Place;
use svc_domain::people::tenant_users::Person;
use svc_domain::tenancy::custom_domains;

use crate::authorize::details::{NAME, check_within, read};
use crate::token::approval::{Approval, Bounds, Denied, Refresh};
use crate::token::grant::{Approve, Deciding, Grant, Request, within};
use crate::token::issue::lifetime_of_refresh_token;
use crate::token::organization;

pub(super) const GRANT: Grant = Grant {
    facts: GrantType {
        name: "refresh_token",
        label: "refresh_token",
        capability: None,
        is_confidential: false,
        may_be_self_registered: true,
        needs_person: true,
        needed: &["refresh_token"],
        parameters: &["organization"],
    },
    approve: Approve::Stored(approve),
};

fn approve<'a>(request: &'a Request<'a>, tx: &'a mut Tx<Tenant>) -> Deciding<'a> {
    Box::pin(rotate(request, tx))
}

async fn rotate(request: &Request<'_>, tx: &mut Tx<Tenant>) -> Result<Approval, Denied> {
    let presented = request.params.required("refresh_token")?;
    let attempt = Attempt::of(request, presented);
    let (ended, cx) = (&request.host.app.services.ended_families, &request.host.cx);
    if ended.has(request.host.tenant.id, attempt.digest, cx.now) {
        return Err(unusable().into());
    }
    let used = attempt.make(request, tx).await?.filter(|used| used.found.family.app == request.app.id);
    let Used { is_won, found: Found { mut family, state, .. }, person } = used.ok_or_else(unusable)?;
    if state == State::Ended {
        return Err(Denied::by_ended_family(unusable()));
    }
    family.grant.audience = present_audience(request, tx, &family.grant.audience).await?;
    let scope = match requested(request, &family) {
        // A spent token that comes back for something else is no lost answer.
        Err(_) if !is_won && matches!(state, State::Spent(_)) => {
            return Err(reused(request, tx, &family).await);
        }
        requested => requested?,
    };
    check_audience(request, tx, &family).await?;
    if !is_current(&person, &family) {
        return Err(unusable().into());
    }
    let organization = match in_organization(request, tx, (&person, &mut family)).await {
        Err(_) if !is_won && matches!(state, State::Spent(_)) => {
            return Err(reused(request, tx, &family).await);
        }
        organization => organization?,
    };
    let next = match state {
        State::Live | State::Spent(_) if is_won => attempt.succeed(request, tx, &family),
        State::Live | State::Expired | State::Ended => return Err(unusable().into()),
        State::Spent(spending) => repeat(request, tx, &family, (&attempt, &spending)).await?,
    };
    // A token fetched at the last moment must not outlive what it was fetched with.
    let bounds = Bounds { ends_at: Some(family.expires_at), ..Bounds::default() };
    Ok(Approval {
        scope,
        family: Some(family.id),
        refresh: Refresh::Next(next),
        organization,
        bounds,
        ..Approval::of_grant(Box::new(person), family.grant, request.confirmation())
    })
}

/// A use of a refresh token.
struct Attempt<'a> {
    presented: &'a str,
    digest: Digest,
    /// The request as it is compared with an earlier one.
    canonical: String,
    /// The next token. A confidential application keeps the same one: where client and key are proven each time, a
    /// stolen one is worth nothing, and a lost answer locks no one out (FAPI 2.0 Security Profile §5.3.2.1).
    successor: Option<String>,
}

impl<'a> Attempt<'a> {
    fn of(request: &Request<'_>, presented: &'a str) -> Self {
        let successor =
            (!request.app.keeps_refresh_tokens()).then(|| svc_keys::token(&*request.host.cx.entropy));
        let digest = svc_keys::digest(presented);
        Self { presented, digest, canonical: canonical(request), successor }
    }

    /// Uses the token before anything else is judged: a refusal takes it back.
    async fn make(&self, request: &Request<'_>, tx: &mut Tx<Tenant>) -> Result<Option<Used>, Error> {
        let cx = &request.host.cx;
        let Some(successor) = &self.successor else {
            // An agent's family ends with the lifetime of an agent's token, and no token outlives its family.
            return refresh::keep(tx, self.digest, cx.now, cx.now + lifetime_of_refresh_token(request, None))
                .await;
        };
        let sealed = svc_keys::seal_under(self.presented, successor.as_bytes(), &*cx.entropy)?;
        let spending = Spending { at: cx.now, request: self.canonical.clone(), successor: sealed };
        refresh::spend(tx, self.digest, &spending).await
    }

    /// The token that the application uses next.
    fn succeed(&self, request: &Request<'_>, tx: &mut Tx<Tenant>, family: &Family) -> String {
        let Some(successor) = &self.successor else { return self.presented.to_owned() };
        let expires_at =
            request.host.cx.now + lifetime_of_refresh_token(request, family.grant.actor.as_ref());
        refresh::add_token(tx, family, svc_keys::digest(successor), expires_at);
        successor.clone()
    }
}

fn canonical(request: &Request<'_>) -> String {
    let sorted =
        |scope: &str| scope.parse::<Scope>().map_or_else(|_| scope.to_owned(), |scope| scope.to_string());
    let scope = request.params.one("scope").map_or_else(|| "-".to_owned(), sorted);
    let resource = request.resource.as_deref().unwrap_or("-");
    let key = request.dpop_jkt.as_deref().unwrap_or("-");
    let details = request.params.one(NAME).map(|text| svc_keys::base64url(svc_keys::digest(text).0));
    let details = details.map(|digest| format!(" {digest}")).unwrap_or_default();
    let certificate = request.confirmation().and_then(|bound| bound.x5t_s256);
    let certificate = certificate.map(|thumbprint| format!(" x5t#{thumbprint}")).unwrap_or_default();
    let organization = request.params.one("organization");
    let organization = organization.map(|named| format!(" org#{named}")).unwrap_or_default();
    format!("{scope} {resource} {key}{details}{certificate}{organization}")
}

/// A spent token presented again: an answer that got lost, or a theft.
async fn repeat(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    family: &Family,
    (attempt, spending): (&Attempt<'_>, &Spending),
) -> Result<String, Denied> {
    let cx = &request.host.cx;
    let grace = request.host.app.config.jwt.refresh_reuse_grace_secs;
    // Both ways, so that neither a clock that was set back nor another node's clock widens the window.
    let is_near = cx.now < spending.at + grace && spending.at < cx.now + grace;
    let is_same = is_near && spending.request == attempt.canonical;
    let successor = svc_keys::open_under(attempt.presented, &spending.successor);
    let successor = successor.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|_| is_same);
    if let Some(successor) = successor {
        let leaf = refresh::find(tx, svc_keys::digest(&successor), cx.now).await?;
        if leaf.is_some_and(|leaf| leaf.state == State::Live) {
            return Ok(successor);
        }
    }
    Err(reused(request, tx, family).await)
}

/// The refusal that ends the family.
async fn reused(request: &Request<'_>, tx: &mut Tx<Tenant>, family: &Family) -> Denied {
    match refresh::report_reuse(tx, &request.host.cx, family).await {
        Ok(()) => Denied::burning(unusable()),
        Err(error) => error.into(),
    }
}

/// The scope that the request asks for, as far as the family was granted it.
fn requested(request: &Request<'_>, family: &Family) -> Result<Scope, Error> {
    request.check_key(&family.grant)?;
    if let Some(requested) = request.params.one(NAME) {
        check_within(&read(requested)?, &family.grant.authorization_details)?;
    }
    request.check_resource(&family.grant.audience)?;
    asked_scope(request, family)
}

fn asked_scope(request: &Request<'_>, family: &Family) -> Result<Scope, Error> {
    if !request.app.configuration.scope.has("offline_access") {
        return Err(unusable());
    }
    let Some(requested) = request.params.one("scope") else { return Ok(family.grant.scope.clone()) };
    let requested: Scope = requested.parse()?;
    within(requested, &family.grant.scope)
}

/// The organization in which the tokens count: that of the family, or another one of the person's that the request names, in
/// which the family goes on.
async fn in_organization(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    (person, family): (&Person, &mut Family),
) -> Result<Option<Place>, Error> {
    let present = organization::granted(request.host, tx, person, family.grant.organization)
        .await?
        .ok_or_else(unusable)?;
    let named = organization::named(request, tx, person, not_a_member).await?;
    let Some(named) = named.filter(|named| Some(named.id) != family.grant.organization) else {
        return Ok(present);
    };
    if is_delegated(request, tx, family).await? {
        return Err(Error::invalid_grant(
            "organization: the tokens of an exchange stay in its organization; exchange again for another",
        ));
    }
    let named = organization::kept(tx, person, named.id, not_a_member).await?;
    if organization::is_older_than_an_end(request, person, (named.id, family.created_at)) {
        return Err(not_a_member());
    }
    family.grant.organization = Some(named.id);
    refresh::switch(tx, family)?;
    Ok(Some(named))
}

/// Whether the family began with an exchange, which could not have gone to another organization than its subject token's either.
async fn is_delegated(request: &Request<'_>, tx: &mut Tx<Tenant>, family: &Family) -> Result<bool, Error> {
    let [link] = tx.batch([delegations::hold(tx, family.id, request.host.cx.now)]).await?;
    Ok(delegations::held(&link)?.is_some())
}

fn not_a_member() -> Error {
    Error::invalid_grant("organization: the person does not belong to it with this sign-in; sign in again")
}

/// What a stored audience means now: the issuer may have moved to another domain of the tenant since.
async fn present_audience(request: &Request<'_>, tx: &mut Tx<Tenant>, stored: &str) -> Result<String, Error> {
    let (tenant, services) = (&request.host.tenant, &request.host.app.services);
    let audience = tenant.audience_of(stored);
    let Some(domain) = audience.strip_prefix("https://").filter(|_| audience != tenant.issuer) else {
        return Ok(audience);
    };
    if services.apis.find_in(tx, tenant, &audience).await?.is_some() {
        return Ok(audience);
    }
    let is_former = domain == services.tenants.slug_host(tenant) || custom_domains::has(tx, domain).await?;
    Ok(if is_former { tenant.issuer.clone() } else { audience })
}

/// The API that the tokens are for still exists.
async fn check_audience(request: &Request<'_>, tx: &mut Tx<Tenant>, family: &Family) -> Result<(), Error> {
    let granted = &family.grant.audience;
    let (host, apis) = (request.host, &request.host.app.services.apis);
    let is_offered =
        *granted == host.tenant.issuer || apis.find_in(tx, &host.tenant, granted).await?.is_some();
    if is_offered { Ok(()) } else { Err(unusable()) }
}

fn is_current(person: &Person, family: &Family) -> bool {
    person.may_sign_in() && family.created_at >= person.credentials_changed_at
}

fn unusable() -> Error {
    Error::invalid_grant("the refresh token is unknown, expired or used; sign in again")
}
