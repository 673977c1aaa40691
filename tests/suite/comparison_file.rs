//! The file of a comparison.

use genui_conform::run::read_comparison_file;

fn complaint(text: &str) -> String {
    read_comparison_file(text).expect_err("is wrong").to_string()
}

#[test]
fn a_file_names_implementations() {
    let text = "[[implementation]]\nname = \"a\"\ncommand = [\"x\", \"y\"]\n\n[[implementation]]\nname = \"b\"\n\
                command = [\"z\"]\nprofile = \"chat\"\nbaseline = \"known.toml\"\n\
                choices = { \"openui.read.stale-end\" = \"ignored\" }\n";
    let entrants = read_comparison_file(text).expect("is right");
    assert_eq!(entrants[0].command, ["x", "y"]);
    assert_eq!(entrants[1].profile, genui_conform::formats::openui::CHAT);
    assert_eq!(entrants[1].choices.len(), 1);
}

#[test]
fn what_is_wrong_is_named() {
    let one = |rest: &str| format!("[[implementation]]\nname = \"a\"\n{rest}\n");
    assert!(complaint("").contains("found none"));
    assert!(complaint(&one("")).contains("missing field `command`"), "{}", complaint(&one("")));
    assert!(complaint(&one("command = \"x\"")).starts_with("3: "), "{}", complaint(&one("command = \"x\"")));
    assert!(complaint(&one("command = []")).contains("empty list"));
    assert!(complaint(&one("command = [\"x\"]\ncolour = 1")).starts_with("4: "));
    assert!(complaint(&one("command = [\"x\"]\nprofile = \"cor\"")).contains("line-start"));
    assert!(complaint(&one("command = [\"x\"]\nchoices = { \"openui.x\" = \"y\" }")).contains("an open rule"));
    let twice = one("command = [\"x\"]") + &one("command = [\"x\"]");
    assert!(complaint(&twice).contains("`a` twice"));
    assert!(complaint(&twice.replacen("\"a\"", "\"reference\"", 1)).contains("`reference` twice"));
}
