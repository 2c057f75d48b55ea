//! Is there anything left to spend? Limits of the plan are hard: the call that
//! would break one is not made, and the run ends with what it has.

use super::Machine;
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
        self.stop_frame(0, false);
        true
    }

    fn broken_limit(&self, n: u32) -> Option<(BudgetKind, f64, f64)> {
        let budget = self.dag.budget();
        let spent = &self.state.spent;
        if let Some(calls) = budget.calls.filter(|limit| spent.calls >= *limit) {
            return Some((BudgetKind::Calls, calls as f64, spent.calls as f64));
        }
        if let Some(tokens) = budget.tokens.filter(|limit| spent.usage.tokens >= *limit) {
            return Some((BudgetKind::Tokens, tokens as f64, spent.usage.tokens as f64));
        }
        let price = self
            .tool_in_use(n)
            .and_then(|(_, tool)| tool.price)
            .unwrap_or(0.0);
        let money = budget
            .money
            .filter(|limit| spent.usage.money + price > *limit);
        money.map(|limit| (BudgetKind::Money, limit, spent.usage.money))
    }

    /// Asks to be told when the plan's time is over.
    pub(super) fn set_time_limit(&mut self) {
        if let Some(seconds) = self.dag.budget().seconds {
            let at_ms = self.state.started_at + (seconds * 1_000.0) as u64;
            self.actions.push(Action::WakeAtBudget { at_ms });
        }
    }

    pub(super) fn time_up(&mut self) {
        let limit = self.dag.budget().seconds.unwrap_or_default();
        let used = self.state.now.saturating_sub(self.state.started_at) as f64 / 1_000.0;
        self.record(EntryKind::BudgetExceeded {
            what: BudgetKind::Seconds,
            limit,
            used,
        });
        self.state.ending = Some(EndStatus::Partial);
        self.stop_frame(0, true);
    }
}
