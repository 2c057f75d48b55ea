//! Does the Petstore work from end to end? Its published description, and a server
//! that keeps pets and checks keys.

use std::collections::BTreeMap;
use std::sync::Mutex;

use holloway_engine::failure::FailureName;
use holloway_sources::openapi::{OpenApiConfig, parse_text};
use serde_json::{Value, json};

use super::server::{self, Asked, Reply, Server};
use super::service::Service;

type Pets = Mutex<BTreeMap<u64, Value>>;

fn description() -> Value {
    parse_text("petstore", include_str!("petstore-3.0.json")).unwrap()
}

async fn start() -> Server {
    let pets = Pets::default();
    Server::start(move |asked| respond(asked, &pets)).await
}

fn respond(asked: &Asked, pets: &Pets) -> Reply {
    let (path, query) = asked.target.split_once('?').unwrap_or((&asked.target, ""));
    let mut pets = pets.lock().unwrap();
    let parts: Vec<_> = path.trim_start_matches("/v2/").split('/').collect();
    let keyed = asked.header("api_key") == Some("special-key");
    let trusted = asked.header("authorization") == Some("Bearer t0ken");
    match (asked.method.as_str(), parts.as_slice()) {
        ("GET", ["pet", "findByStatus"]) if trusted => {
            let wanted = |pet: &&Value| {
                query
                    .split('&')
                    .any(|pair| Some(pair) == status(pet).as_deref())
            };
            server::json(
                200,
                &json!(pets.values().filter(wanted).collect::<Vec<_>>()),
            )
        }
        ("GET", ["pet", id]) if keyed => found(&pets, id),
        ("POST", ["pet"]) if trusted => {
            let mut pet: Value = serde_json::from_str(&asked.body).unwrap();
            let id = pets.len() as u64 + 1;
            pet["id"] = json!(id);
            pets.insert(id, pet.clone());
            server::json(200, &pet)
        }
        ("PUT", ["pet"]) if trusted => {
            let pet: Value = serde_json::from_str(&asked.body).unwrap();
            pets.insert(pet["id"].as_u64().unwrap(), pet.clone());
            server::json(200, &pet)
        }
        ("POST", ["pet", id]) if trusted => {
            let name = asked
                .body
                .strip_prefix("name=")
                .unwrap()
                .replace("%20", " ");
            pets.get_mut(&id.parse().unwrap()).unwrap()["name"] = json!(name);
            Some((200, String::new(), Vec::new()))
        }
        ("DELETE", ["pet", id]) if trusted => {
            let removed = pets.remove(&id.parse().unwrap()).is_some();
            Some((if removed { 200 } else { 404 }, String::new(), Vec::new()))
        }
        ("POST", ["pet", _, "uploadImage"]) if trusted => {
            let size = asked.body.contains("filename=\"file\"")
                && asked.body.contains("\r\n\r\nhello\r\n--");
            server::json(
                200,
                &json!({"code": 200, "type": "image", "message": size.to_string()}),
            )
        }
        ("GET", ["user", "login"]) => Some((
            200,
            "content-type: text/plain\r\n".to_owned(),
            query.as_bytes().to_vec(),
        )),
        _ => server::json(401, &json!({"message": "who are you?"})),
    }
}

fn status(pet: &Value) -> Option<String> {
    Some(format!("status={}", pet["status"].as_str()?))
}

fn found(pets: &BTreeMap<u64, Value>, id: &str) -> Reply {
    match id.parse().ok().and_then(|id: u64| pets.get(&id)) {
        Some(pet) => server::json(200, pet),
        None => server::json(404, &json!({"message": "Pet not found"})),
    }
}

async fn open(server: &Server, auth: &[(&str, &str)]) -> Service {
    let auth = auth
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    Service::open(OpenApiConfig {
        origin: "petstore-3.0.json".to_owned(),
        document: description(),
        base_url: server.url("/v2"),
        auth: auth.collect(),
        ..OpenApiConfig::default()
    })
    .await
}

const BOTH: [(&str, &str); 2] = [("api_key", "${API_KEY}"), ("petstore_auth", "${TOKEN}")];

#[tokio::test]
async fn a_pet_lives_and_goes() {
    let server = start().await;
    let service = open(&server, &BOTH).await;
    let pet = json!({"name": "Rex", "photoUrls": [], "status": "available"});
    let made = service.call("addPet", json!({"body": pet})).await.unwrap();
    assert_eq!(made["id"], 1);
    assert_eq!(server.last().header("idempotency-key"), Some("run-1/node"));

    let seen = service
        .call("getPetById", json!({"petId": 1}))
        .await
        .unwrap();
    assert_eq!(seen["name"], "Rex");
    assert_eq!(server.last().header("idempotency-key"), None);
    assert_eq!(server.last().header("accept"), Some("application/json"));

    let changed = json!({"id": 1, "name": "Max", "photoUrls": ["a"], "status": "sold"});
    service
        .call("updatePet", json!({"body": changed}))
        .await
        .unwrap();
    let sold = service
        .call("findPetsByStatus", json!({"status": ["pending", "sold"]}))
        .await
        .unwrap();
    assert_eq!(sold[0]["name"], "Max");
    assert_eq!(
        server.last().target,
        "/v2/pet/findByStatus?status=pending&status=sold"
    );

    let form = json!({"petId": 1, "body": {"name": "Old Max"}});
    let answer = service.call("updatePetWithForm", form).await.unwrap();
    assert_eq!(answer, json!({"status": 200}));
    let seen = service
        .call("getPetById", json!({"petId": 1}))
        .await
        .unwrap();
    assert_eq!(seen["name"], "Old Max");

    let upload = json!({"petId": 1, "body": {"file": "aGVsbG8=", "additionalMetadata": "x"}});
    let answer = service.call("uploadFile", upload).await.unwrap();
    assert_eq!(answer["message"], "true");

    service
        .call("deletePet", json!({"petId": 1}))
        .await
        .unwrap();
    let gone = service
        .call("getPetById", json!({"petId": 1}))
        .await
        .unwrap_err();
    assert_eq!(gone.name, FailureName::ValidationFailed);
    assert_eq!(
        gone.message,
        "GET /pet/{petId} answered 404 Not Found: {\"message\":\"Pet not found\"}"
    );
}

#[tokio::test]
async fn text_comes_in_a_wrapping() {
    let server = start().await;
    let service = open(&server, &[]).await;
    let arguments = json!({"username": "a&b", "password": "c d"});
    let answer = service
        .call_unchecked("loginUser", arguments)
        .await
        .unwrap();
    assert_eq!(
        answer,
        json!({"status": 200, "content_type": "text/plain", "text": "username=a%26b&password=c%20d"})
    );
}

#[tokio::test]
async fn without_a_key_nothing_is_sent() {
    let server = start().await;
    for (auth, expected) in [
        (vec![], "`getPetById` asks for `api_key`, which is not set"),
        (
            vec![("api_key", "${NOT_SET}")],
            "the secret `NOT_SET` is not set; `api_key` needs it",
        ),
    ] {
        let service = open(&server, &auth).await;
        let failure = service
            .call("getPetById", json!({"petId": 1}))
            .await
            .unwrap_err();
        assert_eq!(
            (failure.name, failure.message.as_str()),
            (FailureName::Denied, expected)
        );
        assert!(failure.hint.is_some());
    }
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn a_wrong_key_is_denied_with_a_hint() {
    let server = start().await;
    let service = open(&server, &[("api_key", "wrong")]).await;
    let failure = service
        .call("getPetById", json!({"petId": 1}))
        .await
        .unwrap_err();
    assert_eq!(failure.name, FailureName::Denied);
    assert!(!failure.retryable && failure.hint.unwrap().contains("key or token"));
}

#[tokio::test]
async fn all_operations_are_offered_with_sound_schemas() {
    let server = start().await;
    let service = open(&server, &[]).await;
    assert_eq!(service.names().len(), 20);
    for name in service.names() {
        let offer = service.offer(name);
        jsonschema::meta::validate(&offer.input_schema).unwrap();
        assert_eq!(
            offer.definition["path"].as_str().unwrap().get(..1),
            Some("/")
        );
        let (read, destroys) = (
            name.starts_with("get") || name.starts_with("find") || name.starts_with("log"),
            name.starts_with("delete"),
        );
        assert_eq!(
            (offer.hints.read_only, offer.hints.destructive),
            (Some(read), Some(destroys)),
            "{name}"
        );
    }
    let offer = service.offer("addPet");
    assert_eq!(offer.title, "Add a new pet to the store");
    assert_eq!(offer.category, "pet");
    assert_eq!(offer.input_schema["required"], json!(["body"]));
    assert_eq!(
        offer.input_schema["properties"]["body"]["$ref"],
        "#/$defs/Pet"
    );
    assert_eq!(
        offer.definition["securitySchemes"]["petstore_auth"]["type"],
        "oauth2"
    );
    assert!(offer.definition["references"]["#/components/schemas/Category"].is_object());
}
