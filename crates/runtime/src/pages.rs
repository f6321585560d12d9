//! Reading every record of a list that the store gives page by page.

/// Every record of a list: `read_all!(|page| roles::list(tx, page).await?, |role| role.id)`. It is written like two closures; the
/// first is called for page after page with the cursor and the size of the page, the second gives the cursor behind a record.
macro_rules! read_all {
    (|$page:ident| $read:expr, $id:expr) => {{
        let mut pages = $crate::pages::Pages::new();
        while let Some($page) = pages.next() {
            pages.add($read, $id);
        }
        pages.into_records()
    }};
}
pub(crate) use read_all;

const PAGE: u32 = 200;

/// The part of a list that [`read_all`] has read so far.
pub(crate) struct Pages<T, Id> {
    records: Vec<T>,
    cursor: Option<Id>,
    is_read: bool,
}

impl<T, Id: Copy> Pages<T, Id> {
    pub(crate) fn new() -> Self {
        Self { records: Vec::new(), cursor: None, is_read: false }
    }

    /// The cursor and the size of the next page; none once a page was empty.
    pub(crate) fn next(&self) -> Option<(Option<Id>, u32)> {
        (!self.is_read).then_some((self.cursor, PAGE))
    }

    /// Adds a page. `id` gives the cursor behind a record.
    pub(crate) fn add(&mut self, page: Vec<T>, id: impl Fn(&T) -> Id) {
        self.cursor = page.last().map(id);
        self.is_read = self.cursor.is_none();
        self.records.extend(page);
    }

    /// Every record, in the order of the list.
    pub(crate) fn into_records(self) -> Vec<T> {
        self.records
    }
}
