//! How does what was configured become a source that can be used? One place that
//! knows every kind.

mod confined;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use holloway_flow::catalog::SourceId;
use holloway_flow::catalog::offer::{Package, Registry};
use tokio::sync::OnceCell;

use self::confined::Place;
use super::late::Late;
use super::mcp::{Launch, McpConfig, McpSource, McpSurroundings};
use super::npm::{NodeProgram, NpmConfig, NpmSource};
use super::openapi::OpenApiSource;
use super::{SourceConfig, SourceError, SourceErrorKind, ToolSource};
use crate::sandbox::{Attendant, Kind, Sandbox, SandboxError, Wish};
use holloway_tools::Grants;
use holloway_tools::secrets::Secrets;

/// What sources are opened with; all that is known of the machine and the user.
#[derive(Clone)]
pub struct Surroundings {
    pub secrets: Secrets,
    /// Packages and the working folders of servers live below it.
    pub folder: PathBuf,
    /// What programs that are not confined see: PATH, HOME, LANG and the like.
    pub environment: BTreeMap<String, String>,
    /// What package managers see besides.
    pub installing: BTreeMap<String, String>,
    /// The program that confines others: this one, with a hidden command.
    pub launcher: PathBuf,
    /// The user said that code of packages may run without a sandbox where none works.
    pub unsandboxed: bool,
    pub grants: Arc<Grants>,
    /// Found at first use, because trying it takes time.
    pub sandbox: Arc<OnceLock<Result<Sandbox, SandboxError>>>,
}

impl Surroundings {
    /// The sandbox of this machine. Blocks the first time.
    pub fn sandbox(&self) -> Result<Sandbox, SandboxError> {
        let wish = if self.unsandboxed {
            Wish::IfPossible
        } else {
            Wish::Strict
        };
        self.sandbox.get_or_init(|| self.find(wish)).clone()
    }

    /// A sandbox with walls, whatever the user allowed to code of packages: who asks
    /// for the sandbox of a server gets it, or no server.
    pub fn strict_sandbox(&self) -> Result<Sandbox, SandboxError> {
        match self.sandbox() {
            Ok(sandbox) if sandbox.kind() == Kind::Unsandboxed => self.find(Wish::Strict),
            found => found,
        }
    }

    fn find(&self, wish: Wish) -> Result<Sandbox, SandboxError> {
        Sandbox::find_in(self.launcher.clone(), wish, self.search_path())
    }

    fn search_path(&self) -> Vec<PathBuf> {
        let path = self.environment.get("PATH").map(String::as_str);
        std::env::split_paths(path.unwrap_or("/usr/local/bin:/usr/bin:/bin")).collect()
    }

    /// Where a program is, by name.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        let folders = self.search_path();
        let mut files = folders.iter().map(|folder| folder.join(name));
        files.find(|file| file.is_file())
    }
}

/// Makes a source; nothing is started yet.
pub fn open(id: &SourceId, config: &SourceConfig, around: &Surroundings) -> Arc<dyn ToolSource> {
    match config {
        SourceConfig::Mcp(config) => {
            let source = McpSource::new(id.clone(), config.clone(), mcp_surroundings(id, around));
            Arc::new(source)
        }
        SourceConfig::Npm(config) => Arc::new(npm(config.clone(), around.clone())),
        SourceConfig::OpenApi(config) => Arc::new(OpenApiSource::new(
            id.clone(),
            config.clone(),
            around.secrets.clone(),
            (*around.grants).clone(),
        )),
    }
}

fn npm(config: NpmConfig, around: Surroundings) -> Late {
    let package = Package {
        registry: Registry::Npm,
        name: config.package.clone(),
        version: config.version.clone(),
        integrity: config.integrity.clone(),
    };
    let make = move || {
        let (config, around) = (config.clone(), around.clone());
        Box::pin(async move {
            let path = around.program("node").ok_or_else(no_node)?;
            let node = NodeProgram::find(&path).await?;
            let finding = around.clone();
            let sandbox = tokio::task::spawn_blocking(move || finding.sandbox()).await;
            let sandbox = sandbox.map_err(|_| interrupted())?.map_err(no_sandbox)?;
            let secrets = around.secrets.clone();
            let source = NpmSource::new(config, &around.folder, node, sandbox, secrets);
            Ok(Arc::new(source) as Arc<dyn ToolSource>)
        }) as _
    };
    Late {
        package: Some(package),
        make: Box::new(make),
        made: OnceCell::new(),
    }
}

fn mcp_surroundings(id: &SourceId, around: &Surroundings) -> McpSurroundings {
    let folder = around.folder.join("sources").join(id.as_str());
    let environment = around.environment.clone();
    let mut surroundings = McpSurroundings::new(around.secrets.clone(), folder);
    surroundings.environment = environment.into_iter().collect();
    surroundings.attendant = Some(Attendant::new(&around.launcher));
    let (around, own) = (around.clone(), surroundings.data_folder.clone());
    surroundings.sandbox = Some(Arc::new(move |config: &McpConfig, launch: &Launch| {
        let sandbox = around.strict_sandbox().map_err(no_sandbox)?;
        let place = Place::new(&around.folder, &own, &around.grants.protected)?;
        let confinement = place.confinement(config, launch)?;
        sandbox.prepare(&confinement).map_err(no_sandbox)
    }));
    surroundings
}

fn no_sandbox(error: SandboxError) -> SourceError {
    SourceError::new(SourceErrorKind::Sandbox, error.message, error.hint)
}

fn no_node() -> SourceError {
    let message = "Node is not on the PATH, and tools of npm packages need it";
    SourceError::new(
        SourceErrorKind::Start,
        message,
        "install Node.js 20 or newer",
    )
}

fn interrupted() -> SourceError {
    let message = "looking for the sandbox was interrupted";
    SourceError::new(SourceErrorKind::Sandbox, message, "try again")
}
