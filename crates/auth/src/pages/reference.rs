//! The data of the API reference: the OpenAPI document as people read it, by task.

use super::declare::page;
use super::values::{Block, Line, Piece, Verbatim};

page! {
    /// The reference; the button `reference-sign-in` gets an access token for the page by the code flow.
    pub struct Reference for "reference" {
        /// The name of the API.
        pub title: Line,
        /// Its version.
        pub version: Line,
        /// What there is to know before the first call.
        pub paragraphs: Vec<Vec<Part>>,
        /// The parameters that many operations take, each once.
        pub parameters: Vec<Parameter>,
        /// The errors that many operations answer with, each once.
        pub errors: Vec<Answer>,
        /// The groups, in the order in which people need them.
        pub groups: Vec<Group>,
        /// The public application with which the page signs in, where the tenant has one.
        pub sign_in: Option<SignInOf>,
    }

    /// A piece of a paragraph.
    pub struct Part {
        /// The text.
        pub text: Piece,
        /// How it is set: `strong`, `code`, or nothing.
        pub style: &'static str,
    }

    /// The public application of the page.
    pub struct SignInOf {
        /// Its `client_id`.
        pub client_id: Verbatim,
        /// The scopes to ask for.
        pub scope: Verbatim,
        /// The audience of the management API.
        pub audience: Verbatim,
        /// Where its codes go: this page.
        pub redirect_uri: Verbatim,
    }

    /// Operations of one task.
    pub struct Group {
        /// Its id in the page.
        pub id: Line,
        /// Its name.
        pub name: Line,
        /// What it is about.
        pub description: Line,
        /// The operations.
        pub operations: Vec<Operation>,
    }

    /// One operation.
    pub struct Operation {
        /// Its id in the page.
        pub id: Line,
        /// The method.
        pub method: Line,
        /// The path.
        pub path: Line,
        /// What it does.
        pub summary: Line,
        /// What else there is to know, such as the scopes that it needs.
        pub description: Vec<Part>,
        /// The parameters of its own.
        pub parameters: Vec<Parameter>,
        /// Those that it shares with many others.
        pub shared: Vec<Shared>,
        /// The body.
        pub body: Option<Body>,
        /// The answers of its own.
        pub answers: Vec<Answer>,
        /// The statuses of the errors that it shares with others.
        pub errors: Vec<Line>,
    }

    /// A parameter of the address or a header, or a member of a body.
    pub struct Parameter {
        /// The name.
        pub name: Line,
        /// `path`, `query` or `header`.
        pub place: Line,
        /// The type.
        pub kind: Line,
        /// Whether it has to be given.
        pub is_required: bool,
        /// What it is.
        pub description: Vec<Part>,
    }

    /// A parameter that stands at the beginning of the page.
    pub struct Shared {
        /// The name.
        pub name: Line,
        /// `query` or `header`.
        pub place: Line,
    }

    /// A body.
    pub struct Body {
        /// The media type.
        pub media_type: Line,
        /// The members.
        pub members: Vec<Parameter>,
        /// One to begin with.
        pub example: Block,
    }

    /// An answer.
    pub struct Answer {
        /// The status.
        pub status: Line,
        /// When it comes.
        pub description: Vec<Part>,
    }
}
