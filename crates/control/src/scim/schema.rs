//! Schemas as values (RFC 7643 §7): what reads resources, compares attributes and publishes `/Schemas` is one table. People have the
//! extensions that the tenant declares, too.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use svc_domain::scim::schemas::{Mutability, Returned, Uniqueness};

/// The core schema of people.
pub(super) const USER: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
/// The core schema of groups.
pub(super) const GROUP: &str = "urn:ietf:params:scim:schemas:core:2.0:Group";
/// What companies say of people besides.
pub(super) const ENTERPRISE: &str = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Boolean,
    Decimal,
    Integer,
    DateTime,
    Reference,
    Binary,
    Complex,
}

/// An attribute of a schema.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the characteristics of RFC 7643 §7")]
pub(super) struct Attribute {
    pub name: Cow<'static, str>,
    pub about: Cow<'static, str>,
    pub kind: Kind,
    pub is_multi: bool,
    pub is_required: bool,
    pub is_case_exact: bool,
    pub mutability: Mutability,
    pub returned: Returned,
    pub uniqueness: Uniqueness,
    pub canonical: Vec<Cow<'static, str>>,
    pub references: Vec<Cow<'static, str>>,
    pub parts: Vec<Self>,
    /// Whether the canonical values are the only ones, and types are held to.
    pub is_strict: bool,
}

/// A schema with the resources that it is about.
#[derive(Clone, Debug)]
pub(super) struct Schema {
    pub id: Cow<'static, str>,
    pub name: Cow<'static, str>,
    pub about: Cow<'static, str>,
    pub attributes: Arc<[Attribute]>,
    pub extensions: Vec<Arc<Self>>,
    /// Whether it has these attributes and no others.
    pub is_closed: bool,
}

fn text(name: &'static str, about: &'static str) -> Attribute {
    Attribute {
        name: name.into(),
        about: about.into(),
        kind: Kind::Text,
        is_multi: false,
        is_required: false,
        is_case_exact: false,
        mutability: Mutability::ReadWrite,
        returned: Returned::Default,
        uniqueness: Uniqueness::None,
        canonical: Vec::new(),
        references: Vec::new(),
        parts: Vec::new(),
        is_strict: false,
    }
}

fn of(kind: Kind, name: &'static str, about: &'static str) -> Attribute {
    Attribute { kind, ..text(name, about) }
}

fn complex<const N: usize>(name: &'static str, about: &'static str, parts: [Attribute; N]) -> Attribute {
    Attribute { parts: parts.into(), ..of(Kind::Complex, name, about) }
}

fn many<const N: usize>(name: &'static str, about: &'static str, parts: [Attribute; N]) -> Attribute {
    Attribute { is_multi: true, ..complex(name, about, parts) }
}

fn exact(attribute: Attribute) -> Attribute {
    Attribute { is_case_exact: true, ..attribute }
}

fn read_only(attribute: Attribute) -> Attribute {
    Attribute { mutability: Mutability::ReadOnly, ..attribute }
}

fn reference(name: &'static str, about: &'static str, to: &'static str) -> Attribute {
    Attribute { references: vec![to.into()], ..exact(of(Kind::Reference, name, about)) }
}

fn value() -> Attribute {
    text("value", "The value.")
}

fn display() -> Attribute {
    text("display", "What people read.")
}

/// What a value is for, if only some answers are usual.
fn purpose<const N: usize>(usual: [&'static str; N]) -> Attribute {
    Attribute { canonical: usual.map(Cow::Borrowed).into(), ..text("type", "What it is for.") }
}

fn primary() -> Attribute {
    of(Kind::Boolean, "primary", "Whether it is the preferred one; one value at most is.")
}

fn plural() -> [Attribute; 4] {
    [value(), display(), purpose([]), primary()]
}

const PLACES: [&str; 3] = ["work", "home", "other"];

/// Attributes that every resource has (RFC 7643 §3, §3.1); they are part of no schema.
pub(super) static COMMON: LazyLock<[Attribute; 4]> = LazyLock::new(|| {
    [
        read_only(Attribute { is_multi: true, ..text("schemas", "The schemas of what it has.") }),
        read_only(exact(text("id", "The id that the service gave."))),
        exact(text("externalId", "What the directory itself calls it.")),
        read_only(complex(
            "meta",
            "What is known of the resource.",
            [
                exact(text("resourceType", "The type of the resource.")),
                of(Kind::DateTime, "created", "When it was provisioned."),
                of(Kind::DateTime, "lastModified", "When it last changed."),
                exact(text("location", "Its address.")),
                exact(text("version", "Its version, as `ETag` has it.")),
            ],
        )),
    ]
});

/// People.
pub(super) static USERS: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let attributes = [
        Attribute {
            is_required: true,
            uniqueness: Uniqueness::Server,
            ..text("userName", "The sign-in name, unique in the directory.")
        },
        complex(
            "name",
            "The parts of the name.",
            [
                text("formatted", "The whole name."),
                text("familyName", "The family name."),
                text("givenName", "The given name."),
                text("middleName", "The middle names."),
                text("honorificPrefix", "A title before the name."),
                text("honorificSuffix", "A title after the name."),
            ],
        ),
        text("displayName", "The name that people read."),
        text("nickName", "What friends say."),
        reference("profileUrl", "A page about the person.", "external"),
        text("title", "The position, such as Vice President."),
        text("userType", "How person and organization belong together, such as Employee."),
        text("preferredLanguage", "Languages, as in `Accept-Language`."),
        text("locale", "How numbers and dates are written, such as en-US."),
        text("timezone", "The IANA time zone."),
        of(
            Kind::Boolean,
            "active",
            "Whether the person may sign in; when this becomes false, all access ends.",
        ),
        many("emails", "Addresses for mail.", [value(), display(), purpose(PLACES), primary()]),
        many(
            "phoneNumbers",
            "Phone numbers.",
            [value(), display(), purpose(["work", "home", "mobile", "fax", "pager", "other"]), primary()],
        ),
        many("ims", "Addresses for instant messages.", plural()),
        many(
            "photos",
            "Pictures.",
            [
                reference("value", "The address of the picture.", "external"),
                display(),
                purpose(["photo", "thumbnail"]),
                primary(),
            ],
        ),
        many(
            "addresses",
            "Postal addresses.",
            [
                text("formatted", "The whole address."),
                text("streetAddress", "Street and number."),
                text("locality", "The city."),
                text("region", "The state or region."),
                text("postalCode", "The postal code."),
                text("country", "The country, by ISO 3166-1."),
                purpose(PLACES),
                primary(),
            ],
        ),
        read_only(many(
            "groups",
            "The groups that the person is in.",
            [
                value(),
                reference("$ref", "The address of the group's resource.", "Group"),
                display(),
                purpose(["direct"]),
            ],
        )),
        many(
            "entitlements",
            "What the directory says that the person has; it gives no rights here.",
            plural(),
        ),
        many("roles", "What the directory says that the person is; it gives no rights here.", plural()),
        many(
            "x509Certificates",
            "Certificates; none of them is accepted here.",
            [of(Kind::Binary, "value", "The certificate, in Base64."), display(), purpose([]), primary()],
        ),
    ];
    let enterprise = vec![Arc::clone(&ENTERPRISE_USERS)];
    Arc::new(Schema {
        extensions: enterprise,
        ..schema(USER, ("User", "A person of the organization"), attributes)
    })
});

/// Groups.
pub(super) static GROUPS: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let attributes = [
        Attribute { is_required: true, ..text("displayName", "The name that people read.") },
        many(
            "members",
            "The people in the group.",
            [
                exact(text("value", "The id of the person's resource.")),
                reference("$ref", "The address of the person's resource.", "User"),
                purpose(["User"]),
            ],
        ),
    ];
    Arc::new(schema(GROUP, ("Group", "A group of people of the organization"), attributes))
});

/// The extension of companies.
pub(super) static ENTERPRISE_USERS: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let attributes = [
        text("employeeNumber", "The number of the employee."),
        text("costCenter", "The cost center."),
        text("organization", "The organization."),
        text("division", "The division."),
        text("department", "The department."),
        complex(
            "manager",
            "The person's manager.",
            [
                text("value", "The id of the manager's resource."),
                reference("$ref", "The address of the manager's resource.", "User"),
                text("displayName", "The name of the manager."),
            ],
        ),
    ];
    let said = ("EnterpriseUser", "What companies say of people besides");
    Arc::new(schema(ENTERPRISE, said, attributes))
});

fn schema<const N: usize>(
    id: &'static str,
    (name, about): (&'static str, &'static str),
    attributes: [Attribute; N],
) -> Schema {
    let (name, about) = (name.into(), about.into());
    Schema {
        id: id.into(),
        name,
        about,
        attributes: attributes.into(),
        extensions: Vec::new(),
        is_closed: false,
    }
}

impl Schema {
    /// The attribute of this name, whose case does not count (RFC 7643 §2.1), also one that every resource has.
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        let common = if self.is_closed { None } else { named(&*COMMON, name) };
        named(&self.attributes, name).or(common)
    }

    /// The extension of this id.
    pub(super) fn extended(&self, id: &str) -> Option<&Self> {
        self.extensions.iter().find(|extension| extension.id.eq_ignore_ascii_case(id)).map(Arc::as_ref)
    }
}

impl Attribute {
    /// The sub-attribute of this name.
    pub(super) fn part(&self, name: &str) -> Option<&Self> {
        named(&self.parts, name)
    }

    /// Whether the service alone changes it.
    pub(super) fn is_read_only(&self) -> bool {
        self.mutability == Mutability::ReadOnly
    }
}

fn named<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|attribute| attribute.name.eq_ignore_ascii_case(name))
}
