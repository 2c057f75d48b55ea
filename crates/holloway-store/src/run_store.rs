//! The store as the flow sees it: the same functions under the flow's names.

use holloway_engine::entry::{Entry, RunId};
use holloway_flow::run_store::{Message, NewRun, RunStore, StoreFailure, Watch};
use serde_json::Value;

use crate::{Store, StoreError};

impl RunStore for Store {
    fn create(&self, new: NewRun) -> Result<(), StoreFailure> {
        self.create_run(new).map_err(failure)
    }

    fn entries(&self, run: &RunId) -> Result<Vec<Entry>, StoreFailure> {
        Self::entries(self, run, 0).map_err(failure)
    }

    fn plan_of(&self, run: &RunId) -> Result<Value, StoreFailure> {
        Self::plan_of(self, run).map_err(failure)
    }

    fn post(&self, run: &RunId, message: &Message) -> Result<(), StoreFailure> {
        Self::post(self, run, message).map_err(failure)
    }

    fn messages(&self, run: &RunId, after: i64) -> Result<Vec<(i64, Message)>, StoreFailure> {
        self.take(run, after).map_err(failure)
    }

    fn mark_taken(&self, messages: &[i64]) -> Result<(), StoreFailure> {
        Self::mark_taken(self, messages).map_err(failure)
    }

    fn watch(&self) -> Result<Box<dyn Watch>, StoreFailure> {
        let watch = Self::watch(self).map_err(failure)?;
        Ok(Box::new(watch))
    }
}

impl Watch for crate::Watch {
    fn changed(&mut self) -> Result<bool, StoreFailure> {
        Self::changed(self).map_err(failure)
    }
}

pub(crate) fn failure(error: StoreError) -> StoreFailure {
    StoreFailure {
        code: error.code(),
        message: error.to_string(),
        hint: error.hint().into_owned(),
    }
}
