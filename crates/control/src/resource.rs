//! A tenant's resource as it is declared: its address, the scopes that open it with their sentences, its operations.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use svc_domain::tokens::access_token::SubjectType;
use svc_http::{App, Documented, FirstParam, Handler, Route, Routes, TenantCx, Unguarded};

use crate::record::{self, Record};

/// An application acts for a person here, and never for itself.
const PEOPLE: &[SubjectType] = &[SubjectType::Human];

/// A resource of the management API.
pub(crate) struct Resource {
    path: &'static str,
    tag: &'static str,
    word: &'static str,
    former_word: Option<&'static str>,
    reading: Option<&'static str>,
    writing: Option<&'static str>,
    routes: Vec<Route>,
}

/// A scope with the sentence that people read at consent.
pub(crate) type ScopeSentence = (&'static str, &'static str);

impl Resource {
    /// The resource at `/api/v1/<path>`; its scopes have the name of the last word of the path.
    pub(crate) fn at(path: &'static str, tag: &'static str) -> Self {
        let word = path.rsplit('/').next().unwrap_or(path);
        Self { path, tag, word, former_word: None, reading: None, writing: None, routes: Vec::new() }
    }

    /// Its scopes have this name instead.
    pub(crate) fn named(mut self, word: &'static str) -> Self {
        self.word = word;
        self
    }

    /// The scope `<word>:read` opens its reads.
    pub(crate) fn may_read(mut self, sentence: &'static str) -> Self {
        self.reading = Some(sentence);
        self
    }

    /// The scope `<word>:write` opens its writes.
    pub(crate) fn may_write(mut self, sentence: &'static str) -> Self {
        self.writing = Some(sentence);
        self
    }

    /// The scopes had another word, which is accepted until 1.0.
    pub(crate) fn formerly(mut self, word: &'static str) -> Self {
        self.former_word = Some(word);
        self
    }

    /// List, create, read, replace, change in part and delete.
    pub(crate) fn crud<R: Record>(self) -> Self {
        self.crud_with::<R, _, _>(said("Replace the writable fields of", R::ONE), record::replace::<R>)
    }

    /// The same with another `PUT`.
    pub(crate) fn crud_with<R, H, T>(self, putting: &'static str, put: H) -> Self
    where
        R: Record,
        H: Handler<T, App> + Documented<T>,
        T: FirstParam<First = TenantCx> + 'static,
    {
        let one = "{id}";
        self.get("", said("List", R::MANY), record::list::<R>)
            .post("", said("Create", R::ONE), record::create::<R>)
            .get(one, said("Read", R::ONE), record::read::<R>)
            .put(one, putting, put)
            .patch(one, said("Change some fields of", R::ONE), record::change::<R>)
            .delete(one, said("Delete", R::ONE), record::delete::<R>)
    }

    /// A read at `<path>/<below>`.
    pub(crate) fn get<H, T>(self, below: &str, summary: &'static str, handler: H) -> Self
    where
        H: Handler<T, App> + Documented<T>,
        T: FirstParam<First = TenantCx> + 'static,
    {
        let scope = kept(format!("{}:read", self.word));
        let former = self.former_word.map(|word| kept(format!("{word}:read")));
        self.add(below, |path| Route::get(path).tenant(scope, handler).summary(summary), former)
    }

    /// A write by `POST`.
    pub(crate) fn post<H, T>(self, below: &str, summary: &'static str, handler: H) -> Self
    where
        H: Handler<T, App> + Documented<T>,
        T: FirstParam<First = TenantCx> + 'static,
    {
        self.write(Route::post, below, summary, handler)
    }

    /// A write by `POST` that people alone make, soon after they have signed in.
    pub(crate) fn post_recently<H, T>(self, below: &str, summary: &'static str, handler: H) -> Self
    where
        H: Handler<T, App> + Documented<T>,
        T: FirstParam<First = TenantCx> + 'static,
    {
        let scope = kept(format!("{}:write", self.word));
        let route = |path| {
            let route = Route::post(path).tenant(scope, handler).summary(summary).idempotent();
            route.subject_types(PEOPLE).recent_sign_in()
        };
        self.add(below, route, None)
    }

    /// A write by `PUT`.
    pub(crate) fn put<H, T>(self, below: &str, summary: &'static str, handler: H) -> Self
    where
        H: Handler<T, App> + Documented<T>,
        T: FirstParam<First = TenantCx> + 'static,
    {
        self.write(Route::put, below, summary, handler)
    }

    /// A write by `PUT` of a body of up to so many bytes.
    pub(crate) fn put_large<H, T>(self, below: &str, summary: &'static str, bytes: usize, handler: H) -> Self
    where
        H: Handler<T, App> + Documented<T>,
        T: FirstParam<First = TenantCx> + 'static,
    {
        self.write(Route::put, below, summary, handler).last_takes(bytes)
    }

    /// A write by `POST` of a body of up to so many bytes.
    pub(crate) fn post_large<H, T>(self, below: &str, summary: &'static str, bytes: usize, handler: H) -> Self
    where
        H: Handler<T, App> + Documented<T>,
        T: FirstParam<First = TenantCx> + 'static,
    {
        self.write(Route::post, below, summary, handler).last_takes(bytes)
    }

    /// A write by `PATCH`.
    pub(crate) fn patch<H, T>(self, below: &str, summary: &'static str, handler: H) -> Self
    where
        H: Handler<T, App> + Documented<T>,
        T: FirstParam<First = TenantCx> + 'static,
    {
        self.write(Route::patch, below, summary, handler)
    }

    /// A write by `DELETE`.
    pub(crate) fn delete<H, T>(self, below: &str, summary: &'static str, handler: H) -> Self
    where
        H: Handler<T, App> + Documented<T>,
        T: FirstParam<First = TenantCx> + 'static,
    {
        self.write(Route::delete, below, summary, handler)
    }

    /// Its scopes.
    pub(crate) fn scopes(&self) -> Vec<ScopeSentence> {
        let named = |action: &str, sentence: Option<&'static str>| {
            let words = [Some(self.word), self.former_word].into_iter().flatten();
            words
                .filter_map(move |word| Some((kept(format!("{word}:{action}")), sentence?)))
                .collect::<Vec<_>>()
        };
        named("read", self.reading).into_iter().chain(named("write", self.writing)).collect()
    }

    /// Its operations.
    pub(crate) fn routes(self) -> Routes {
        Routes::new(self.routes)
    }

    fn write<H, T>(
        self,
        method: fn(&'static str) -> Unguarded,
        below: &str,
        summary: &'static str,
        handler: H,
    ) -> Self
    where
        H: Handler<T, App> + Documented<T>,
        T: FirstParam<First = TenantCx> + 'static,
    {
        let scope = kept(format!("{}:write", self.word));
        let former = self.former_word.map(|word| kept(format!("{word}:write")));
        let route = |path| method(path).tenant(scope, handler).summary(summary).idempotent();
        self.add(below, route, former)
    }

    /// The operation that was added last takes bodies of up to so many bytes.
    fn last_takes(mut self, bytes: usize) -> Self {
        let last = self.routes.pop().map(|route| route.body_limit(bytes));
        self.routes.extend(last);
        self
    }

    fn add(
        mut self,
        below: &str,
        route: impl FnOnce(&'static str) -> Route,
        former_scope: Option<&'static str>,
    ) -> Self {
        let separator = if below.is_empty() { "" } else { "/" };
        let route = route(kept(format!("/api/v1/{}{separator}{below}", self.path))).tag(self.tag);
        self.routes.push(match former_scope {
            Some(former) => route.formerly(former),
            None => route,
        });
        self
    }
}

fn said(verb: &str, what: &str) -> &'static str {
    kept(format!("{verb} {what}"))
}

/// Addresses and scopes live as long as the process; each is kept once, however often routes are declared.
fn kept(text: String) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(same) = kept.get(text.as_str()) {
        return same;
    }
    let text: &'static str = Box::leak(text.into_boxed_str());
    kept.insert(text);
    text
}
