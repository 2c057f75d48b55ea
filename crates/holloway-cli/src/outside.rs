//! Which tools come from outside, and how are they reached? What the catalogue
//! knows, with what the configuration says about a source on top.

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_flow::catalog::effect::{EffectOverrides, said_by_user};
use holloway_flow::catalog::inference::{DoesOverrides, declare, renewed, unknown_argument};
use holloway_flow::catalog::{Catalog, CatalogTool, SourceId, SourceRecord, Standing};
use holloway_plan::problem::did_you_mean;
use holloway_plan::tool::{ToolId, ToolTable};
use holloway_sources::guarded::GuardedSource;
use holloway_sources::open::{Surroundings, open};
use holloway_sources::openapi::origin_of;
use holloway_sources::refusals::refusals;
use holloway_sources::sourced_tool::SourcedTool;
use holloway_sources::{SourceConfig, SourceError, SourceErrorKind};
use holloway_tools::clock::SystemClock;
use holloway_tools::secrets::Secrets;
use holloway_tools::ungranted::Ungranted;
use holloway_tools::{Grants, Tool};
use serde_json::{Map, Value};

use crate::config::{Config, Settings, data_folder};
use crate::error::CliError;
use crate::secret_file::SecretFile;
use crate::session::Session;

/// The catalogue and what is needed to reach its sources.
#[derive(Clone)]
pub(crate) struct Outside {
    pub(crate) catalog: Arc<dyn Catalog>,
    around: Surroundings,
    overrides: Arc<EffectOverrides>,
    does: DoesOverrides,
    said: BTreeMap<String, Map<String, Value>>,
}

impl Outside {
    pub(crate) fn open(session: &Session, grants: &Grants) -> Result<Self, CliError> {
        let config = session.config()?;
        let settings = &config.settings;
        let catalog = session.store()?.clone();
        Ok(Self {
            around: surroundings(settings, grants)?,
            overrides: Arc::new(overrides(config, &catalog)?),
            does: settings.tools.does.clone(),
            said: settings.sources.clone(),
            catalog: Arc::new(catalog),
        })
    }

    pub(crate) fn around(&self) -> &Surroundings {
        &self.around
    }

    pub(crate) fn secrets(&self) -> &Secrets {
        &self.around.secrets
    }

    /// A source with its guard; nothing is started yet.
    pub(crate) fn source(&self, record: &SourceRecord) -> Result<Arc<GuardedSource>, SourceError> {
        let config = self.config(record)?;
        let source = open(&record.id, &config, &self.around);
        let guarded = GuardedSource::new(
            record.id.clone(),
            source,
            Arc::clone(&self.catalog),
            Arc::clone(&self.overrides),
            self.around.secrets.clone(),
            Arc::new(SystemClock),
        );
        Ok(Arc::new(guarded.of_package(record.package.clone())))
    }

    /// How a source was added, with what `[sources]` says about it on top.
    fn config(&self, record: &SourceRecord) -> Result<SourceConfig, SourceError> {
        let mut config = record.config.clone();
        let said = self.said.get(record.id.as_str());
        if let (Some(said), Some(fields)) = (said, config.as_object_mut()) {
            for (key, value) in said {
                fields.insert(key.clone(), value.clone());
            }
        }
        serde_json::from_value(config).map_err(|error| {
            let message = format!("the source {} is not configured right: {error}", record.id);
            let hint = format!("look at [sources.\"{}\"] in holloway.toml", record.id);
            SourceError::new(SourceErrorKind::Config, message, hint)
        })
    }

    /// Who accepts an operation of a service accepts where it sends to: that is part of
    /// the definition that was shown.
    pub(crate) fn accept_origin(&self, tool: &CatalogTool) -> Result<(), CliError> {
        let id = SourceId::new(tool.spec.id.source());
        let Some(mut record) = self.records()?.remove(&id) else {
            return Ok(());
        };
        let config = serde_json::from_value(record.config.clone());
        let server = tool.definition.get("server").and_then(Value::as_str);
        let (Ok(SourceConfig::OpenApi(mut config)), Some(origin)) =
            (config, server.and_then(origin_of))
        else {
            return Ok(());
        };
        config.accept_origin(&origin);
        record.config = serde_json::to_value(SourceConfig::OpenApi(config)).map_err(|error| {
            CliError::failed("internal", format!("a source cannot be kept: {error}"))
                .hint("this is a mistake in Holloway; please report it")
        })?;
        Ok(self.catalog.put_source(&record)?)
    }

    /// What the user says about a tool holds at once, not only after the next refresh.
    fn as_said(&self, mut tool: CatalogTool) -> CatalogTool {
        declare(&mut tool.spec, &self.does);
        if let Some(said) = said_by_user(&tool.spec.id, &self.overrides) {
            tool.spec.effect = said.effect;
            tool.effect_reason = said.reason;
        }
        tool
    }

    /// The sources of the catalogue by id.
    pub(crate) fn records(&self) -> Result<BTreeMap<SourceId, SourceRecord>, CliError> {
        let records = self.catalog.sources()?;
        Ok(records
            .into_iter()
            .map(|record| (record.id.clone(), record))
            .collect())
    }

    pub(crate) fn record(&self, id: &str) -> Result<SourceRecord, CliError> {
        let mut records = self.records()?;
        records.remove(&SourceId::new(id)).ok_or_else(|| {
            let known = records.keys().map(SourceId::as_str);
            let guess = did_you_mean(id, known);
            CliError::usage("source-unknown", format!("there is no source `{id}`"))
                .some_hint(guess)
                .or_hint("`holloway tools sources` lists the sources")
        })
    }
}

/// The tools of all sources, ready to be put on the workbench.
#[derive(Clone, Default)]
pub(crate) struct OutsideTools {
    pub(crate) sources: BTreeMap<SourceId, Arc<GuardedSource>>,
    pub(crate) tools: Vec<CatalogTool>,
    /// What is known of the sources besides; nothing where there is none.
    outside: Option<Outside>,
}

impl OutsideTools {
    /// What a call of a tool would be refused for, as far as its source says so beforehand.
    pub(crate) fn refusals(&self, tool: &CatalogTool) -> Vec<Ungranted> {
        let Some(outside) = &self.outside else {
            return Vec::new();
        };
        let source = tool.spec.id.source();
        let config = outside.record(source).ok();
        let config = config.and_then(|record| outside.config(&record).ok());
        config.map_or_else(Vec::new, |config| {
            refusals(&config, &tool.definition, &outside.around)
        })
    }

    /// Nothing at all where nothing was ever added: then not even a data folder is made.
    pub(crate) fn find(session: &Session, grants: &Grants) -> Result<Self, CliError> {
        if !session.has_store()? {
            return Ok(Self::default());
        }
        let catalog = session.store()?;
        let tools = looked_at(catalog)?;
        if tools.is_empty() {
            return Ok(Self::default());
        }
        let outside = Outside::open(session, grants)?;
        let tools = tools.into_iter().map(|tool| outside.as_said(tool));
        let tools = tools.collect();
        let mut sources = BTreeMap::new();
        for (id, record) in outside.records()? {
            sources.insert(id, outside.source(&record)?);
        }
        Ok(Self {
            sources,
            tools,
            outside: Some(outside),
        })
    }

    /// Those that may be called.
    pub(crate) fn ready(&self) -> impl Iterator<Item = Arc<dyn Tool>> + '_ {
        self.tools
            .iter()
            .filter(|tool| tool.standing == Standing::Ready)
            .filter_map(|tool| {
                let source = self.sources.get(&SourceId::new(tool.spec.id.source()))?;
                let tool = SourcedTool::new(tool.spec.clone(), Arc::clone(source));
                Some(Arc::new(tool) as Arc<dyn Tool>)
            })
    }

    /// Says of the others why they may not be.
    pub(crate) fn withhold(&self, table: &mut ToolTable) {
        for tool in &self.tools {
            if let Some(reason) = tool.standing.obstacle() {
                table.withhold(tool.spec.id.clone(), reason);
            }
        }
    }
}

/// The tools of the catalogue. What another inference said that they do is inferred again and kept.
fn looked_at(catalog: &dyn Catalog) -> Result<Vec<CatalogTool>, CliError> {
    let mut tools = catalog.tools()?;
    let mut pairs = Vec::new();
    for tool in &mut tools {
        if let Some(now) = renewed(tool) {
            pairs.push((std::mem::replace(tool, now.clone()), now));
        }
    }
    if !pairs.is_empty() {
        // Whoever changed a tool meanwhile looked at it as well.
        catalog.replace_tools(&pairs)?;
    }
    Ok(tools)
}

/// Refuses what the configuration says of tools that are not there, or of arguments that they do
/// not have. A tool that is held back is not looked at: what is accepted of it may be another one.
pub(crate) fn check_declared(
    does: &DoesOverrides,
    table: &ToolTable,
    file: impl Fn(&str) -> String,
) -> Result<(), CliError> {
    for (id, lines) in does {
        let key = format!("tools.does.{id}");
        let place = || format!("{}: [tools.does] \"{id}\"", file(&key));
        let Some(tool) = table.get(&ToolId::new(id)) else {
            if table.withheld(id).is_some() {
                continue;
            }
            let known = table.iter().map(|tool| tool.id.as_str());
            let message = format!("{} names no tool", place());
            return Err(CliError::usage("config-invalid", message)
                .some_hint(did_you_mean(id, known))
                .or_hint("`holloway tools` lists the tools"));
        };
        if tool.definition.is_empty() {
            let message = format!("{} is a tool of our own, which says what it does", place());
            return Err(CliError::usage("config-invalid", message)
                .hint("only tools of sources can be declared here; remove the line"));
        }
        if let Some((line, argument)) = unknown_argument(tool, lines) {
            let message = format!(
                "{}: the tool has no argument `{argument}`, in `{line}`",
                place()
            );
            let fields = tool
                .input_schema
                .get("properties")
                .and_then(Value::as_object);
            let names: Vec<&str> = fields
                .into_iter()
                .flat_map(Map::keys)
                .map(String::as_str)
                .collect();
            let all = format!("it has: {}", names.join(", "));
            let guess = did_you_mean(argument, names);
            return Err(CliError::usage("config-invalid", message).hint(guess.unwrap_or(all)));
        }
    }
    Ok(())
}

/// What the configuration says about effects. A file that is not trusted can only make a tool
/// count as more than it does without it, so that is worked out for each tool.
fn overrides(config: &Config, catalog: &dyn Catalog) -> Result<EffectOverrides, CliError> {
    let mut overrides = config.settings.tools.effects.clone();
    if config.at_least.is_empty() {
        return Ok(overrides);
    }
    for tool in catalog.tools()? {
        let id = &tool.spec.id;
        if let Some(least) = said_by_user(id, &config.at_least) {
            let now = said_by_user(id, &config.settings.tools.effects);
            let now = now.map_or(tool.spec.effect, |said| said.effect);
            overrides.insert(id.to_string(), now.max(least.effect));
        }
    }
    Ok(overrides)
}

fn surroundings(settings: &Settings, grants: &Grants) -> Result<Surroundings, CliError> {
    let launcher = std::env::current_exe().map_err(|error| {
        CliError::failed("internal", format!("this program cannot be found: {error}"))
            .hint("start holloway by its full path")
    })?;
    Ok(Surroundings {
        secrets: SecretFile::open()?.secrets(),
        folder: data_folder()?,
        environment: handed_on(&FOR_SERVERS, &[]),
        installing: handed_on(&FOR_SERVERS, &FOR_INSTALLERS),
        launcher,
        unsandboxed: settings.sandbox.allow_unsandboxed,
        grants: Arc::new(grants.clone()),
        sandbox: Arc::default(),
    })
}

/// What servers need to find programs and folders; no keys.
const FOR_SERVERS: [&str; 14] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
];

/// How package managers find their registry. It may hold a key, so no server gets it.
const FOR_INSTALLERS: [&str; 3] = ["npm_config_", "UV_", "PIP_"];

fn handed_on(names: &[&str], beginnings: &[&str]) -> BTreeMap<String, String> {
    let is_wanted = |(name, _): &(String, String)| {
        names.contains(&name.as_str()) || beginnings.iter().any(|start| name.starts_with(start))
    };
    // A value that is no text cannot be meant for these programs.
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(is_wanted)
        .collect()
}

impl From<SourceError> for CliError {
    fn from(error: SourceError) -> Self {
        Self::failed(error.code(), error.message.clone()).hint(error.hint)
    }
}
