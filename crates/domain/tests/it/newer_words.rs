//! What becomes of a record whose document has a word that a newer version has added to a closed list: it gives no more rights.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;
use svc_config::Config;
use svc_db::{SystemSql, args};
use svc_domain::tenancy::tenants::Tenants;
use svc_domain::{apis, apps};

use crate::world::World;

/// What becomes of a record whose document has an unknown word.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fate {
    /// It is there, with the default of the member.
    FallsBack,
    /// It is as good as absent.
    IsAbsent,
}

/// Every member of a stored document that takes a word of a closed list, by the enum that lists the words.
const WORDS: &[(&str, &str, &str, Fate)] = &[
    ("Kind", "apps", "type", Fate::FallsBack),
    ("AuthMethod", "apps", "token_endpoint_auth_method", Fate::IsAbsent),
    ("AuthMethod", "apps", "additional_auth_methods", Fate::FallsBack),
    ("RequirePkce", "apps", "require_pkce", Fate::IsAbsent),
    ("OrNonce", "apps", "require_pkce", Fate::IsAbsent),
    ("Algorithm", "apps", "id_token_signed_response_alg", Fate::IsAbsent),
    ("IdTokenClaims", "apps", "id_token_claims", Fate::IsAbsent),
    ("Algorithm", "apps", "userinfo_signed_response_alg", Fate::IsAbsent),
    ("Algorithm", "apps", "authorization_signed_response_alg", Fate::IsAbsent),
    ("Algorithm", "apps", "introspection_signed_response_alg", Fate::IsAbsent),
    ("Profile", "apps", "profile", Fate::IsAbsent),
    ("Algorithm", "apps", "token_endpoint_auth_signing_alg", Fate::IsAbsent),
    ("Algorithm", "apps", "request_object_signing_alg", Fate::IsAbsent),
    ("Algorithm", "apps", "backchannel_authentication_request_signing_alg", Fate::IsAbsent),
    ("OrganizationUsage", "apps", "organization_usage", Fate::IsAbsent),
    ("SubjectForm", "apps", "subject_type", Fate::IsAbsent),
    ("Source", "apps", "custom_claims", Fate::FallsBack),
    ("Source", "apis", "custom_claims", Fate::FallsBack),
    ("AccessTokenTyp", "apis", "access_token_typ", Fate::FallsBack),
    ("PersonClaim", "apis", "access_token_claims", Fate::FallsBack),
];

/// Enums that are in a document as a whole: the causes of signals, the choices of imports and of hooks, and where streams of the audit
/// log go, which are absent then. A hook of an unknown kind refuses at the points that this version reaches; a connection or a connector of
/// one vouches for no person, sign-in rules of one are the strictest, a SCIM schema, a target or a sign-up field of one is absent, what a
/// person accepted on a way of one is asked for again, a mail of one is tried again until a process of its version has it, and settings of a
/// tenant with one are a fault.
const WHOLE: &[&str] = &[
    "AttributeType",
    "ClientAuth",
    "Demand",
    "Destination",
    "FieldType",
    "KeptIn",
    "Mail",
    "Mutability",
    "Notice",
    "OnConflict",
    "OnFailure",
    "OnRemoval",
    "Point",
    "Preset",
    "Pushed",
    "Returned",
    "Uniqueness",
    "UpdateWith",
    "UserName",
    "Way",
    "What",
    "WhenAsked",
];

/// Enums that requests and columns are read into, and no document.
const ELSEWHERE: &[&str] = &[
    // What an audit log is narrowed by, which a request names.
    "ActorKind",
    "Begin",
    "DeliveryState",
    "Format",
    "InitialStatus",
    "Level",
    // Of an archive, whose container has a version of its own.
    "Line",
    "LinkKind",
    "LinkState",
    // The order of a list, which a request names.
    "Order",
    "Outcome",
    "Proof",
    "RequirePkceValue",
    // An operator whose role is a newer one may only read.
    "Role",
    // Of a tenant, which a list of operators names.
    "Standing",
    "State",
    "Status",
    "SubjectType",
    // A passkey of a newer kind is a fault of its own, which leaves the other ways to sign in.
    "Use",
    "Verdict",
];

#[tokio::test]
async fn a_stored_word_of_a_newer_version_gives_no_more_rights_and_is_no_fault() {
    for &(_, table, member, fate) in WORDS {
        let world = World::new().await;
        let tenant = world.tenant("acme").await;
        let mut made =
            [world.app(tenant, "a").await, world.app(tenant, "b").await, world.app(tenant, "c").await];
        made.sort_by_key(|app| app.id);
        let [first, app, last] = made;
        let mut tx = world.db.begin(tenant).await.unwrap();
        let new = serde_json::from_value(json!({ "name": "Notes" })).unwrap();
        let api = apis::create(&mut tx, &world.cx, "https://notes.example", &new).await.unwrap();
        tx.commit().await.unwrap();
        let (id, stored) = if table == "apps" {
            (app.id.to_string(), serde_json::to_value(&app.configuration).unwrap())
        } else {
            (api.id.to_string(), serde_json::to_value(&api.configuration).unwrap())
        };
        with_word(&world, (table, &id), stored, member).await;

        let whole = Tenants::new(world.db.clone(), &Config::default()).unwrap().by_id(tenant).await.unwrap();
        let mut tx = world.db.read(tenant).await.unwrap();
        let (is_there, listed) = if table == "apps" {
            let found = apps::find(&mut tx, app.id).await.unwrap();
            assert_eq!(found.is_some(), apps::find_by_handle(&mut tx, &app.handle).await.unwrap().is_some());
            if let Some(found) = &found {
                assert_eq!(found.configuration, app.configuration, "{member}");
            }
            // A page is full as long as there are records: what is left out ends no list.
            let page = apps::list(&mut tx, (None, 2)).await.unwrap();
            let expected = if found.is_some() { [first.id, app.id] } else { [first.id, last.id] };
            assert_eq!(page.iter().map(|app| app.id).collect::<Vec<_>>(), expected);
            (found.is_some(), true)
        } else {
            let found = apis::find(&mut tx, &whole, api.id).await.unwrap();
            let listed = apis::list(&mut tx, &whole, (None, 1)).await.unwrap();
            (found.is_some_and(|found| found.configuration == api.configuration), listed.len() == 1)
        };
        assert_eq!((is_there, listed), (fate == Fate::FallsBack, true), "{table}.{member}");
    }
}

/// Gives a member of a document a word that no version here knows.
async fn with_word(world: &World, (table, id): (&str, &str), mut stored: serde_json::Value, member: &str) {
    let unknown = json!("of_a_newer_version");
    stored[member] = match member {
        "additional_auth_methods" | "access_token_claims" => json!([unknown]),
        "custom_claims" => json!([{ "name": "claim", "from": unknown }]),
        _ => unknown,
    };
    let text = format!("UPDATE {table} SET configuration = $1 WHERE id = $2");
    let mut tx = world.db.begin_system().await.unwrap();
    let changed = tx.execute(SystemSql::new(text.leak()), args![stored.to_string(), id]).await.unwrap();
    assert_eq!(changed, 1);
    tx.commit().await.unwrap();
}

#[test]
fn every_enum_that_documents_are_made_of_is_known_here() {
    let mut stored = BTreeSet::new();
    enums_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut stored);
    let known = WORDS.iter().map(|(name, ..)| *name).chain(WHOLE.iter().copied());
    // What other crates define is not found here.
    let expected: BTreeSet<_> =
        known.filter(|name| *name != "Algorithm").chain(ELSEWHERE.iter().copied()).collect();
    assert_eq!(stored.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected);
}

/// Enums that can be read from a document: those of this crate that derive `Deserialize`.
fn enums_below(folder: &Path, found: &mut BTreeSet<String>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            enums_below(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for item in text
            .split("#[derive(")
            .skip(1)
            .filter(|item| item.split(')').next().unwrap().contains("Deserialize"))
        {
            let declared =
                item.lines().find(|line| line.contains("enum ") || line.contains("struct ")).unwrap();
            let name = declared.split_once("enum ").map(|(_, rest)| rest.split([' ', '<']).next().unwrap());
            found.extend(name.map(str::to_owned));
        }
    }
}
