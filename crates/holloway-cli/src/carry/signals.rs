//! What does Ctrl-C mean? The first one: finish what is under way and start
//! nothing more. The second: stop now. A request to terminate is like either; a terminal that is
//! closed is like the first, however often it is told. Calls that wait for a person's answer are
//! not waited for: nobody is here to give it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use holloway_engine::driver::Control;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::interrupts::{hang_ups, hung_up};
use super::leaving::Leaving;
use crate::error::CliError;
use crate::print::units;
use crate::screen::SharedScreen;

/// The person does not want to wait.
pub(super) struct Stop;

/// Listens for as long as it lives.
pub(super) struct Signals {
    heard: Arc<AtomicBool>,
    stops: UnboundedReceiver<Stop>,
}

impl Signals {
    pub(super) fn listen(
        screen: &SharedScreen,
        control: Control,
        leaving: Leaving,
    ) -> Result<Self, CliError> {
        let failed = |error| {
            CliError::failed("internal", format!("signals cannot be received: {error}"))
                .hint("check the limits of the system")
        };
        let mut interrupts = signal(SignalKind::interrupt()).map_err(failed)?;
        let mut terminations = signal(SignalKind::terminate()).map_err(failed)?;
        let mut hang_ups = hang_ups().map_err(failed)?;
        let heard = Arc::new(AtomicBool::new(false));
        let (sender, stops) = unbounded_channel();
        let (screen, first) = (screen.clone(), Arc::clone(&heard));
        tokio::spawn(async move {
            tokio::select! {
                () = next(&mut interrupts, &mut terminations) => {}
                () = hung_up(&mut hang_ups) => {}
            }
            first.store(true, Ordering::SeqCst);
            tell(&screen, leaving.waited_for());
            leaving.begin();
            control.pause("interrupted");
            next(&mut interrupts, &mut terminations).await;
            let _ = sender.send(Stop);
        });
        Ok(Self { heard, stops })
    }

    /// Comes back when the run is to be left at once.
    pub(super) async fn second(&mut self) -> Stop {
        match self.stops.recv().await {
            Some(stop) => stop,
            // The listener is gone only when the program ends.
            None => std::future::pending().await,
        }
    }

    /// Was there any signal?
    pub(super) fn heard(&self) -> bool {
        self.heard.load(Ordering::SeqCst)
    }
}

async fn next(interrupts: &mut Signal, terminations: &mut Signal) {
    tokio::select! {
        _ = interrupts.recv() => {}
        _ = terminations.recv() => {}
    }
}

fn tell(screen: &SharedScreen, waited_for: u32) {
    if waited_for > 0 {
        let steps = units::count(waited_for as usize, "running step");
        screen.say(&format!(
            "pausing: waiting for {steps}; Ctrl-C again to stop now"
        ));
    }
}
