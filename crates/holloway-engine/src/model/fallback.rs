//! Who answers when a model cannot? The next one of a list, in the order of the configuration.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Ask, Model, ModelFailure, OnPiece, Reply};

/// Models of which each stands in for those before it.
pub struct Fallbacks {
    first: Arc<dyn Model>,
    others: Vec<Arc<dyn Model>>,
}

impl Fallbacks {
    pub fn new(first: Arc<dyn Model>, others: Vec<Arc<dyn Model>>) -> Self {
        Self { first, others }
    }
}

/// Whether another model may answer what this one did not.
fn is_worth_another(failure: &ModelFailure) -> bool {
    // The limit of an answer holds for every model.
    !matches!(failure, ModelFailure::CutOff { .. })
}

#[async_trait]
impl Model for Fallbacks {
    fn name(&self) -> &str {
        self.first.name()
    }

    async fn complete(&self, ask: Ask) -> Result<Reply, ModelFailure> {
        match self.first.complete(ask.clone()).await {
            Err(failure) if is_worth_another(&failure) => self.others_complete(ask, failure).await,
            answer => named(answer, self.first.name()),
        }
    }

    async fn stream(&self, ask: Ask, on_piece: &mut OnPiece<'_>) -> Result<Reply, ModelFailure> {
        let mut told = false;
        let mut listen = |piece: &str| {
            told = true;
            on_piece(piece);
        };
        let answer = self.first.stream(ask.clone(), &mut listen).await;
        match named(answer, self.first.name()) {
            // Who has heard the beginning of one answer must not hear another one.
            Err(failure) if !told && is_worth_another(&failure) => {
                let reply = self.others_complete(ask, failure).await?;
                on_piece(&reply.text);
                Ok(reply)
            }
            answer => answer,
        }
    }
}

impl Fallbacks {
    async fn others_complete(
        &self,
        ask: Ask,
        failure: ModelFailure,
    ) -> Result<Reply, ModelFailure> {
        let mut last = failure;
        for other in &self.others {
            match named(other.complete(ask.clone()).await, other.name()) {
                Err(failure) if is_worth_another(&failure) => last = failure,
                answer => return answer,
            }
        }
        Err(last)
    }
}

/// Says who has answered.
fn named(answer: Result<Reply, ModelFailure>, name: &str) -> Result<Reply, ModelFailure> {
    answer.map(|mut reply| {
        if reply.model.is_empty() {
            name.clone_into(&mut reply.model);
        }
        reply
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    struct Fixed(&'static str, Result<Reply, ModelFailure>);

    #[async_trait]
    impl Model for Fixed {
        fn name(&self) -> &str {
            self.0
        }

        async fn complete(&self, _: Ask) -> Result<Reply, ModelFailure> {
            self.1.clone()
        }
    }

    async fn answer(models: Vec<Fixed>) -> Result<(String, String), ModelFailure> {
        let mut models = models
            .into_iter()
            .map(|model| Arc::new(model) as Arc<dyn Model>);
        let all = Fallbacks::new(models.next().unwrap(), models.collect());
        let whole = all.complete(Ask::new("", "?")).await;
        let mut pieces = String::new();
        let streamed = all
            .stream(Ask::new("", "?"), &mut |piece| pieces.push_str(piece))
            .await;
        assert_eq!(whole, streamed);
        whole.map(|reply| (reply.model, reply.text))
    }

    fn slow() -> ModelFailure {
        ModelFailure::TimedOut(Duration::from_secs(1))
    }

    #[tokio::test]
    async fn the_next_model_answers_what_the_first_does_not() {
        let models = vec![
            Fixed("one", Err(slow())),
            Fixed("two", Err(ModelFailure::NoKey("no key".to_owned()))),
            Fixed("three", Ok(Reply::text("yes"))),
        ];
        let found = answer(models).await.unwrap();
        assert_eq!(found, ("three".to_owned(), "yes".to_owned()));
    }

    #[tokio::test]
    async fn the_last_failure_is_told_when_nobody_answers() {
        let declined = ModelFailure::Declined("no".to_owned());
        let models = vec![
            Fixed("one", Err(slow())),
            Fixed("two", Err(declined.clone())),
        ];
        assert_eq!(answer(models).await, Err(declined));
    }

    #[tokio::test]
    async fn an_answer_at_its_limit_is_not_asked_for_again() {
        let cut = ModelFailure::CutOff {
            reply: Box::new(Reply::text("half")),
        };
        let models = vec![
            Fixed("one", Err(cut.clone())),
            Fixed("two", Ok(Reply::text("yes"))),
        ];
        assert_eq!(answer(models).await, Err(cut));
    }
}
