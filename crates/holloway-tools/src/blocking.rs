//! Where does work run that would hold up the async threads? On the pool made for it.

use holloway_engine::failure::ToolFailure;

/// Runs `work` on the blocking pool.
pub(crate) async fn blocking<T, W>(work: W) -> Result<T, ToolFailure>
where
    T: Send + 'static,
    W: FnOnce() -> Result<T, ToolFailure> + Send + 'static,
{
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        // A panic or a runtime that shuts down: nobody knows how far it came.
        Err(error) => {
            Err(ToolFailure::permanent(format!("the tool broke off: {error}")).uncertain())
        }
    }
}
