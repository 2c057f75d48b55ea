//! Is there anything left to spend? Limits of the plan are hard: the call that
//! would break one is not made, and the run ends with what it has.

use super::Machine;
use super::finish::Stop;
use crate::entry::{BudgetKind, EndStatus, EntryKind};
use crate::event::Action;

impl Machine {
    /// Ends the run if the next call of `n` would go over a limit.
    pub(super) fn over_budget(&mut self, n: u32) -> bool {
        let Some((what, limit, used)) = self.broken_limit(n) else {
            return false;
        };
        self.record(EntryKind::BudgetExceeded { what, limit, used });
        self.state.ending = Some(EndStatus::Partial);
        self.stop_frame(0, Stop::LetFinish);
        true
    }

    fn broken_limit(&self, n: u32) -> Option<(BudgetKind, f64, f64)> {
        let budget = self.dag.budget();
        let spent = &self.state.spent;
        if let Some(calls) = budget.calls.filter(|limit| spent.calls >= *limit) {
            return Some((BudgetKind::Calls, calls as f64, spent.calls as f64));
        }
        if let Some(tokens) = budget.tokens.filter(|limit| spent.tokens >= *limit) {
            return Some((BudgetKind::Tokens, tokens as f64, spent.tokens as f64));
        }
        let price = self
            .tool_in_use(n)
            .and_then(|(_, tool)| tool.price)
            .unwrap_or(0.0);
        let money = budget.money.filter(|limit| spent.money + price > *limit);
        money.map(|limit| (BudgetKind::Money, limit, spent.money))
    }

    /// Asks to be told when the plan's time is over.
    pub(super) fn set_time_limit(&mut self) {
        if let Some(seconds) = self.dag.budget().seconds {
            let left_ms = ((seconds * 1_000.0) as u64).saturating_sub(self.state.active_ms);
            let at_ms = self.state.active_since + left_ms;
            self.actions.push(Action::WakeAtBudget { at_ms });
        }
    }

    /// Adds the time at work up to `now_ms`.
    pub(super) fn stop_the_watch(&mut self, now_ms: u64) {
        self.state.active_ms += now_ms.saturating_sub(self.state.active_since);
    }

    pub(super) fn time_up(&mut self) {
        let limit = self.dag.budget().seconds.unwrap_or_default();
        let since = self.state.now.saturating_sub(self.state.active_since);
        let used = (self.state.active_ms + since) as f64 / 1_000.0;
        // A timer set before a pause may fire early; the one set afterwards counts.
        if self.state.paused {
            return;
        }
        if used < limit {
            return self.set_time_limit();
        }
        self.record(EntryKind::BudgetExceeded {
            what: BudgetKind::Seconds,
            limit,
            used,
        });
        self.state.ending = Some(EndStatus::Partial);
        self.stop_frame(0, Stop::AtOnce);
    }
}
