//! Changes of one person at once take turns: of two that lock several things, none waits for one that waits for it.

use serde_json::json;
use svc_core::{AccountId, Class, CredentialId, Cx, OrganizationId, Result, Seconds, TenantId};
use svc_db::{Db, Tenant, Tx, args, quiet_system_sql};
use svc_domain::claims::profile::Profile;
use svc_domain::log::Action;
use svc_domain::organizations;
use svc_domain::people::accounts::{self, Account, Email};
use svc_domain::people::changes;
use svc_domain::people::credentials::{self, Kind, NewCredential, Owner};
use svc_domain::people::guests::{self, Given};
use svc_domain::people::leaving;
use svc_domain::people::sessions::{self, Lifetimes, NewSession};
use svc_domain::people::several;
use svc_domain::people::standing;
use svc_domain::people::tenant_users::{self, Person, Status};
use svc_domain::scim::users::{self, Content, ProvisionedUser};

use crate::world::{World, meanwhile, meanwhile_then};

const PASSWORD: (&str, Action) = ("a hash", Action::PasswordChanged);
const LIFETIMES: Lifetimes = Lifetimes { idle: Seconds(600), absolute: Seconds(3600) };

/// What changes an account as a whole.
#[derive(Clone, Copy, Debug)]
enum Whole {
    Password,
    End,
    HandOver,
    Hold,
}

impl Whole {
    const ALL: [Self; 4] = [Self::Password, Self::End, Self::HandOver, Self::Hold];

    async fn make(self, tx: &mut Tx<Tenant>, cx: &Cx, account: &Account) -> Result<()> {
        match self {
            Self::Password => changes::set_account_password(tx, cx, account, PASSWORD).await,
            Self::End => changes::end_everything(tx, cx, account).await,
            Self::HandOver => changes::hand_over(tx, cx, account, Some(PASSWORD)).await,
            Self::Hold => {
                accounts::hold(tx, account).await?;
                changes::set_account_password(tx, cx, account, PASSWORD).await
            }
        }
    }
}

/// A member who trusts a browser, and the account.
async fn trusting(world: &World, tenant: TenantId, name: &str) -> (Person, Account) {
    let person = world.person(tenant, name).await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    let id: CredentialId = world.cx.id();
    let new = NewCredential {
        id,
        kind: Kind::TrustedBrowser,
        lookup: Some(id.to_string().into_bytes()),
        name: "Browser",
        document: &json!({}),
        sealed: None,
        mark: 0,
        expires_at: None,
    };
    credentials::add(&mut tx, &world.cx, Owner::from(&person), new).await.unwrap();
    let account = accounts::find(&mut tx, person.account_id).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    (person, account)
}

async fn committed(
    db: &Db,
    tenant: TenantId,
    work: impl AsyncFnOnce(&mut Tx<Tenant>) -> Result<()>,
) -> Result<()> {
    let mut tx = db.begin(tenant).await?;
    Box::pin(work(&mut tx)).await?;
    tx.commit().await
}

#[tokio::test]
async fn who_takes_an_account_back_and_what_else_changes_it_as_a_whole_take_turns() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let later = Cx { now: world.cx.now + Seconds(1), ..world.cx.clone() };
    for (number, whole) in Whole::ALL.into_iter().enumerate() {
        let (person, account) = trusting(&world, tenant, &format!("ada{number}")).await;
        let mut open = world.db.begin(tenant).await.unwrap();
        credentials::held_of_account(&mut open, account.id).await.unwrap();
        credentials::remove_all(&mut open, &later, Owner::from(&person), Kind::TrustedBrowser).await.unwrap();
        let other = committed(&world.db, tenant, async |tx: &mut _| whole.make(tx, &later, &account).await);
        let other = meanwhile_then(&world.db, open, other, async |open: &mut _| {
            changes::set_account_password(open, &later, &account, PASSWORD).await.unwrap();
        });
        let outcome = other.await.map_err(|error| error.class());
        // What names the credentials that it replaces comes too late.
        let expected = if matches!(whole, Whole::End) { Ok(()) } else { Err(Class::Conflict) };
        assert_eq!(outcome, expected, "{whole:?}");
    }
}

/// By what everything ends that a person has begun in the tenant.
#[derive(Clone, Copy, Debug)]
enum End {
    Administrator,
    Password,
    Leaving,
}

impl End {
    const ALL: [Self; 3] = [Self::Administrator, Self::Password, Self::Leaving];
}

#[tokio::test]
async fn a_session_that_is_about_to_begin_ends_with_those_that_are_there() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let at = |seconds| Cx { now: world.cx.now + Seconds(seconds), ..world.cx.clone() };
    for (number, end) in End::ALL.into_iter().enumerate() {
        let (person, account) = trusting(&world, tenant, &format!("ada{number}")).await;
        let digest = svc_keys::digest(&format!("session {number}"));
        let amr = &["pwd"];
        let (cx, earlier) = (at(2), at(1));
        let new = NewSession { digest, amr, acr: "urn:svc:aal1", user_agent: "test", auth_time: cx.now };
        let mut open = world.db.begin(tenant).await.unwrap();
        credentials::held_of_account(&mut open, account.id).await.unwrap();
        sessions::create(&mut open, &cx, &person, new, LIFETIMES).unwrap();
        let other = committed(&world.db, tenant, async |tx: &mut _| match end {
            End::Administrator => tenant_users::end_all_access(tx, &earlier, &person).await,
            End::Password => changes::set_account_password(tx, &earlier, &account, PASSWORD).await,
            End::Leaving => leaving::begin(tx, &earlier, &person, Seconds(60)).await.map(drop),
        });
        meanwhile(&world.db, open, other).await.unwrap();
        let mut tx = world.db.read(tenant).await.unwrap();
        let found = sessions::find(&mut tx, digest, cx.now, LIFETIMES).await.unwrap();
        assert!(found.is_none(), "{end:?}: {found:?}");
    }
}

async fn set_enabled(world: &World, cx: &Cx, account: AccountId, is_enabled: bool) -> Result<()> {
    let mut tx = world.db.begin_system().await?;
    standing::set_account_enabled(&mut tx, cx, account, is_enabled).await?;
    tx.commit().await
}

#[tokio::test]
async fn a_session_that_is_about_to_begin_while_its_account_is_disabled_is_over_when_that_is_enabled() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let at = |seconds| Cx { now: world.cx.now + Seconds(seconds), ..world.cx.clone() };
    let (person, account) = trusting(&world, tenant, "ada").await;
    let digest = svc_keys::digest("a session");
    let (cx, earlier, later) = (at(2), at(1), at(3));
    let new =
        NewSession { digest, amr: &["pwd"], acr: "urn:svc:aal1", user_agent: "test", auth_time: cx.now };
    let mut open = world.db.begin(tenant).await.unwrap();
    credentials::held_of_account(&mut open, account.id).await.unwrap();
    sessions::create(&mut open, &cx, &person, new, LIFETIMES).unwrap();
    let disabling = set_enabled(&world, &earlier, account.id, false);
    meanwhile(&world.db, open, disabling).await.unwrap();
    set_enabled(&world, &later, account.id, true).await.unwrap();
    let mut tx = world.db.read(tenant).await.unwrap();
    assert!(tenant_users::find(&mut tx, person.id).await.unwrap().unwrap().may_sign_in());
    let found = sessions::find(&mut tx, digest, later.now, LIFETIMES).await.unwrap();
    assert!(found.is_none(), "{found:?}");
}

#[tokio::test]
async fn an_account_that_joins_another_tenant_while_its_last_membership_ends_is_not_emptied() {
    let world = World::new().await;
    let (tenant, other) = (world.tenant("acme").await, world.tenant("initech").await);
    let (person, account) = trusting(&world, tenant, "ada").await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    leaving::begin(&mut tx, &world.cx, &person, Seconds(0)).await.unwrap();
    tx.commit().await.unwrap();
    let mut open = world.db.begin(other).await.unwrap();
    changes::join(&mut open, &world.cx, account.id).await.unwrap();
    let ending = leaving::end_due(&world.db, &world.cx, (world.cx.now, 10));
    assert_eq!(meanwhile(&world.db, open, ending).await.unwrap(), 1);
    let mut tx = world.db.read(other).await.unwrap();
    let found = accounts::find(&mut tx, account.id).await.unwrap().unwrap();
    let kept = credentials::of_account(&mut tx, account.id).await.unwrap().len();
    assert_eq!((found.is_active, found.email.as_deref(), kept), (true, Some("ada@example.com"), 1));
}

#[tokio::test]
async fn two_tenants_that_make_the_same_accounts_members_take_turns() {
    let world = World::new().await;
    let (home, tenant, other) =
        (world.tenant("home").await, world.tenant("acme").await, world.tenant("initech").await);
    let mut people = [world.person(home, "ada").await, world.person(home, "grace").await];
    people.sort_by_key(|person| person.account_id);
    let [first, last] = people;
    let emails = [&last, &first].map(|person| Email::parse(person.email.as_deref().unwrap()).unwrap());
    let mut open = world.db.begin(tenant).await.unwrap();
    changes::join(&mut open, &world.cx, first.account_id).await.unwrap();
    let joining = committed(&world.db, other, async |tx: &mut _| {
        several::hold_newcomers(tx, &emails).await?;
        changes::join(tx, &world.cx, last.account_id).await?;
        changes::join(tx, &world.cx, first.account_id).await.map(drop)
    });
    let joining = meanwhile_then(&world.db, open, joining, async |open: &mut _| {
        changes::join(open, &world.cx, last.account_id).await.unwrap();
    });
    joining.await.unwrap();
}

#[tokio::test]
async fn a_file_for_tenants_holds_the_accounts_that_join_them_in_one_order() {
    let world = World::new().await;
    let (home, tenant) = (world.tenant("home").await, world.tenant("acme").await);
    let mut people = [world.person(home, "ada").await, world.person(home, "grace").await];
    people.sort_by_key(|person| person.account_id);
    let [first, last] = people;
    let email = |person: &Person| Email::parse(person.email.as_deref().unwrap()).unwrap();
    let wanted = [("acme", email(&last)), ("acme", email(&first)), ("home", email(&first))];
    let mut open = world.db.begin(tenant).await.unwrap();
    changes::join(&mut open, &world.cx, first.account_id).await.unwrap();
    let holding = async {
        let mut tx = world.db.begin_system().await?;
        several::hold_of_tenants(&mut tx, &wanted, &[]).await?;
        tx.commit().await
    };
    let holding = meanwhile_then(&world.db, open, holding, async |open: &mut _| {
        changes::join(open, &world.cx, last.account_id).await.unwrap();
    });
    holding.await.unwrap();
}

#[tokio::test]
async fn an_account_that_is_being_emptied_becomes_no_member() {
    let world = World::new().await;
    let (tenant, other) = (world.tenant("acme").await, world.tenant("initech").await);
    let (_, account) = trusting(&world, tenant, "ada").await;
    let empty = quiet_system_sql!(
        "a test",
        "UPDATE accounts SET status = 'disabled', email = NULL, email_key = NULL WHERE id = $1"
    );
    let mut open = world.db.begin_system().await.unwrap();
    credentials::hold(&mut open, account.id);
    assert_eq!(open.execute(empty, args![account.id]).await.unwrap(), 1);
    let joining = committed(&world.db, other, async |tx: &mut _| {
        changes::join(tx, &world.cx, account.id).await.map(drop)
    });
    let refused = meanwhile(&world.db, open, joining).await;
    assert_eq!(refused.map_err(|error| error.class()), Err(Class::Conflict));
}

#[tokio::test]
async fn a_guest_who_is_kept_and_what_else_is_said_of_the_guest_take_turns() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let app = world.app(tenant, "shop").await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    let guest = guests::create(&mut tx, &world.cx, app.id).await.unwrap();
    tx.commit().await.unwrap();
    let mut open = world.db.begin(tenant).await.unwrap();
    let profile = Profile { nickname: Some("Amazing Grace".to_owned()), ..guest.profile.clone() };
    assert!(changes::set_profile(&mut open, &world.cx, &guest, &profile).await.unwrap());
    let email = Email::parse("grace@example.com").unwrap();
    let given = Given { email: &email, name: None, locale: None, password: None };
    let keeping = committed(&world.db, tenant, async |tx: &mut _| {
        guests::keep(tx, &world.cx, &guest, given).await.map(|is_kept| assert!(is_kept))
    });
    let keeping = meanwhile_then(&world.db, open, keeping, async |open: &mut _| {
        assert!(tenant_users::set_username(open, &world.cx, &guest, Some("grace")).await.unwrap());
    });
    keeping.await.unwrap();
    let mut tx = world.db.read(tenant).await.unwrap();
    let kept = tenant_users::find(&mut tx, guest.id).await.unwrap().unwrap();
    assert_eq!((kept.is_guest(), kept.username.as_deref()), (false, Some("grace")));
    assert_eq!(kept.profile.nickname.as_deref(), Some("Amazing Grace"));
}

/// What a directory says of Grace.
fn said(user_name: &str, name: &str) -> Content {
    let document = json!({ "userName": user_name, "displayName": name, "active": true });
    Content {
        user_name: user_name.to_owned(),
        external_id: None,
        email: None,
        emails: Vec::new(),
        active: true,
        profile: Profile { name: Some(name.to_owned()), ..Profile::default() },
        document: document.as_object().cloned().unwrap(),
        extensions: Vec::new(),
    }
}

/// Grace as an organization's directory has provisioned her.
async fn provisioned(world: &World, tenant: TenantId) -> (OrganizationId, ProvisionedUser, Person) {
    let owner = world.person(tenant, "ada").await;
    let configuration = serde_json::from_value(json!({ "name": "Initech" })).unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    let new = organizations::New { slug: "initech", owner: &owner, configuration: &configuration };
    let organization = organizations::create(&mut tx, &world.cx, new).await.unwrap().id;
    let made = users::create(&mut tx, &world.cx, (organization, 9), &said("grace", "Grace")).await.unwrap();
    let grace = tenant_users::find(&mut tx, made.id).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    (organization, made, grace)
}

#[tokio::test]
async fn a_directory_that_renames_a_person_and_the_person_who_changes_their_profile_take_turns() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (organization, made, grace) = provisioned(&world, tenant).await;
    let mut open = world.db.begin(tenant).await.unwrap();
    let present = changes::held_profile(&mut open, &grace).await.unwrap();
    let other = committed(&world.db, tenant, async |tx: &mut _| {
        let said = said("grace.hopper", "Grace Hopper");
        users::update(tx, &world.cx, (organization, &made), &said).await.map(drop)
    });
    let other = meanwhile_then(&world.db, open, other, async |open: &mut _| {
        let profile = Profile { nickname: Some("Amazing Grace".to_owned()), ..present };
        assert!(changes::set_profile(open, &world.cx, &grace, &profile).await.unwrap());
    });
    other.await.unwrap();
    let mut tx = world.db.read(tenant).await.unwrap();
    let grace = tenant_users::find(&mut tx, made.id).await.unwrap().unwrap();
    let names = (grace.username.as_deref(), grace.profile.name.as_deref());
    assert_eq!(names, (Some("grace.hopper"), Some("Grace Hopper")));
}

/// By what the membership of a person ends for good.
#[derive(Clone, Copy, Debug)]
enum Removal {
    Leaving,
    Directory,
    Tenant,
}

#[tokio::test]
async fn a_directory_that_changes_a_person_and_what_ends_the_membership_take_turns() {
    for removal in [Removal::Leaving, Removal::Directory, Removal::Tenant] {
        let world = World::new().await;
        let tenant = world.tenant("acme").await;
        let (organization, made, grace) = provisioned(&world, tenant).await;
        if matches!(removal, Removal::Leaving) {
            let mut tx = world.db.begin(tenant).await.unwrap();
            leaving::begin(&mut tx, &world.cx, &grace, Seconds(0)).await.unwrap();
            tx.commit().await.unwrap();
        }
        let mut open = world.db.begin(tenant).await.unwrap();
        let mut more = said("grace", "Grace");
        more.document.insert("title".to_owned(), json!("Rear Admiral"));
        assert!(users::update(&mut open, &world.cx, (organization, &made), &more).await.unwrap());
        let ending = Box::pin(async {
            if matches!(removal, Removal::Leaving) {
                return leaving::end_due(&world.db, &world.cx, (world.cx.now, 10)).await.map(drop);
            }
            let end = async |tx: &mut Tx<Tenant>| match removal {
                Removal::Directory => users::delete(tx, &world.cx, &made).await,
                _ => users::remove(tx, &world.cx, &grace).await,
            };
            committed(&world.db, tenant, end).await
        });
        let ending = meanwhile_then(&world.db, open, ending, async |open: &mut _| {
            let renamed = tenant_users::set_username(open, &world.cx, &grace, Some("grace.hopper"));
            assert!(renamed.await.unwrap());
        });
        ending.await.unwrap();
        let mut tx = world.db.read(tenant).await.unwrap();
        let found = tenant_users::find(&mut tx, made.id).await.unwrap();
        assert_eq!(found.map(|grace| grace.status), Some(Status::Removed), "{removal:?}");
    }
}
