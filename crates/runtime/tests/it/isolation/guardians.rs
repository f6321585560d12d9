//! Guardians of one tenant that operations name.

use svc_core::{Cx, Seconds, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::claims::profile::Profile;
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::guardians;
use svc_domain::people::tenant_users::{self, NewMember, Person};

use crate::harness::Site;

/// A guardian of the person, another's guardian that the person is, and an invitation to be one. Both who have guardians ask them
/// for recovery.
pub async fn guardians(site: &Site<'_>, person: TenantUserId) -> [String; 3] {
    let cx = site.harness.operator();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let subject = tenant_users::find(&mut tx, person).await.unwrap().unwrap();
    let mut others = Vec::new();
    for name in ["first", "second", "third", "ward", "asker"] {
        let email = Email::parse(&format!("{name}@{}.example", site.tenant.slug)).unwrap();
        let new = NewAccount {
            email: Some(email),
            email_verified: true,
            password: None,
            profile: Profile::default(),
        };
        let account = accounts::create(&mut tx, &cx, &new).await.unwrap();
        let id = tenant_users::create(&mut tx, &cx, NewMember::of(account)).await.unwrap();
        others.push(tenant_users::find(&mut tx, id).await.unwrap().unwrap());
    }
    let [first, second, third, ward, asker] = others.try_into().unwrap();
    for (of, all) in [(&subject, [&first, &second, &third]), (&ward, [&subject, &first, &second])] {
        for guardian in all {
            let invitation = invitation_of(&mut tx, &cx, (of, guardian)).await;
            assert!(guardians::accept(&mut tx, &cx, guardian, &invitation).await.unwrap());
        }
        let rules = guardians::Rules { threshold: 2, wait: Seconds(86_400) };
        guardians::set_rules(&mut tx, &cx, of, rules).await.unwrap();
        let digest = svc_keys::digest(&of.subject);
        let new = guardians::NewBrowser { digest, code: "12345678", user_agent: "" };
        let terms = guardians::Terms { least_wait: Seconds(3600), lifetime: Seconds(86_400) };
        assert!(guardians::open(&mut tx, &cx, of, (new, terms)).await.unwrap().is_some());
    }
    let of_subject = guardians::of_person(&mut tx, &cx, subject.id).await.unwrap().remove(0);
    let of_ward = guardians::of_person(&mut tx, &cx, ward.id).await.unwrap();
    let of_ward = of_ward.iter().find(|one| one.guardian == Some(subject.id)).unwrap();
    let inviting = invitation_of(&mut tx, &cx, (&asker, &subject)).await;
    tx.commit().await.unwrap();
    [of_subject.id, of_ward.id, inviting.id].map(|id| id.to_string())
}

async fn invitation_of(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (of, guardian): (&Person, &Person),
) -> guardians::Guardian {
    let email = Email::parse(guardian.email.as_deref().unwrap()).unwrap();
    match guardians::invite(tx, cx, of, (&email, Seconds(86_400))).await.unwrap() {
        guardians::Invited::Invited(id) => guardians::find(tx, cx, id).await.unwrap().unwrap(),
        other => panic!("{other:?}"),
    }
}
