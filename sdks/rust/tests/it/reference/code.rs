//! Declarations as the sources have them, without what is private.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{
    Attribute, Field, Fields, FnArg, Generics, ImplItemFn, Item, ItemEnum, ItemImpl, ItemStruct, ItemTrait,
    Pat, Signature, TraitItem,
};

use super::{comment, tree};

const PRIVATE: &str = "/* private fields */";

/// The text of a part of a source.
pub fn of(part: &impl Spanned) -> String {
    part.span().source_text().unwrap_or_default()
}

/// The kind of an item, and its declaration.
pub fn item(item: &Item) -> (&'static str, String) {
    match item {
        Item::Struct(one) => ("struct", structure(one)),
        Item::Enum(one) => ("enum", enumeration(one)),
        Item::Trait(one) => ("trait", interface(one)),
        Item::Fn(one) => ("fn", signature(one.vis.span(), &one.sig)),
        Item::Const(one) => ("const", between(one.vis.span(), one.semi_token.span)),
        Item::Type(one) => ("type", between(one.vis.span(), one.semi_token.span)),
        _ => panic!("the reference does not know this kind of item"),
    }
}

/// A method, within its `impl` where that says more than whose it is.
pub fn method(of: &ItemImpl, method: &ImplItemFn) -> String {
    let declared = signature(method.vis.span(), &method.sig);
    if is_generic(of) {
        return format!("{} {{\n    {declared};\n}}", head(of));
    }
    declared.replace("\n    ", "\n")
}

/// Whether an implementation has types as parameters.
pub fn is_generic(one: &ItemImpl) -> bool {
    one.generics.type_params().next().is_some()
}

/// An implementation without its body.
pub fn head(one: &ItemImpl) -> String {
    let condition = one.generics.where_clause.as_ref().map(|all| format!("\n{}", of(all)));
    between(one.impl_token.span, one.self_ty.span()) + &condition.unwrap_or_default()
}

fn structure(one: &ItemStruct) -> String {
    let start = format!("pub struct {}{}", one.ident, generics(&one.generics));
    match &one.fields {
        Fields::Named(fields) => {
            let is_public = |field: &&Field| tree::is_public(&field.vis);
            let public = fields.named.iter().filter(is_public);
            let mut lines: Vec<String> =
                public.map(|field| declared(&field.attrs, &member(field), ",")).collect();
            if fields.named.len() > lines.len() {
                lines.push(format!("    {PRIVATE}"));
            }
            format!("{start} {{\n{}\n}}", lines.join("\n"))
        }
        Fields::Unnamed(fields) if fields.unnamed.iter().all(|field| tree::is_public(&field.vis)) => {
            format!("{start}{};", of(fields))
        }
        Fields::Unnamed(_) => format!("{start}({PRIVATE});"),
        Fields::Unit => format!("{start};"),
    }
}

fn member(field: &Field) -> String {
    between(field.vis.span(), field.ty.span())
}

fn enumeration(one: &ItemEnum) -> String {
    let variants = one.variants.iter().map(|variant| {
        let fields = if variant.fields.is_empty() { String::new() } else { of(&variant.fields) };
        let gap = if matches!(variant.fields, Fields::Named(_)) { " " } else { "" };
        declared(&variant.attrs, &format!("{}{gap}{fields}", variant.ident), ",")
    });
    let lines: Vec<String> = variants.collect();
    format!("pub enum {}{} {{\n{}\n}}", one.ident, generics(&one.generics), lines.join("\n"))
}

fn interface(one: &ItemTrait) -> String {
    let members = one.items.iter().map(|item| match item {
        TraitItem::Fn(method) => {
            let end = if method.default.is_some() { " { … }" } else { ";" };
            declared(&method.attrs, &signature(method.sig.span(), &method.sig), end)
        }
        TraitItem::Type(kind) => {
            declared(&kind.attrs, &between(kind.type_token.span, kind.semi_token.span), "")
        }
        _ => panic!("{}: the reference does not know this kind of member", one.ident),
    });
    let members: Vec<String> = members.collect();
    let end = one.supertraits.last().map_or(one.generics.span(), Spanned::span);
    let end =
        if one.supertraits.is_empty() && one.generics.params.is_empty() { one.ident.span() } else { end };
    format!("{} {{\n{}\n}}", between(one.vis.span(), end), members.join("\n\n"))
}

/// A member with its comment, one step to the right.
fn declared(attrs: &[Attribute], code: &str, end: &str) -> String {
    let comment: String =
        comment(attrs).iter().map(|line| format!("    {}\n", format!("/// {line}").trim_end())).collect();
    format!("{comment}    {code}{end}")
}

/// Whether a function changes its parameters is its own affair.
fn signature(start: Span, of: &Signature) -> String {
    let mut text = between(start, of.span());
    for input in &of.inputs {
        if let FnArg::Typed(typed) = input
            && let Pat::Ident(name) = &*typed.pat
            && name.mutability.is_some()
        {
            text = text.replace(&format!("mut {}:", name.ident), &format!("{}:", name.ident));
        }
    }
    text
}

fn generics(of_item: &Generics) -> String {
    assert!(of_item.where_clause.is_none(), "the reference shows the conditions of implementations alone");
    if of_item.params.is_empty() { String::new() } else { of(of_item) }
}

fn between(start: Span, end: Span) -> String {
    start.join(end).and_then(|span| span.source_text()).unwrap()
}
