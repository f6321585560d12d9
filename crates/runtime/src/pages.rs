//! Reading every record of a list that the store gives page by page.

const PAGE: u32 = 200;

/// What has been read of a list: ask [`Pages::next`] where to read on, and [`Pages::add`] what stood there, until nothing is left.
pub(crate) struct Pages<T, Id> {
    records: Vec<T>,
    cursor: Option<Id>,
    is_read: bool,
}

impl<T, Id: Copy> Pages<T, Id> {
    pub(crate) fn new() -> Self {
        Self { records: Vec::new(), cursor: None, is_read: false }
    }

    /// The cursor and the size of the next page; nothing once the list has ended.
    pub(crate) fn next(&self) -> Option<(Option<Id>, u32)> {
        (!self.is_read).then_some((self.cursor, PAGE))
    }

    /// Adds a page, whose records are told apart by `id`.
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
