//! What speaks for a candidate, and what against it? A few numbers each; [`weights`] says
//! how much they count.
//!
//! [`weights`]: super::weights

mod results;

pub use self::results::Result;
pub(super) use self::results::has_sign;

use super::Situation;
use super::candidates::{Candidate, Origin};
use crate::catalogue::parameter::{Parameter, Wants};
use crate::catalogue::ports::terms;
use crate::catalogue::shape::Kind;
use crate::frame::EntityKind;
use crate::lexicon::lists::{Pairs, Table};
use crate::read::spans::{Reading, Sort, Span, Word};

macro_rules! features {
    ($($name:ident),* $(,)?) => {
        /// One thing that counts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Feature { $($name),* }

        impl Feature {
            pub const ALL: [Self; [$(Self::$name),*].len()] = [$(Self::$name),*];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name)),* }
            }
        }
    };
}

features! {
    Omit, OmitRequired, OmitRequiredId, OmitPast, OmitNeverPast,
    Default, DefaultRequired, Only, Usual, Past, PastShare,
    Earlier, EarlierRequired, EarlierName, EarlierSameName, EarlierKinds, EarlierDistance,
    EarlierIds, EarlierSingle, EarlierOwner, EarlierEach, EarlierGather, EarlierPast, EarlierOptionalNamed,
    EarlierSaid, EarlierWhole, EarlierMentioned, EarlierPointed, EarlierAlike, EarlierOtherSort,
    Said, SaidRequired, Number, NumberBad, Quoted, Date, Time, Email, Url, Path, Phone, CodeId, QuotedId,
    Name, NamePlace, NameWords, MoneyAmount, NumberMoney, EntityBad, WantBad,
    Run, RunLong, RunVerb, RunId, RunWords, RunOptional, Before, After, Adjacent, CueNear, CueFar, CueWrong, Clause,
    OtherClause, Described, InDescription, Position, Length, Order, AsWritten, Used, SaidPast, Optional, OptionalNamed, Unlabelled,
    Several, SeveralFits, SeveralOne, SeveralOptional, EndingFits, Choice, ChoiceOptional, Flag, RunOfTool, RunOfParameter,
}

pub type Features = [f32; Feature::ALL.len()];

/// Words that lead to an argument, and names of parameters that they lead to.
static CUES: Table = Table::named("bind_features.cues");
static OPPOSITE: Pairs = Pairs::named("bind_features.opposite");

/// What is known about the step as a whole.
pub struct Step<'a, 'b> {
    pub tool: &'a str,
    pub situation: &'a Situation<'b>,
    pub reading: &'a Reading,
    /// The words of the tool's name, and with those of what it belongs to.
    terms: Vec<String>,
    owned: Vec<String>,
    pub results: Vec<Result<'b>>,
}

impl<'a, 'b> Step<'a, 'b> {
    pub fn new(tool: &'a str, situation: &'a Situation<'b>, reading: &'a Reading) -> Self {
        let name = holloway_plan::tool::ToolId::new(tool);
        Self {
            tool,
            situation,
            reading,
            terms: terms(name.name()),
            owned: terms(tool),
            results: results::results(situation.earlier),
        }
    }
}

impl Step<'_, '_> {
    pub fn features(&self, parameter: &Parameter<'_>, candidate: &Candidate) -> Features {
        let mut set = Set([0.0; Feature::ALL.len()]);
        let required = f32::from(u8::from(parameter.expected));
        match &candidate.origin {
            Origin::Nothing => self.nothing(parameter, required, &mut set),
            Origin::Default => {
                set.add(Feature::Default, 1.0);
                set.add(Feature::DefaultRequired, required);
            }
            Origin::Only => set.add(Feature::Only, 1.0),
            Origin::Usual => set.add(Feature::Usual, 1.0),
            Origin::Past { share } => {
                set.add(Feature::Past, 1.0);
                set.add(Feature::PastShare, *share);
            }
            Origin::Earlier { number, place, fit } => {
                self.earlier(parameter, (*number, *place), fit, &mut set);
            }
            Origin::Span { number, first } => {
                if let Some(span) = self.reading.spans.get(*number) {
                    self.said(parameter, span, &mut set);
                    set.flag(Feature::AsWritten, !*first);
                }
            }
            Origin::Several { numbers } => self.several(parameter, numbers, &mut set),
            Origin::Choice { .. } => {
                set.add(Feature::Choice, 1.0);
                set.add(Feature::ChoiceOptional, 1.0 - required);
            }
            Origin::Flag { .. } => set.add(Feature::Flag, 1.0),
            Origin::Stated { .. } => set.add(Feature::Said, 1.0),
        }
        set.0
    }

    fn nothing(&self, parameter: &Parameter<'_>, required: f32, set: &mut Set) {
        set.add(Feature::Omit, 1.0);
        set.add(Feature::OmitRequired, required);
        set.flag(
            Feature::OmitRequiredId,
            parameter.expected && parameter.wants == Wants::Id,
        );
        if let Some(past) = self.situation.past {
            let left_out = past.left_out(self.tool, parameter.name);
            set.add(Feature::OmitPast, left_out.unwrap_or_default());
            set.flag(Feature::OmitNeverPast, left_out == Some(0.0));
        }
    }

    fn several(&self, parameter: &Parameter<'_>, numbers: &[usize], set: &mut Set) {
        set.add(Feature::Several, 1.0);
        set.flag(Feature::SeveralOne, numbers.len() == 1);
        set.flag(Feature::SeveralOptional, !parameter.expected);
        let first = numbers
            .first()
            .and_then(|number| self.reading.spans.get(*number));
        let kind = first.and_then(|span| span.sort.kind());
        set.flag(
            Feature::SeveralFits,
            kind.is_some_and(|kind| suits(kind, parameter.wants)),
        );
        if let Some(kind) = kind {
            let strict = parameter.wants.is_strict() && !suits(kind, parameter.wants);
            set.flag(Feature::WantBad, strict);
            set.flag(
                Feature::EntityBad,
                is_special(kind) && !suits(kind, parameter.wants),
            );
        }
        set.flag(Feature::SaidRequired, parameter.expected);
        if let Some(span) = first {
            let used = |number: usize| {
                self.situation
                    .used
                    .is_some_and(|used| used.contains(&number))
            };
            set.flag(Feature::Used, span.sort.entity().is_some_and(used));
            self.around(parameter, span, set);
        }
    }

    fn said(&self, parameter: &Parameter<'_>, span: &Span, set: &mut Set) {
        set.add(Feature::Said, 1.0);
        set.flag(Feature::SaidRequired, parameter.expected);
        set.flag(Feature::Optional, !parameter.expected);
        let own = self.reading.words.get(span.words.clone());
        let own = own.unwrap_or_default();
        let all =
            |terms: &[String]| !own.is_empty() && own.iter().all(|word| terms.contains(&word.stem));
        match span.sort {
            Sort::Entity {
                kind,
                phone,
                number,
            } => {
                entity(parameter, kind, phone, set);
                let used = self
                    .situation
                    .used
                    .is_some_and(|used| used.contains(&number));
                set.flag(Feature::Used, used);
                set.flag(Feature::EndingFits, self.speaks_of_ending(span));
                // "Search my Notion" says where, not what.
                let names_tool = kind == EntityKind::Name && all(&self.owned);
                set.flag(Feature::RunOfTool, names_tool);
            }
            Sort::Run { length, verb } => {
                run(parameter, length, verb, set);
                set.flag(Feature::RunOfTool, all(&self.terms));
                set.flag(Feature::RunOfParameter, all(&parameter.stems));
            }
        }
        let described = self.around(parameter, span, set);
        set.flag(Feature::Unlabelled, !described && !parameter.expected);
        self.standing(parameter, span, set);
    }

    /// `people.csv` for a tool that is called `csv-read`.
    fn speaks_of_ending(&self, span: &Span) -> bool {
        let is_file = matches!(span.sort.kind(), Some(EntityKind::File | EntityKind::Path));
        let said = span.values.first().and_then(serde_json::Value::as_str);
        let ending = said
            .and_then(|said| said.rsplit_once('.'))
            .map(|(_, ending)| ending);
        is_file && ending.is_some_and(|ending| self.terms.iter().any(|term| term == ending))
    }

    /// The words next to it: those of the parameter's name, and those that lead to it.
    fn around(&self, parameter: &Parameter<'_>, span: &Span, set: &mut Set) -> bool {
        let words = &self.reading.words;
        let (first, end) = (span.words.start, span.words.end);
        let before = words
            .get(first.saturating_sub(3)..first)
            .unwrap_or_default();
        let after = words
            .get(end..(end + 3).min(words.len()))
            .unwrap_or_default();
        let count = parameter.stems.len().max(1) as f32;
        let share = |near: &[Word]| {
            let said = parameter
                .stems
                .iter()
                .filter(|stem| near.iter().any(|word| word.stem == **stem));
            said.count() as f32 / count
        };
        let (share_before, share_after) = (share(before), share(after));
        set.add(Feature::Before, share_before);
        set.add(Feature::After, share_after);
        let last = parameter.stems.last();
        let next_to = |word: Option<&Word>| word.map(|word| &word.stem) == last && last.is_some();
        set.flag(
            Feature::Adjacent,
            next_to(before.last()) || next_to(after.first()),
        );
        set.flag(
            Feature::OptionalNamed,
            !parameter.expected && share_before + share_after > 0.0,
        );
        let mut cued = false;
        let near = before.last().map(|word| word.lower.as_str());
        let far = before.iter().rev().map(|word| word.lower.as_str());
        let far = far
            .into_iter()
            .find(|word| CUES.iter().any(|(cue, _)| cue == word));
        let leads = |cue: Option<&str>| {
            let names = CUES.iter().find(|(own, _)| Some(*own) == cue);
            names.is_some_and(|(_, names)| {
                parameter
                    .words
                    .iter()
                    .any(|word| names.contains(&word.as_str()))
            })
        };
        cued |= leads(far);
        set.flag(Feature::CueNear, leads(near));
        set.flag(Feature::CueFar, leads(far));
        let opposite = OPPOSITE
            .iter()
            .find(|(cue, _)| Some(*cue) == far)
            .map(|(_, other)| *other);
        set.flag(
            Feature::CueWrong,
            opposite.is_some() && leads(opposite) && !leads(far),
        );
        let said_about = before.iter().chain(after.first());
        let described = |word: &Word| {
            word.lower.len() > 3 && parameter.description.contains(word.stem.as_str())
        };
        set.flag(Feature::Described, said_about.into_iter().any(described));
        cued || share_before + share_after > 0.0
    }

    /// Where it stands, and what its own words say.
    fn standing(&self, parameter: &Parameter<'_>, span: &Span, set: &mut Set) {
        if let Some(clause) = self.situation.clause {
            let apart = span.clause.abs_diff(clause) as f32;
            set.add(Feature::Clause, apart / self.reading.clauses.max(2) as f32);
            set.flag(Feature::OtherClause, apart > 0.0);
        }
        let length = self.situation.frame.wording.length().max(1);
        set.add(Feature::Position, span.place.start as f32 / length as f32);
        set.add(Feature::Length, span.words.len().min(8) as f32 / 4.0);
        if span.sort.kind().is_some() {
            set.add(
                Feature::Order,
                span.order.abs_diff(parameter.order).min(4) as f32 / 3.0,
            );
        }
        let said = span
            .values
            .last()
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default();
        if span.sort.kind().is_none_or(|kind| kind == EntityKind::Name) {
            let said = said.to_lowercase();
            set.flag(
                Feature::InDescription,
                said.len() > 2 && parameter.description.contains(&said),
            );
        }
        if let Some(past) = self.situation.past {
            set.add(Feature::SaidPast, past.said(self.tool, parameter.name));
        }
    }
}

fn entity(parameter: &Parameter<'_>, kind: EntityKind, phone: bool, set: &mut Set) {
    use EntityKind::{
        Code, Date, Email, File, Money, Name, Number, Path, Quantity, Quoted, Time, Url,
    };
    let wants = parameter.wants;
    let number = matches!(kind, Number | Quantity | Money);
    set.flag(Feature::Number, number && parameter.is_number());
    set.flag(Feature::NumberBad, number && parameter.kind == Kind::Text);
    set.flag(
        Feature::NumberMoney,
        number && kind != Money && wants == Wants::Money,
    );
    set.flag(Feature::MoneyAmount, kind == Money && wants == Wants::Money);
    set.flag(Feature::Quoted, kind == Quoted);
    set.flag(Feature::QuotedId, kind == Quoted && wants == Wants::Id);
    set.flag(Feature::Date, kind == Date && wants == Wants::Date);
    set.flag(Feature::Time, kind == Time && wants == Wants::Time);
    set.flag(Feature::Email, kind == Email && wants == Wants::Email);
    set.flag(Feature::Url, kind == Url && wants == Wants::Url);
    set.flag(
        Feature::Path,
        matches!(kind, Path | File) && wants == Wants::Path,
    );
    set.flag(Feature::Phone, phone && wants == Wants::Phone);
    set.flag(
        Feature::CodeId,
        kind == Code && !phone && wants == Wants::Id,
    );
    set.flag(Feature::Name, kind == Name);
    set.flag(Feature::NamePlace, kind == Name && wants == Wants::Place);
    set.flag(Feature::NameWords, kind == Name && wants == Wants::Words);
    let fits = suits(kind, wants) || phone && wants == Wants::Phone;
    set.flag(Feature::EntityBad, (is_special(kind) || phone) && !fits);
    set.flag(
        Feature::WantBad,
        wants.is_strict() && !fits && kind != Quoted,
    );
}

fn run(parameter: &Parameter<'_>, length: usize, verb: bool, set: &mut Set) {
    set.add(Feature::Run, 1.0);
    set.flag(Feature::RunLong, length > 1);
    set.flag(Feature::RunVerb, verb);
    set.flag(Feature::RunId, parameter.wants == Wants::Id);
    set.flag(Feature::RunWords, parameter.wants == Wants::Words);
    set.flag(Feature::RunOptional, !parameter.expected);
    set.flag(Feature::WantBad, parameter.wants.is_strict());
}

/// Kinds that say by themselves what they are for.
fn is_special(kind: EntityKind) -> bool {
    use EntityKind::{Date, Email, File, Path, Time, Url};
    matches!(kind, Date | Time | Email | Url | Path | File)
}

pub fn suits(kind: EntityKind, wants: Wants) -> bool {
    use EntityKind as Is;
    match wants {
        Wants::Date => kind == Is::Date,
        Wants::Time => kind == Is::Time,
        Wants::Email => kind == Is::Email,
        Wants::Url => kind == Is::Url,
        Wants::Path => matches!(kind, Is::Path | Is::File),
        Wants::Id => matches!(kind, Is::Code),
        _ => false,
    }
}

struct Set(Features);

impl Set {
    fn add(&mut self, feature: Feature, amount: f32) {
        if let Some(own) = self.0.get_mut(feature as usize) {
            *own += amount;
        }
    }

    fn flag(&mut self, feature: Feature, is_so: bool) {
        self.add(feature, f32::from(u8::from(is_so)));
    }
}
