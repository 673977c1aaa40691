//! `man`: the manual page, made from the same definitions as the help.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap_mangen::Man;

use super::command_line;
use super::exit::Exit;
use super::session::Session;

/// Arguments of `man`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Write a page for the program and one for each command to this folder, which is made if it is missing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    match &arguments.out {
        Some(folder) => write_pages(folder)
            .map_err(|error| Exit::usage(format!("{} cannot be written: {error}", folder.display())))?,
        None => write_page(session.bytes())?,
    }
    Ok(Exit::success())
}

/// Writes a page for the program and one for each command.
fn write_pages(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command_line(), folder)
}

/// Writes one page: that of the program, with a section for each command in place of its list of commands.
fn write_page(out: &mut dyn Write) -> io::Result<()> {
    // `help` repeats the names of all commands.
    let mut program = command_line().disable_help_subcommand(true);
    program.build();
    let page = Man::new(program.clone());
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    for command in program.get_subcommands() {
        writeln!(out, ".SH \"{}\"", command.get_bin_name().unwrap_or_else(|| command.get_name()).to_uppercase())?;
        let page = Man::new(command.clone());
        let mut sections = Vec::new();
        page.render_synopsis_section(&mut sections)?;
        page.render_description_section(&mut sections)?;
        page.render_options_section(&mut sections)?;
        // A section of the command's own page is a subsection here.
        out.write_all(String::from_utf8_lossy(&sections).replace("\n.SH ", "\n.SS ").as_bytes())?;
    }
    let mut codes = Vec::new();
    page.render_extra_section(&mut codes)?;
    // Manual pages have a customary heading for what follows the help here.
    out.write_all(String::from_utf8_lossy(&codes).replace(".SH EXTRA", ".SH \"EXIT STATUS\"").as_bytes())?;
    page.render_version_section(out)
}
