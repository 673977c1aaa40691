//! Process groups: each child leads its own, so that all processes that it starts can be ended with it.

use std::collections::BTreeSet;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};

/// Groups that have been started and not ended, for a program that has to end at once.
static STARTED: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn started() -> MutexGuard<'static, BTreeSet<u32>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers that this process leads a group.
pub(super) fn remember(id: u32) {
    started().insert(id);
}

/// Removes a group that has ended.
pub(super) fn forget(id: u32) {
    started().remove(&id);
}

/// Ends every running adapter with its process group: for a program that has to end at once.
pub fn kill_all() {
    started().iter().for_each(|id| kill(*id));
}

/// Makes the process that the command starts lead a group.
pub(super) fn lead(command: &mut Command) {
    command.process_group(0);
}

/// Waits until the process has ended, and keeps its exit status and its id valid.
pub(super) fn wait_without_reaping(id: u32) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    if let Some(pid) = pid(id) {
        while matches!(waitid(WaitId::Pid(pid), options), Err(Errno::INTR)) {}
    }
}

/// Ends every process of the group that `id` leads.
pub(super) fn kill(id: u32) {
    if let Some(pid) = pid(id) {
        // It fails if the group has no process left, which is the aim.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// Whether the group still has a process. Call it once the leader has been reaped.
pub(super) fn is_left(id: u32) -> bool {
    pid(id).is_some_and(|pid| test_kill_process_group(pid).is_ok())
}

fn pid(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().and_then(Pid::from_raw)
}
