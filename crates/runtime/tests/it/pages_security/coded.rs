//! Forms to which a code leads that was sent by mail or by text message.

use svc_keys::digest;

use super::{NEW_PASSWORD, World};
use crate::harness::{Answer, Browser};
use crate::sent_codes::digits_in;

/// Opens the page of such a form, with what is typed there.
pub async fn open<'h>(
    world: &World<'h>,
    browser: &mut Browser<'h>,
    (path, name): (&str, &str),
) -> (Answer, Vec<(&'static str, String)>) {
    if path == "/auth/forgot/password" {
        return (recovered(world, browser, name).await, vec![("password", NEW_PASSWORD.to_owned())]);
    }
    let page = world.sign_in_page(browser).await;
    let form = browser.get(&page.link("register-link")).await;
    let email = format!("{name}-{}@new.example", path.rsplit('/').next().unwrap());
    let asked = browser.submit(&form, &[("email", email.as_str()), ("by", "code")]).await.expect(200);
    let code = mailed(world, &email).await;
    if path == "/auth/register/code" {
        return (asked, vec![("code", code)]);
    }
    (browser.submit(&asked, &[("code", &code)]).await, vec![("name", "New Comer".to_owned())])
}

/// The page of the new password, for a person who has proven their phone.
async fn recovered<'h>(world: &World<'h>, browser: &mut Browser<'h>, name: &str) -> Answer {
    let person = world.site.user(&format!("{name}-phoned")).await;
    let number: u32 =
        digest(&person.email).0.iter().fold(0, |sum, byte| sum * 31 % 9_000_000 + u32::from(*byte));
    let number = format!("+4420{:08}", number + 10_000_000);
    world.site.phone(person.id, &number).await;
    world.site.harness.advance(1);
    let page = world.sign_in_page(browser).await;
    let page = browser.get(&page.link("forgot-link")).await;
    let form = browser.get(&page.link("sms-link")).await;
    let asked = browser.submit(&form, &[("phone", &number)]).await.expect(200);
    let texts = world.site.harness.texts().await;
    let newest = texts.iter().filter(|text| text.to == number).max_by_key(|text| (text.sent_at, text.id));
    let code = newest.expect("a text message").body.split(' ').next().unwrap().to_owned();
    let proven = browser.submit(&asked, &[("code", &code)]).await.expect(303);
    browser.get(proven.location()).await
}

/// The code of the newest mail to an address.
async fn mailed(world: &World<'_>, to: &str) -> String {
    let newest = world.site.harness.newest_mail_to(to).await;
    digits_in(&newest.text).expect("a code")
}
