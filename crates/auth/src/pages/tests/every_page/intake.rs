//! The pages that ask people for something.

use super::super::super::*;
use super::{Printer, form, local};

/// One of each thing that people can be asked for.
pub fn intake(text: &str) -> Intake {
    let terms = |is_required: bool, error| TermsPart {
        value: text.into(),
        title: text.into(),
        url: "https://shop.example/privacy".into(),
        label: text.into(),
        lang: "en".into(),
        is_required,
        is_checked: !is_required,
        error,
    };
    let field = |kind, is_required: bool| FieldPart {
        name: "company".into(),
        kind,
        label: text.into(),
        help: is_required.then(|| text.into()),
        is_required,
        is_fixed: false,
        value: text.into(),
        is_checked: !is_required,
        choices: vec![ChoicePart { value: text.into(), label: text.into(), is_chosen: true }],
        max_length: 200,
        error: is_required.then_some(MessageKey::AnswerTooLong { most: 200 }),
    };
    let kinds = [("text", true), ("choice", false), ("checkbox", true), ("date", false)];
    let named = |(number, (kind, is_required))| FieldPart {
        name: format!("field_{number}").into(),
        ..field(kind, is_required)
    };
    Intake {
        terms: vec![terms(true, Some(MessageKey::TermsNotAccepted)), terms(false, None)],
        fields: kinds.into_iter().enumerate().map(named).collect(),
    }
}

pub fn print(printer: &mut Printer<'_>, text: &str) {
    for is_optional in [true, false] {
        printer.print(&Complete {
            form: form(text).with(Some(MessageKey::AnswersIncomplete)),
            app_name: Some(text.into()),
            account: text.into(),
            switch_url: Some(local()),
            intake: intake(text),
            is_optional,
        });
    }
    let frame = |title| AccountFrame {
        form: form(text),
        title,
        notice: Some(MessageKey::DetailsSaved),
        account: text.into(),
        switch_url: Some(local()),
        sections: vec![Tab { id: "terms", title: "account-terms", url: local(), is_current: true }],
    };
    let accepted = AcceptedTerms {
        title: text.into(),
        url: "https://shop.example/privacy".into(),
        label: text.into(),
        lang: "en".into(),
        at: "2026-12-01T00:00:00Z".into(),
    };
    let Intake { terms, fields } = intake(text);
    let terms = Intake { terms, fields: Vec::new() };
    printer.print(&AccountTerms { frame: frame("account-terms"), intake: terms, accepted: vec![accepted] });
    printer.print(&AccountTerms { frame: frame("account-terms"), ..AccountTerms::default() });
    let fixed = fields.iter().cloned().map(|field| FieldPart { is_fixed: true, ..field }).collect();
    for (fields, may_change) in [(fields, true), (fixed, false)] {
        let intake = Intake { terms: Vec::new(), fields };
        printer.print(&AccountDetails { frame: frame("account-details"), intake, may_change });
    }
}
