//! How does a request of a service leave? Through the guarded client, and never on
//! to another origin than the one it was made for.

use holloway_engine::failure::ToolFailure;
use reqwest::{Response, Url};

use holloway_tools::Grants;
use holloway_tools::http::{Http, Outgoing, next_hop};

const MAX_REDIRECTS: usize = 5;

/// The grants with one more host: exactly the one, at the port, of `url`.
pub(crate) fn granting(grants: &Grants, url: &Url) -> Grants {
    let mut grants = grants.clone();
    if let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) {
        grants.private_hosts.push(format!("{host}:{port}"));
    }
    grants
}

/// Makes the request and follows redirects within its origin.
pub(crate) async fn same_origin_exchange(
    http: &Http,
    mut outgoing: Outgoing,
) -> Result<Response, ToolFailure> {
    for _ in 0..=MAX_REDIRECTS {
        let response = http.exchange(outgoing.clone()).await?;
        let Some(next) = next_hop(&response) else {
            return Ok(response);
        };
        let safe = outgoing.method.is_safe();
        if next.origin() != outgoing.url.origin() {
            let message = format!(
                "the service redirects from {} to {}, where this request is not sent",
                outgoing.url.origin().ascii_serialization(),
                next.origin().ascii_serialization()
            );
            let failure = ToolFailure::denied(message)
                .with_hint("if the service lives there, name it with `--base-url`");
            return Err(if safe { failure } else { failure.uncertain() });
        }
        if !safe && !matches!(response.status().as_u16(), 307 | 308) {
            // The effect may be done, with its result at the other address.
            let message = format!("the service answered {} to a write", response.status());
            return Err(ToolFailure::permanent(message).uncertain());
        }
        outgoing.url = next;
    }
    let message = format!("more than {MAX_REDIRECTS} redirects");
    Err(ToolFailure::permanent(message))
}
