//! The text of doubles.

/// The fewest digits that represent a double, in the form `1.5e-7`. Of several such texts ECMAScript prefers the one
/// nearest to the double, and of two that are equally near the one whose last digit is even.
pub(super) fn fewest_digits(double: f64) -> String {
    // Rust writes the fewest digits, too, but at half-way the greater ones.
    let fewest = format!("{double:e}");
    let digits =
        fewest.split('e').next().map_or(0, |mantissa| mantissa.matches(|letter: char| letter.is_ascii_digit()).count());
    // With the number of digits given, it writes the nearest ones, and at half-way the even ones. The nearest digits
    // need not represent the double: below a power of two, doubles are closer together than above.
    let nearest = format!("{double:.*e}", digits - 1);
    if nearest.parse() == Ok(double) { nearest } else { fewest }
}
