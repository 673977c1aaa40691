//! Numbers as text, and their exact values.

/// A JSON number, as its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number(Box<str>);

/// The exact value of a number: sign, digits and exponent, in one form for each value. `1`, `1.0` and `10e-1` are
/// equal, and so are `0` and `-0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    /// Digits without zeros at either end; empty for zero.
    digits: String,
    /// The value is `0.DIGITS` times ten to this power: whether the power is negative, and its digits.
    exponent: Exponent,
}

/// A whole number of any size: whether it is negative, and its decimal digits.
type Exponent = (bool, String);

impl Number {
    /// Returns the number with this text. The caller has checked the text against the grammar of JSON.
    pub(crate) fn from_checked(text: &str) -> Number {
        Number(text.into())
    }

    /// Returns the text, as it was read.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the exact value.
    pub(crate) fn decimal(&self) -> Decimal {
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
            return Decimal { negative: false, digits: String::new(), exponent: (false, String::new()) };
        }
        let point = whole.len() as i128 - (all.len() - significant.len()) as i128;
        let (below_zero, magnitude) = match exponent.strip_prefix('-') {
            Some(magnitude) => (true, magnitude),
            None => (false, exponent.trim_start_matches('+')),
        };
        let exponent = add((below_zero, magnitude.trim_start_matches('0')), point);
        Decimal { negative, digits: digits.to_owned(), exponent }
    }

    /// Returns the nearest double-precision number, written as ECMAScript writes it.
    ///
    /// A number beyond every finite double is returned unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use genui_json::{Json, parse};
    ///
    /// let Json::Number(number) = parse("9007199254740993")? else { unreachable!() };
    /// assert_eq!(number.to_double().as_str(), "9007199254740992");
    /// # Ok::<(), genui_json::Error>(())
    /// ```
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

/// Adds to a whole number of any size. The addend is at most the length of a text, so it fits `i128` by far.
fn add((negative, digits): (bool, &str), plus: i128) -> Exponent {
    /// The number of low digits that are added at once; the others change only by a carry.
    const LOW: usize = 30;
    let (high, low) = digits.split_at(digits.len().saturating_sub(LOW));
    let low: i128 = low.parse().unwrap_or(0);
    let base = 10i128.pow(LOW as u32);
    let sum = if negative { low - plus } else { low + plus };
    if high.is_empty() {
        // Without higher digits, the sum may change its sign.
        let below_zero = negative != (sum < 0) && sum != 0;
        return (below_zero, if sum == 0 { String::new() } else { sum.unsigned_abs().to_string() });
    }
    let high = match sum {
        sum if sum < 0 => step(high, false),
        sum if sum >= base => step(high, true),
        _ => high.to_owned(),
    };
    let text = format!("{high}{:030}", sum.rem_euclid(base));
    (negative, text.trim_start_matches('0').to_owned())
}

/// Returns the digits of the next greater whole number, or of the next smaller one if `up` is false.
fn step(digits: &str, up: bool) -> String {
    let (turns, becomes) = if up { ('9', '0') } else { ('0', '9') };
    let kept = digits.trim_end_matches(turns);
    let turned = digits.len() - kept.len();
    let (head, last) = kept.split_at(kept.len().saturating_sub(1));
    let last = last.parse::<u8>().unwrap_or(0);
    let last = if up { last + 1 } else { last - 1 };
    format!("{head}{last}{}", becomes.to_string().repeat(turned))
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
        let nines = "9".repeat(40);
        let next = format!("1{}", "0".repeat(40));
        assert!(same(&format!("10e{nines}"), &format!("1e{next}")), "a carry through every digit");
        assert!(same(&format!("0.1e{next}"), &format!("1e{nines}")), "and back");
        assert!(same(&format!("10e-{next}"), &format!("1e-{nines}")), "below zero too");
        assert!(!same(&format!("1e{nines}"), &format!("1e-{nines}")));
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
