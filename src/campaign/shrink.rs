//! Shrinks a request while a condition stays true.

use crate::generate::Input;
use crate::settled::is_askable;

/// Of this many smaller params about one at least may be sent.
const UNFIT: usize = 8;

/// Returns the smallest request for which `holds` is still true, found within this many attempts. Unspecified requests,
/// and those whose params do not fit, are never sent, and do not count as attempts.
pub(super) fn shrink(input: &Input, attempts: usize, holds: &mut dyn FnMut(&Input) -> bool) -> Input {
    let mut left = attempts;
    let params = crate::shrink::value(&input.params, attempts * UNFIT, &mut |params| {
        if left == 0 || !is_askable(input.method, params) {
            return false;
        }
        left -= 1;
        holds(&Input { method: input.method, params: params.clone() })
    });
    Input { method: input.method, params }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::FORMATS;
    use crate::json;

    #[test]
    fn shrunk_samples_are_specified_and_no_longer() {
        for method in FORMATS.methods() {
            let params = json::parse(method.samples[0].params).expect("is JSON");
            let whole = Input { method, params };
            let small = shrink(&whole, 2_000, &mut |_| true).params;
            assert!(is_askable(method, &small), "{method}: {}", small.to_ascii());
            let (small, whole) = (small.to_ascii(), whole.params.to_ascii());
            assert!(small.len() < whole.len(), "{method}: {small}");
        }
    }
}
