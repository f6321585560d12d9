//! How the forms of the account centre are opened.

use super::World;
use crate::harness::browser::Form;
use crate::harness::{Answer, Browser};
use crate::isolation::records::delegation;

/// Opens a section of the account centre, with the fields that its form wants.
pub async fn open<'h>(
    world: &World<'h>,
    browser: &mut Browser<'h>,
    path: &'static str,
    name: &str,
) -> (Answer, Vec<(&'static str, String)>) {
    let field = |name, value: &str| (name, value.to_owned());
    match path {
        "/account/keep" => {
            let page = world.sign_in_page(browser).await;
            let flow = &Form::of(&page).hidden[0].1;
            let _ = browser.post("/auth/sign-in", &[("flow", flow), ("method", "anonymous")]).await;
            (browser.get(path).await, vec![field("email", &format!("{name}@kept.example"))])
        }
        "/account/profile" => {
            world.first.code_in(browser, &world.ada).await;
            (browser.get(path).await, vec![field("name", "Ada King")])
        }
        "/account/email" => {
            let person = world.site.user(&format!("{name}-mover")).await;
            world.first.code_in(browser, &person).await;
            (browser.get(path).await, vec![field("email", &format!("{name}@moved.example"))])
        }
        "/account/phone" => {
            let person = world.site.user(&format!("{name}-texted")).await;
            world.first.code_in(browser, &person).await;
            (browser.get(path).await, vec![field("action", "send"), field("phone", "+442079460777")])
        }
        "/account/password" => {
            world.first.code_in(browser, &world.ada).await;
            (browser.get(path).await, vec![field("password", &world.ada.password)])
        }
        "/account/second-factors" => {
            world.first.code_in(browser, &world.ada).await;
            (browser.get(path).await, vec![field("action", "begin")])
        }
        "/account/backup-codes" => {
            let person = world.site.user(&format!("{name}-careful")).await;
            world.first.code_in(browser, &person).await;
            world.site.second_factor(person.id).await;
            (browser.get(path).await, vec![field("action", "make")])
        }
        "/account/identities" => {
            let person = world.site.user(&format!("{name}-connected")).await;
            world.first.code_in(browser, &person).await;
            world.site.identity(person.id).await;
            (browser.get(path).await, vec![field("action", "remove")])
        }
        "/account/sessions" => {
            world.first.code_in(&mut world.site.browser(), &world.ada).await;
            world.first.code_in(browser, &world.ada).await;
            (browser.get(path).await, vec![field("session", "others")])
        }
        "/account/accounts" => {
            let page = two_accounts(world, browser, &format!("{name}-both")).await;
            let fields = vec![field("use", &value_of(&page, "use"))];
            (page, fields)
        }
        "/account/organizations" => {
            let guest = world.site.user(&format!("{name}-member")).await;
            let made = world.site.organization(&format!("{name}-club"), world.ada.id).await;
            world.site.member(&made, guest.id).await;
            world.first.code_in(browser, &guest).await;
            (browser.get(path).await, vec![field("organization", &made.id.to_string())])
        }
        "/account/delegations" => {
            let id = delegation(&world.site, world.first.id.parse().unwrap(), world.ada.id).await;
            world.first.code_in(browser, &world.ada).await;
            (browser.get(path).await, vec![field("delegation", &id)])
        }
        "/account/data" => {
            world.first.code_in(browser, &world.ada).await;
            (browser.get(path).await, Vec::new())
        }
        "/account/deletion" => {
            let person = world.site.user(&format!("{name}-leaver")).await;
            world.first.code_in(browser, &person).await;
            (browser.get(path).await, vec![field("sure", "yes"), field("action", "delete")])
        }
        other => panic!("{other} has no errand: say how its form is opened"),
    }
}

/// The accounts of a browser in which two people are signed in.
pub async fn two_accounts<'h>(world: &World<'h>, browser: &mut Browser<'h>, name: &str) -> Answer {
    let other = world.site.user(name).await;
    world.first.code_in(browser, &world.ada).await;
    world.first.code_with(browser, &other, &[("prompt", "login")]).await;
    browser.get("/account/accounts").await
}

/// The value of the first button of this name.
pub fn value_of(page: &Answer, name: &str) -> String {
    let rest = page.body.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap();
    rest.split('"').next().unwrap().to_owned()
}
