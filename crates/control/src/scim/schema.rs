//! Schemas as values (RFC 7643 §7): what reads resources, compares attributes and publishes `/Schemas` is one table.

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
    DateTime,
    Reference,
    Binary,
    Complex,
}

/// An attribute of a schema.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the characteristics of RFC 7643 §7")]
pub(super) struct Attribute {
    pub name: &'static str,
    pub about: &'static str,
    pub kind: Kind,
    pub is_multi: bool,
    pub is_required: bool,
    pub is_case_exact: bool,
    pub is_read_only: bool,
    pub is_unique: bool,
    pub canonical: &'static [&'static str],
    pub references: &'static [&'static str],
    pub parts: &'static [Self],
}

/// A schema with the resources that it is about.
#[derive(Debug)]
pub(super) struct Schema {
    pub id: &'static str,
    pub name: &'static str,
    pub about: &'static str,
    pub attributes: &'static [Attribute],
    pub extension: Option<&'static Self>,
}

const fn text(name: &'static str, about: &'static str) -> Attribute {
    Attribute {
        name,
        about,
        kind: Kind::Text,
        is_multi: false,
        is_required: false,
        is_case_exact: false,
        is_read_only: false,
        is_unique: false,
        canonical: &[],
        references: &[],
        parts: &[],
    }
}

const fn of(kind: Kind, name: &'static str, about: &'static str) -> Attribute {
    Attribute { kind, ..text(name, about) }
}

const fn complex(name: &'static str, about: &'static str, parts: &'static [Attribute]) -> Attribute {
    Attribute { parts, ..of(Kind::Complex, name, about) }
}

const fn many(name: &'static str, about: &'static str, parts: &'static [Attribute]) -> Attribute {
    Attribute { is_multi: true, ..complex(name, about, parts) }
}

const fn exact(attribute: Attribute) -> Attribute {
    Attribute { is_case_exact: true, ..attribute }
}

const fn read_only(attribute: Attribute) -> Attribute {
    Attribute { is_read_only: true, ..attribute }
}

const fn reference(
    name: &'static str,
    about: &'static str,
    references: &'static [&'static str],
) -> Attribute {
    Attribute { references, ..exact(of(Kind::Reference, name, about)) }
}

const VALUE: Attribute = text("value", "The value.");
const DISPLAY: Attribute = text("display", "What people read.");
const TYPE: Attribute = text("type", "What it is for.");
const PRIMARY: Attribute =
    of(Kind::Boolean, "primary", "Whether it is the preferred one; one value at most is.");
const PLURAL: &[Attribute] = &[VALUE, DISPLAY, TYPE, PRIMARY];
const PLACES: &[&str] = &["work", "home", "other"];
const ADDRESSED: &[Attribute] = &[VALUE, DISPLAY, Attribute { canonical: PLACES, ..TYPE }, PRIMARY];

/// Attributes that every resource has (RFC 7643 §3.1); they are part of no schema.
pub(super) const COMMON: &[Attribute] = &[
    read_only(exact(text("id", "The id that the service gave."))),
    exact(text("externalId", "What the directory itself calls it.")),
    read_only(complex(
        "meta",
        "What is known of the resource.",
        &[
            exact(text("resourceType", "The type of the resource.")),
            of(Kind::DateTime, "created", "When it was provisioned."),
            of(Kind::DateTime, "lastModified", "When it last changed."),
            exact(text("location", "Its address.")),
            exact(text("version", "Its version, as `ETag` has it.")),
        ],
    )),
];

/// People.
pub(super) static USERS: Schema = Schema {
    id: USER,
    name: "User",
    about: "A person of the organization",
    extension: Some(&ENTERPRISE_USERS),
    attributes: &[
        Attribute {
            is_required: true,
            is_unique: true,
            ..text("userName", "The sign-in name, unique in the directory.")
        },
        complex(
            "name",
            "The parts of the name.",
            &[
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
        reference("profileUrl", "A page about the person.", &["external"]),
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
        many("emails", "Addresses for mail.", ADDRESSED),
        many(
            "phoneNumbers",
            "Phone numbers.",
            &[
                VALUE,
                DISPLAY,
                Attribute { canonical: &["work", "home", "mobile", "fax", "pager", "other"], ..TYPE },
                PRIMARY,
            ],
        ),
        many("ims", "Addresses for instant messages.", PLURAL),
        many(
            "photos",
            "Pictures.",
            &[
                reference("value", "The address of the picture.", &["external"]),
                DISPLAY,
                Attribute { canonical: &["photo", "thumbnail"], ..TYPE },
                PRIMARY,
            ],
        ),
        many(
            "addresses",
            "Postal addresses.",
            &[
                text("formatted", "The whole address."),
                text("streetAddress", "Street and number."),
                text("locality", "The city."),
                text("region", "The state or region."),
                text("postalCode", "The postal code."),
                text("country", "The country, by ISO 3166-1."),
                Attribute { canonical: PLACES, ..TYPE },
                PRIMARY,
            ],
        ),
        read_only(many(
            "groups",
            "The groups that the person is in.",
            &[
                VALUE,
                reference("$ref", "The address of the group's resource.", &["Group"]),
                DISPLAY,
                Attribute { canonical: &["direct"], ..TYPE },
            ],
        )),
        many("entitlements", "What the directory says that the person has; it gives no rights here.", PLURAL),
        many("roles", "What the directory says that the person is; it gives no rights here.", PLURAL),
        many(
            "x509Certificates",
            "Certificates; none of them is accepted here.",
            &[of(Kind::Binary, "value", "The certificate, in Base64."), DISPLAY, TYPE, PRIMARY],
        ),
    ],
};

/// Groups.
pub(super) static GROUPS: Schema = Schema {
    id: GROUP,
    name: "Group",
    about: "A group of people of the organization",
    extension: None,
    attributes: &[
        Attribute { is_required: true, ..text("displayName", "The name that people read.") },
        many(
            "members",
            "The people in the group.",
            &[
                exact(text("value", "The id of the person's resource.")),
                reference("$ref", "The address of the person's resource.", &["User"]),
                Attribute { canonical: &["User"], ..TYPE },
            ],
        ),
    ],
};

/// The extension of companies.
pub(super) static ENTERPRISE_USERS: Schema = Schema {
    id: ENTERPRISE,
    name: "EnterpriseUser",
    about: "What companies say of people besides",
    extension: None,
    attributes: &[
        text("employeeNumber", "The number of the employee."),
        text("costCenter", "The cost center."),
        text("organization", "The organization."),
        text("division", "The division."),
        text("department", "The department."),
        complex(
            "manager",
            "The person's manager.",
            &[
                text("value", "The id of the manager's resource."),
                reference("$ref", "The address of the manager's resource.", &["User"]),
                text("displayName", "The name of the manager."),
            ],
        ),
    ],
};

impl Schema {
    /// The attribute of this name, whose case does not count (RFC 7643 §2.1), also one that every resource has.
    pub(super) fn attribute(&self, name: &str) -> Option<&'static Attribute> {
        named(self.attributes, name).or_else(|| named(COMMON, name))
    }

    /// The extension of this id.
    pub(super) fn extended(&self, id: &str) -> Option<&'static Self> {
        self.extension.filter(|extension| extension.id.eq_ignore_ascii_case(id))
    }
}

impl Attribute {
    /// The sub-attribute of this name.
    pub(super) fn part(&self, name: &str) -> Option<&'static Self> {
        named(self.parts, name)
    }
}

fn named(attributes: &'static [Attribute], name: &str) -> Option<&'static Attribute> {
    attributes.iter().find(|attribute| attribute.name.eq_ignore_ascii_case(name))
}
