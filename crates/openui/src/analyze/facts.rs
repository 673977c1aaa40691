//! The rules that decide something about each line.

use super::{Effect, LineAnalysis, LineRole, MarkerAnalysis, SectionKind, SectionName};
use crate::attributes::{Attributes, contains_control};
use crate::choices::{CrAtEnd, HoldImpossible, MidLineCrAtEnd, MidLinePartial};
use crate::context::Context;
use crate::hold::held;
use crate::legacy::Envelope;
use crate::marker::{CONTENT, Ending, Kind, Marker, is_move, marker_at};
use crate::read::last_line;
use crate::sections::Stop;
use crate::trace::{LinePosition, Reading, TextSpan, context_rule, look_alike};
use crate::{Line, LineKind, Mode, Options, PREFIX, Profile};

/// Facts about the whole message that decide something about single lines.
pub(super) struct Facts<'r, 'a> {
    reading: &'r Reading<'a>,
    sections: Vec<SectionName>,
    contents: usize,
    contexts: usize,
    /// Whether any marker has attributes.
    has_attributes: bool,
    /// Rules about edge cases of JSON in the context that counts.
    edge_cases: Vec<&'static str>,
    /// The text as an envelope, closed or not, whether or not this profile reads one.
    envelope: Envelope,
    holds_prefix: bool,
    /// The rule that would hold something back by the other choice of an open point, or while the text arrives.
    otherwise_held: Option<&'static str>,
}

impl<'r, 'a> Facts<'r, 'a> {
    pub(super) fn of(reading: &'r Reading<'a>) -> Facts<'r, 'a> {
        let raw = reading.raw;
        let mut envelope = Envelope::default();
        envelope.advance(raw);
        Facts {
            reading,
            sections: section_names(reading),
            contents: reading.markers.iter().filter(|(marker, _)| marker.kind == Kind::Content).count(),
            contexts: reading.contexts().count(),
            has_attributes: reading.markers.iter().any(|(marker, _)| has_attributes(marker)),
            edge_cases: reading.message.context.as_ref().map(Context::edge_cases).unwrap_or_default(),
            envelope,
            holds_prefix: raw.contains(PREFIX),
            otherwise_held: otherwise_held(reading),
        }
    }

    pub(super) fn line(&self, line: Line, position: LinePosition) -> LineAnalysis<'a> {
        let mut also = Also { first: line.rule, rules: Vec::new() };
        let (section, role) = match position {
            LinePosition::Marker(index) => {
                self.marker_rules(index, &line, &mut also);
                (Some(self.sections[index]), LineRole::Marker(Box::new(self.marker(index))))
            }
            LinePosition::Body(span) => {
                let look_alike = look_alike(self.text(&line), &self.reading.options);
                self.body_rules(&line, &span, look_alike, &mut also);
                let section = match span.opened {
                    Some(index) => self.sections[index],
                    None => SectionName { kind: SectionKind::Leading, number: 1 },
                };
                (Some(section), LineRole::Text(look_alike))
            }
            LinePosition::Envelope => {
                also.extend(self.envelope.line_rules(self.reading.raw, &line.span));
                self.envelope_context(&line, &mut also);
                (None, LineRole::Text(None))
            }
            LinePosition::Held => {
                self.held_rules(&line, &mut also);
                (None, LineRole::Text(None))
            }
        };
        self.ending_rules(&line, position, &mut also);
        LineAnalysis { also: also.rules, line, section, role }
    }

    /// Returns the rules that decide content, context and `end` of the message.
    pub(super) fn message_rules(&self) -> (&'static str, &'static str, &'static str) {
        let reading = self.reading;
        let content = match (reading.envelope_rule(), reading.winner) {
            (Some(rule), _) => rule,
            (None, Some(_)) => "openui.section.body",
            (None, None) if reading.markers.is_empty() => "openui.read.plain-text",
            (None, None) => "openui.read.leading-text",
        };
        let context = match reading.message.context {
            None if reading.context.is_none() => "openui.context.absent",
            _ => context_rule(&reading.message),
        };
        let ends = || reading.markers.iter().enumerate().filter(|(_, (marker, _))| marker.kind == Kind::End);
        let is_stale = ends().next().is_some() && ends().all(|(index, _)| reading.is_stale(index));
        (content, context, if is_stale { "openui.read.stale-end" } else { "openui.read.end" })
    }

    fn text(&self, line: &Line) -> &'a str {
        &self.reading.raw[line.span.clone()]
    }

    fn marker(&self, index: usize) -> MarkerAnalysis<'a> {
        let (marker, _) = &self.reading.markers[index];
        let is_stale = self.reading.is_stale(index);
        let effect = match marker.kind {
            Kind::Content if Some(index) == self.reading.winner => Effect::Content,
            Kind::Content => Effect::ShadowedContent,
            Kind::Context if Some(index) == self.reading.context => Effect::Context,
            Kind::Context if is_stale => Effect::DroppedContext("openui.read.context-before-content"),
            Kind::Context => Effect::DroppedContext("openui.read.several-contexts"),
            Kind::End if is_stale => Effect::StaleEnd,
            Kind::End => Effect::End,
            Kind::Unknown => Effect::Unknown,
        };
        let text = marker.attributes.clone().map_or("", |span| &self.reading.raw[span]);
        let attributes = Attributes::new(text, self.reading.options.choices).pairs();
        MarkerAnalysis { effect, moved: marker.moved, attributes }
    }

    fn marker_rules(&self, index: usize, line: &Line, also: &mut Also) {
        let reading = self.reading;
        let (marker, _) = &reading.markers[index];
        let is_stale = reading.is_stale(index);
        also.push("openui.marker.grammar");
        also.push_if(marker.moved || marker.ending == Ending::Move, "openui.marker.mid-line-content");
        match marker.kind {
            Kind::Content => also.push_if(self.contents > 1, "openui.read.last-content-wins"),
            Kind::Context if is_stale => also.push("openui.read.context-before-content"),
            Kind::Context => also.push_if(self.contexts > 1, "openui.read.several-contexts"),
            Kind::End if is_stale => also.push("openui.read.stale-end"),
            Kind::End => also.push("openui.read.end"),
            Kind::Unknown => also.push("openui.read.unknown-kind"),
        }
        if marker.kind == Kind::Context {
            // Without a body there is no other line for this rule.
            let counts = Some(index) == reading.context;
            let is_empty = reading.message.context.as_ref().is_none_or(|context| context.as_text().is_empty());
            also.push_if(counts && is_empty, reading.context_rule);
            also.push_if(reading.message.context.is_none() && !counts, "openui.context.absent");
        }
        let wins = Some(index) == reading.winner;
        let is_odd = marker.attributes.clone().is_some_and(|span| contains_control(&reading.raw[span]));
        also.push_if(is_odd, "openui.attributes.control-characters");
        also.push_if(has_attributes(marker) || (wins && self.has_attributes), "openui.attributes.winner");
        if wins && let Some(span) = marker.attributes.clone().filter(|span| !span.is_empty()) {
            also.push("openui.attributes.decode");
            let pairs = Attributes::new(&reading.raw[span], reading.options.choices).pairs();
            also.extend(pairs.into_iter().flat_map(|pair| pair.also));
        }
        also.push_if(self.text(line).ends_with("\r\n"), "openui.section.crlf");
        let is_last = marker.next == reading.raw.len() && reading.held.is_none();
        match marker.kind {
            Kind::End => also.push_if(is_last, "openui.read.final-line-ending"),
            _ => also.push_if(is_last, "openui.section.empty"),
        }
        self.legacy_rules(line, also);
    }

    fn body_rules(&self, line: &Line, span: &TextSpan, look_alike: Option<&'static str>, also: &mut Also) {
        let (reading, text) = (self.reading, self.text(line));
        also.push(span.rule);
        also.extend(look_alike);
        // Any text before it on the line is enough for this rule; only a whole content marker is moved.
        let is_mid_line = look_alike.is_some() && !text.starts_with(PREFIX);
        also.push_if(is_mid_line, "openui.marker.line-start");
        let counts = matches!(line.kind, LineKind::Content | LineKind::Context);
        if counts {
            let held_stop = reading.held.map(|held| held.stop);
            let stop = match span.next.map(|index| &reading.markers[index].0) {
                Some(marker) if marker.moved => Stop::Move,
                Some(_) => Stop::Line,
                None => held_stop.unwrap_or(Stop::Message),
            };
            let takes_ending = span.is_last && stop == Stop::Line;
            also.push_if(takes_ending, "openui.section.line-ending-before-marker");
            let is_body = span.opened.is_some();
            also.push_if(is_body && text.ends_with("\r\n") && !takes_ending, "openui.section.crlf");
            let ends_message = span.is_last && stop == Stop::Message && text.ends_with('\n');
            also.push_if(is_body && ends_message, "openui.section.end-of-message");
            also.push_if(span.ended, "openui.read.text-after-end");
        }
        if line.kind == LineKind::Context {
            // It is kept and not displayed.
            also.push("openui.read.display");
            also.push_if(self.contexts > 1, "openui.read.several-contexts");
            also.extend(self.edge_cases.iter().copied());
        }
        let is_cut = span.is_last && span.next.is_some_and(|index| reading.markers[index].0.moved);
        also.push_if(is_cut, "openui.marker.mid-line-content");
        self.legacy_rules(line, also);
    }

    /// Adds the rules about envelopes for a text that is not read as one.
    fn legacy_rules(&self, line: &Line, also: &mut Also) {
        let reading = self.reading;
        let is_closed = || self.envelope.rule(reading.raw).is_some();
        match (reading.options.profile, self.holds_prefix) {
            (Profile::Chat, true) => {
                let rules_it_out = self.text(line).contains(PREFIX) && is_closed();
                also.push_if(rules_it_out, "openui.legacy.prefix-first");
            }
            (Profile::Chat, false) if self.envelope.has_a_tag() => {
                let is_open =
                    reading.mode == Mode::Streaming && reading.held.is_none_or(|held| held.stop == Stop::Piece);
                also.push_if(is_open, "openui.legacy.streaming");
                also.push_if(!is_open, "openui.legacy.extent");
            }
            (Profile::Chat, false) => {
                let is_longer = line.span.start == 0 && self.envelope.has_a_longer_tag(reading.raw);
                also.push_if(is_longer, "openui.legacy.attributes");
            }
            (_, false) => {
                let is_open = reading.mode == Mode::Streaming && self.envelope.has_a_tag();
                also.push_if(is_open || is_closed(), "openui.legacy.core");
            }
            (_, true) => {}
        }
    }

    /// Adds the rule for the context of an envelope.
    fn envelope_context(&self, line: &Line, also: &mut Also) {
        let context = self.envelope.closed(self.reading.raw).and_then(|(_, context)| context);
        if context.is_some_and(|context| context.start <= line.span.end && line.span.start <= context.end) {
            also.push(context_rule(&self.reading.message));
            also.push("openui.read.display");
            also.extend(self.edge_cases.iter().copied());
        }
    }

    fn held_rules(&self, line: &Line, also: &mut Also) {
        let before = self.reading.held.filter(|_| self.reading.options.profile == Profile::Chat && !self.holds_prefix);
        if let Some(held) = before.filter(|held| held.stop != Stop::Piece) {
            let mut envelope = Envelope::default();
            envelope.advance(&self.reading.raw[..held.at]);
            also.push_if(envelope.closed(self.reading.raw).is_some(), "openui.legacy.prefix-first");
        }
        // The whole line is held if the text before its content marker becomes a marker line when that is moved.
        let is_whole_line = self.reading.held.is_some_and(|held| {
            let held_text = &self.reading.raw[held.at..];
            held.rule == "openui.stream.mid-line-complete" && held_text.trim_end_matches('\r') != CONTENT
        });
        also.push_if(is_whole_line, "openui.stream.hold-marker");
        self.open_points(line, also);
    }

    /// Adds the rules about the end of the message, and about line endings that have arrived.
    fn ending_rules(&self, line: &Line, position: LinePosition, also: &mut Also) {
        let (raw, options) = (self.reading.raw, &self.reading.options);
        let is_open = line.span.end == raw.len() && !raw.ends_with('\n');
        match self.reading.mode {
            Mode::Streaming if self.text(line).ends_with('\n') => {
                // Only a line that begins or ends like a marker was ever held back.
                let come = &raw[..line.span.end - 1];
                let was_held = held(come, &last_line(come, options), options).is_some();
                also.push_if(was_held, "openui.stream.release");
            }
            Mode::Streaming if is_open => {
                also.extend(self.otherwise_held);
                if line.kind != LineKind::Held {
                    // The rule was applied: the line neither begins like the prefix nor ends with a content marker.
                    also.push("openui.stream.hold-prefix");
                    let has_content_marker = options.profile.moves_content_markers()
                        && memchr::memmem::find(self.text(line).as_bytes(), CONTENT.as_bytes())
                            .is_some_and(|at| at > 0);
                    also.push_if(has_content_marker, "openui.stream.mid-line-complete");
                }
            }
            Mode::Whole if is_open => {
                also.push_if(self.otherwise_held.is_some(), "openui.stream.only-when-streaming");
            }
            _ => {}
        }
        if is_open && !matches!(position, LinePosition::Held | LinePosition::Envelope) {
            self.open_points(line, also);
        }
    }

    /// Adds the open point of a CR at the end of the message, if the choice decides whether the line is a marker line.
    fn open_points(&self, line: &Line, also: &mut Also) {
        let (raw, options) = (self.reading.raw, &self.reading.options);
        let Some(before) = raw.strip_suffix('\r').filter(|_| line.span.end == raw.len()) else { return };
        if self.reading.mode == Mode::Streaming {
            return;
        }
        let with = |cr_at_end| {
            let mut options = *options;
            options.choices.cr_at_end = cr_at_end;
            marker_at(raw, line.span.start, false, &options).is_some()
        };
        let starts_line = line.span.start == 0 || raw.as_bytes()[line.span.start - 1] == b'\n';
        also.push_if(starts_line && with(CrAtEnd::Marker) != with(CrAtEnd::Text), "openui.marker.cr-at-end");
        if let Some(before) = before.strip_suffix(CONTENT) {
            let with = |mid_line_cr_at_end| {
                let mut options = *options;
                options.choices.mid_line_cr_at_end = mid_line_cr_at_end;
                is_move(raw, before.len(), &options)
            };
            let decides = with(MidLineCrAtEnd::Marker) != with(MidLineCrAtEnd::Text);
            also.push_if(decides, "openui.marker.mid-line-cr-at-end");
        }
    }
}

/// The rules besides the first one of a line, each once.
struct Also {
    first: &'static str,
    rules: Vec<&'static str>,
}

impl Also {
    fn push(&mut self, rule: &'static str) {
        if rule != self.first && !self.rules.contains(&rule) {
            self.rules.push(rule);
        }
    }

    fn push_if(&mut self, decides: bool, rule: &'static str) {
        if decides {
            self.push(rule);
        }
    }

    fn extend(&mut self, rules: impl IntoIterator<Item = &'static str>) {
        rules.into_iter().for_each(|rule| self.push(rule));
    }
}

fn has_attributes(marker: &Marker) -> bool {
    marker.attributes.as_ref().is_some_and(|span| !span.is_empty())
}

/// Returns the section that each marker opens or, for an end line, belongs to.
fn section_names(reading: &Reading<'_>) -> Vec<SectionName> {
    let mut counts = [0; 3];
    let mut section = SectionName { kind: SectionKind::Leading, number: 1 };
    let each = reading.markers.iter().map(|(marker, _)| {
        let (place, kind) = match marker.kind {
            Kind::End => return section,
            Kind::Content => (0, SectionKind::Content),
            Kind::Context => (1, SectionKind::Context),
            Kind::Unknown => (2, SectionKind::Unknown),
        };
        counts[place] += 1;
        section = SectionName { kind, number: counts[place] };
        section
    });
    each.collect()
}

/// Returns the rule that decides what is held back otherwise. For a whole message: the rule by which streaming would
/// hold something back. For a streaming one: the open point whose other choice would hold back something else.
fn otherwise_held(reading: &Reading<'_>) -> Option<&'static str> {
    let (raw, options) = (reading.raw, &reading.options);
    let held_with = |options: &Options| held(raw, &last_line(raw, options), options);
    if reading.mode == Mode::Whole {
        return held_with(options).map(|held| held.rule);
    }
    let mut other = *options;
    other.choices.mid_line_partial = match options.choices.mid_line_partial {
        MidLinePartial::Shown => MidLinePartial::Held,
        MidLinePartial::Held => MidLinePartial::Shown,
    };
    if held_with(&other) != reading.held {
        return Some("openui.stream.mid-line-partial");
    }
    let mut other = *options;
    other.choices.hold_impossible = match options.choices.hold_impossible {
        HoldImpossible::Held => HoldImpossible::Shown,
        HoldImpossible::Shown => HoldImpossible::Held,
    };
    (held_with(&other) != reading.held).then_some("openui.stream.hold-impossible")
}
