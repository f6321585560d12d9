//! The forms of what a tenant asks its people for.

use serde_json::{Value, json};
use svc_http::Method;

use super::World;
use crate::harness::{Answer, Browser};

type Filled = (Answer, Vec<(&'static str, String)>);

async fn add(world: &World<'_>, resource: &str, body: Value) -> String {
    let token = world.site.mint(|_| ());
    let made = world.site.call(Method::POST, &format!("/api/v1/{resource}"), Some(&token), Some(body)).await;
    made.expect(201).json()["id"].as_str().unwrap().to_owned()
}

/// An application on the way to which an answer is asked for, so that other errands are not asked.
async fn application<'h>(world: &World<'h>, name: &str, required: bool) -> crate::harness::Client<'h> {
    let app = world.site.app(&format!("{name}-asking")).await;
    let field = json!({
        "name": format!("{name}_team"), "type": "text", "language": "en", "required": required, "order": 1,
        "texts": { "en": { "label": "Team" } }, "application_ids": [app.id],
    });
    add(world, "sign-up-fields", field).await;
    app
}

/// A name of a field, which lives as long as the names of other fields of forms.
fn input(name: &str) -> &'static str {
    format!("field_{name}_team").leak()
}

/// Opens the page of what is owed.
pub async fn complete<'h>(world: &World<'h>, browser: &mut Browser<'h>, name: &str) -> Filled {
    let app = application(world, &format!("{name}_owed").replace('-', "_"), true).await;
    world.first.code_in(browser, &world.ada).await;
    let led = browser.get(&app.authorize_path(&app.verifier(), &[])).await.expect(303);
    let page = browser.get(led.location()).await.expect(200);
    let name = format!("{name}_owed").replace('-', "_");
    (page, vec![("decision", "continue".to_owned()), (input(&name), "Acme".to_owned())])
}

/// Opens what the person has answered.
pub async fn details<'h>(world: &World<'h>, browser: &mut Browser<'h>, name: &str) -> Filled {
    let name = format!("{name}_own").replace('-', "_");
    let _ = application(world, &name, false).await;
    world.first.code_in(browser, &world.ada).await;
    let page = browser.get("/account/details").await.expect(200);
    // What the errand before has asked for is required too.
    let inputs =
        page.body.split(" name=\"field_").skip(1).map(|part| part.split('"').next().unwrap().to_owned());
    let fields = inputs.map(|input| (&*format!("field_{input}").leak(), "Acme".to_owned()));
    (page.clone(), fields.collect())
}

/// Opens what the person has accepted.
pub async fn terms<'h>(world: &World<'h>, browser: &mut Browser<'h>, name: &str) -> Filled {
    let document = json!({
        "key": format!("news-{name}"), "label": name, "language": "en", "required": false, "effective_at": world.site.harness.operator().now,
        "documents": { "en": { "title": "News", "url": "https://acme.example/news" } },
    });
    let id = add(world, "terms", document).await;
    world.first.code_in(browser, &world.ada).await;
    let page = browser.get("/account/terms").await.expect(200);
    (page, vec![(&*format!("terms_{id}").leak(), "yes".to_owned())])
}
