//! Numbers as text, and their exact comparison.

/// A JSON number, kept exactly as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number(Box<str>);

/// What a number is worth: sign, digits and exponent, in one form for each value. `1`, `1.0` and `10e-1` have
/// the same one, and so have `0` and `-0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    /// Digits without zeros at either end; empty for zero.
    digits: String,
    /// The value is `0.DIGITS` times ten to this power.
    exponent: Exponent,
}

/// An exponent. Sums are done in `i128`, which holds every exponent of up to 30 digits; a longer one is kept
/// as its text beside what has to be added to it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Exponent {
    Small(i128),
    Huge { text: String, plus: i128 },
}

/// Exponents with more digits than this are not added up: no JSON that means something needs one.
const MAX_EXPONENT_DIGITS: usize = 30;

impl Number {
    /// The number whose text this is. The caller has checked it against JSON's grammar.
    pub(super) fn from_checked(text: &str) -> Number {
        Number(text.into())
    }

    /// The text as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value as exact decimal.
    #[must_use]
    pub fn decimal(&self) -> Decimal {
        let (mantissa, exponent) = match self.0.find(['e', 'E']) {
            Some(at) => (&self.0[..at], &self.0[at + 1..]),
            None => (&*self.0, "0"),
        };
        let negative = mantissa.starts_with('-');
        let mantissa = mantissa.trim_start_matches('-');
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        let digits = significant.trim_end_matches('0');
        if digits.is_empty() {
            return Decimal { negative: false, digits: String::new(), exponent: Exponent::Small(0) };
        }
        let plus = whole.len() as i128 - (all.len() - significant.len()) as i128;
        let (sign, magnitude) = match exponent.strip_prefix('-') {
            Some(magnitude) => ("-", magnitude),
            None => ("", exponent.trim_start_matches('+')),
        };
        let magnitude = magnitude.trim_start_matches('0');
        let exponent = if magnitude.len() > MAX_EXPONENT_DIGITS {
            Exponent::Huge { text: format!("{sign}{magnitude}"), plus }
        } else {
            let value: i128 = magnitude.parse().unwrap_or(0);
            Exponent::Small(plus + if sign == "-" { -value } else { value })
        };
        Decimal { negative, digits: digits.to_owned(), exponent }
    }

    /// The number as a double holds it, written as ECMAScript writes it; the number itself where no finite
    /// double is near it.
    #[must_use]
    pub fn to_double(&self) -> Number {
        match self.0.parse::<f64>() {
            Ok(value) if value.is_finite() => Number(ryu_js::Buffer::new().format_finite(value).into()),
            _ => self.clone(),
        }
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Number {
        Number(value.to_string().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(left: &str, right: &str) -> bool {
        Number::from_checked(left).decimal() == Number::from_checked(right).decimal()
    }

    #[test]
    fn equal_values_have_one_decimal() {
        for (left, right) in
            [("1", "1.0"), ("10", "1e1"), ("100e-2", "1"), ("0", "-0.00e5"), ("0.05", "5E-2"), ("1200", "1.2e+03")]
        {
            assert!(same(left, right), "{left} {right}");
        }
    }

    #[test]
    fn near_values_differ() {
        for (left, right) in [
            ("9007199254740993", "9007199254740992"),
            ("1", "-1"),
            ("1", "10"),
            ("0.1", "0.10000000000000001"),
            ("1e400", "1e401"),
            ("1e9999999999999999999999999999999999", "1e9999999999999999999999999999999998"),
        ] {
            assert!(!same(left, right), "{left} {right}");
        }
    }

    #[test]
    fn doubles_are_written_as_ecmascript_writes_them() {
        for (text, double) in
            [("9007199254740993", "9007199254740992"), ("1.0", "1"), ("1e21", "1e+21"), ("-0", "0"), ("1e400", "1e400")]
        {
            assert_eq!(Number::from_checked(text).to_double().as_str(), double);
        }
    }
}
