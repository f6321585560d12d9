//! Less than was granted (RFC 9396 §6.1): at the code, at a refresh, and at every exchange.

use serde_json::{Value, json};
use svc_http::Method;

use super::{BANK, PAYMENT, World, account, bank, carried, payment, refresh};
use crate::harness::Harness;
use crate::harness::client::Pairs;

const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";
const NAME: &str = "authorization_details";

#[tokio::test]
async fn a_code_may_be_exchanged_for_less_and_the_refresh_token_keeps_the_whole() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let granted = json!([account(&["list", "read"]), payment("5.00", "Merchant")]);
    let code = world.code(&world.web, &granted).await;
    let more = json!([account(&["list", "write"])]).to_string();
    let refused = world.web.exchange_with(&code, &[(NAME, &more)]).await;
    let _ = refused.expect_problem(400, "invalid_authorization_details");
    let less = json!([account(&["read"])]);
    let response = world.web.exchange_with(&code, &[(NAME, &less.to_string())]).await.expect(200).json();
    assert_eq!((&response[NAME], carried(&response)), (&less, less.clone()));
    let whole = refresh(&world.web, &response, &[]).await.expect(200).json();
    assert_eq!(carried(&whole), granted);
    let none = refresh(&world.web, &whole, &[(NAME, "[]")]).await.expect(200).json();
    assert_eq!((none.get(NAME), carried(&none)), (None, Value::Null));
    let again = refresh(&world.web, &none, &[]).await.expect(200).json();
    assert_eq!(carried(&again), granted);
}

#[tokio::test]
async fn a_refresh_never_asks_for_more_or_for_the_same_twice() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let paid = payment("5.00", "Merchant");
    let response = world.tokens(&world.web, &json!([paid])).await;
    for more in [
        json!([paid, paid]),
        json!([payment("6.00", "Merchant")]),
        json!([payment("5.00", "Thief")]),
        json!([paid, account(&["read"])]),
        json!([{ "type": PAYMENT }]),
        json!({}),
    ] {
        let refused = refresh(&world.web, &response, &[(NAME, &more.to_string())]).await;
        let _ = refused.expect_problem(400, "invalid_authorization_details");
    }
    let _ = refresh(&world.web, &response, &[]).await.expect(200);
}

#[tokio::test]
async fn a_lost_answer_is_repeated_for_the_same_wish_only() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let granted = json!([account(&["list", "read"])]);
    let response = world.tokens(&world.web, &granted).await;
    let less = json!([account(&["read"])]).to_string();
    let first = refresh(&world.web, &response, &[(NAME, &less)]).await.expect(200).json();
    let again = refresh(&world.web, &response, &[(NAME, &less)]).await.expect(200).json();
    assert_eq!(again["refresh_token"], first["refresh_token"]);
    assert_eq!(carried(&again), json!([account(&["read"])]));
    let _ = refresh(&world.web, &response, &[]).await.expect_problem(400, "invalid_grant");
    let _ = refresh(&world.web, &first, &[]).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn an_exchange_passes_on_the_same_or_less_and_nothing_to_another_api() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    bank(&world.site, "https://broker.example").await;
    let agent = super::client(&world.site, "agent", true).await;
    let granted = json!([account(&["list", "read"]), payment("5.00", "Merchant")]);
    let response = world.tokens(&world.web, &granted).await;
    let subject_token = response["access_token"].as_str().unwrap();
    let form = [
        ("grant_type", EXCHANGE),
        ("subject_token", subject_token),
        ("subject_token_type", ACCESS_TOKEN),
        ("audience", BANK),
    ];
    let exchange = |changes| agent.token(&form, changes);
    assert_eq!(carried(&exchange(&[]).await.expect(200).json()), granted);
    let less = json!([account(&["read"])]);
    let text = less.to_string();
    let changes = [(NAME, text.as_str()), ("scope", "bank:use offline_access")];
    let narrowed = exchange(&changes).await.expect(200).json();
    assert_eq!(carried(&narrowed), less);
    let refreshed = refresh(&agent, &narrowed, &[]).await.expect(200).json();
    assert_eq!(carried(&refreshed), less, "what was given up does not come back");
    let whole = granted.to_string();
    let wider: Pairs<'_> = &[(NAME, whole.as_str())];
    let chained = [form[0], ("subject_token", narrowed["access_token"].as_str().unwrap()), form[2], form[3]];
    let third = super::client(&world.site, "third", true).await;
    let _ = third.token(&chained, wider).await.expect_problem(400, "invalid_authorization_details");
    assert_eq!(carried(&third.token(&chained, &[]).await.expect(200).json()), less);
    let elsewhere = [("audience", "https://broker.example")];
    assert_eq!(carried(&exchange(&elsewhere).await.expect(200).json()), Value::Null);
    let crossing = [elsewhere[0], (NAME, text.as_str())];
    let _ = exchange(&crossing).await.expect_problem(400, "invalid_authorization_details");
    let bare = world.site.app_with("bare", |app| app.scope = agent.configuration.scope.clone()).await;
    let dropped = bare.token(&form, &[]).await.expect(200).json();
    assert_eq!(carried(&dropped), Value::Null, "an actor has no type that it may not ask for itself");

    let token = world.site.mint(|_| ());
    let listed =
        world.site.call(Method::GET, "/api/v1/delegations", Some(&token), None).await.expect(200).json();
    let links = listed["data"].as_array().unwrap();
    let with =
        |details: &Value| links.iter().filter(|link| link["authorization_details"] == *details).count();
    assert_eq!((with(&granted), with(&less), with(&json!([]))), (1, 2, 2));
    let whole = links.iter().find(|link| link["authorization_details"] == granted).unwrap();
    assert_eq!(whole["details"][1], json!("Pay 5.00 EUR to Merchant"));
}
