//! Process groups: a child leads one of its own, so that whatever it starts can be ended with it.

use std::process::Command;

#[cfg(unix)]
mod sys {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};

    pub(super) fn lead(command: &mut Command) {
        command.process_group(0);
    }

    fn pid(id: u32) -> Option<Pid> {
        i32::try_from(id).ok().and_then(Pid::from_raw)
    }

    pub(super) fn wait_without_reaping(id: u32) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        if let Some(pid) = pid(id) {
            while matches!(waitid(WaitId::Pid(pid), options), Err(rustix::io::Errno::INTR)) {}
        }
    }

    pub(super) fn kill(id: u32) {
        if let Some(pid) = pid(id) {
            // It fails where no process of the group is left, which is what is wanted.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    pub(super) fn is_left(id: u32) -> bool {
        pid(id).is_some_and(|pid| test_kill_process_group(pid).is_ok())
    }
}

#[cfg(not(unix))]
mod sys {
    use std::process::Command;

    pub(super) fn lead(_: &mut Command) {}

    pub(super) fn wait_without_reaping(_: u32) {}

    pub(super) fn kill(_: u32) {}

    pub(super) fn is_left(_: u32) -> bool {
        false
    }
}

/// Lets the process that the command starts lead a group. Where the system knows no groups, the process alone
/// can be ended.
pub(super) fn lead(command: &mut Command) {
    sys::lead(command);
}

/// Waits until the process has ended, and leaves its exit status and its id untouched.
pub(super) fn wait_without_reaping(id: u32) {
    sys::wait_without_reaping(id);
}

/// Ends every process of the group that `id` leads.
pub(super) fn kill(id: u32) {
    sys::kill(id);
}

/// Whether the group has a process left. Ask it once the leader has been reaped.
pub(super) fn is_left(id: u32) -> bool {
    sys::is_left(id)
}
