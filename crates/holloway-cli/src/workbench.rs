//! Which tools are there, and what may they reach? Our own with the grants of the
//! configuration and the flags of the command, and those of the catalogue.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use holloway_engine::options::{ApprovalPolicy, Consent};
use holloway_flow::catalog::{CatalogTool, SourceId};
use holloway_plan::digest;
use holloway_plan::plan::Plan;
use holloway_plan::tool::{Lookup, ToolSpec, ToolTable};
use holloway_sources::sandbox::Attendant;
use holloway_tools::ungranted::{Ungranted, ungranted};
use holloway_tools::{Folder, Grants, Protected, Toolbox};
use serde_json::Value;

use crate::arguments::Reach;
use crate::config::own_folders;
use crate::error::CliError;
use crate::from_here::from_here;
use crate::model;
use crate::outside::{OutsideTools, check_declared};
use crate::secret_file::SecretFile;
use crate::session::Session;
use crate::terms::{Flags, Terms};

/// The tools of one command.
#[derive(Clone)]
pub(crate) struct Workbench {
    pub(crate) toolbox: Toolbox,
    pub(crate) table: ToolTable,
    pub(crate) outside: OutsideTools,
    grants: Grants,
    /// What of the grants was given with flags.
    flags: Flags,
    /// Which calls are asked about or forbidden.
    approvals: ApprovalPolicy,
    /// Where the command was started.
    folder: PathBuf,
}

impl Workbench {
    pub(crate) fn set_up(session: &Session, reach: &Reach) -> Result<Self, CliError> {
        let config = session.config()?;
        let settings = &config.settings;
        let flags = flags(reach, &session.folder)?;
        let samples = settings.tools.samples || reach.sample_tools;
        let mut workbench = Self::reaching(settings.grants.clone(), flags, samples, session)?;
        workbench.approvals = settings.approvals;
        let file = |key: &str| config.from(key).to_owned();
        check_declared(&settings.tools.does, &workbench.table, file)?;
        Ok(workbench)
    }

    fn reaching(
        granted: Grants,
        flags: Flags,
        samples: bool,
        session: &Session,
    ) -> Result<Self, CliError> {
        let grants = with_flags(granted, &flags, &session.folder)?;
        let outside = OutsideTools::find(session, &grants)?;
        let secrets = SecretFile::open()?.secrets();
        let mut toolbox = Toolbox::builtin_with(grants.clone(), secrets);
        // Without it, programs that leave their process group would outlive their call.
        if let Ok(launcher) = std::env::current_exe() {
            toolbox = toolbox.attended_by(Arc::new(Attendant::new(launcher)));
        }
        if samples {
            toolbox = toolbox.with_samples();
        }
        toolbox = match model::configured(session)? {
            Some(model) => toolbox.with_model(&model.at_hand()),
            None => toolbox.without_model(),
        };
        for tool in outside.ready() {
            toolbox.insert(tool);
        }
        let mut table = ToolTable::new(toolbox.specs());
        outside.withhold(&mut table);
        Ok(Self {
            toolbox,
            table,
            outside,
            grants,
            flags,
            approvals: ApprovalPolicy::default(),
            folder: session.folder.clone(),
        })
    }

    /// What our own tools may reach.
    pub(crate) fn grants(&self) -> &Grants {
        &self.grants
    }

    /// What a call of a tool with these arguments would be refused for, whatever its source.
    pub(crate) fn refusals(&self, tool: &ToolSpec, arguments: &Value) -> Vec<Ungranted> {
        let mut lacks = ungranted(&self.grants, tool, arguments);
        if let Some(known) = self.catalogued(tool) {
            lacks.extend(self.outside.refusals(known));
        }
        let effect = tool.effect;
        if self.approvals.for_effect(effect) == Consent::Deny {
            lacks.push(Ungranted {
                what: format!("call {}, and calls that are {effect} are denied", tool.id),
                grant: format!("`{effect} = \"ask\"` under [approvals] in holloway.toml"),
            });
        }
        lacks
    }

    /// What was given with flags.
    pub(crate) fn flags(&self) -> &Flags {
        &self.flags
    }

    /// What is kept beside a run: what it reaches, and what of that its person gave it.
    pub(crate) fn terms(&self, yes: bool) -> Value {
        let terms = Terms {
            grants: self.grants.clone(),
            flags: Flags {
                yes,
                ..self.flags.clone()
            },
            folder: self.folder.clone(),
            led_to: self.grants.led_to.clone(),
        };
        serde_json::to_value(terms).unwrap_or_default()
    }

    /// Stands for what the tools reach: results are remembered only for the same.
    pub(crate) fn memory_scope(&self) -> String {
        digest::of_json(&self.grants)
    }

    /// The tools of a plan that is stored beside a run; the sample tools only if it uses them.
    pub(crate) fn for_stored_plan(
        stored: &Value,
        granted: &Grants,
        reach: &Reach,
        session: &Session,
    ) -> Result<Self, CliError> {
        let reaching = |samples: bool| {
            let flags = flags(reach, &session.folder)?;
            Self::reaching(granted.clone(), flags, samples, session)
        };
        let workbench = reaching(false)?;
        let pins = stored.get("pins").and_then(Value::as_object);
        let is_known = |name: &String| matches!(workbench.table.find(name), Lookup::Found(_));
        if pins.is_some_and(|pins| !pins.keys().all(is_known)) {
            return reaching(true);
        }
        Ok(workbench)
    }

    /// Starts the sources a plan uses, all at once and in the background.
    pub(crate) fn warm_up(&self, plan: &Plan) {
        let mut wanted = BTreeSet::new();
        sources_of(plan, &mut wanted);
        for id in wanted {
            if let Some(source) = self.outside.sources.get(&id) {
                let source = Arc::clone(source);
                tokio::spawn(async move { source.warm_up().await });
            }
        }
    }

    /// Ends what was started.
    pub(crate) async fn close(&self) {
        let closing = self.outside.sources.values().map(|source| source.close());
        futures_util::future::join_all(closing).await;
    }

    /// What the catalogue knows of a tool beyond its definition.
    pub(crate) fn catalogued(&self, tool: &ToolSpec) -> Option<&CatalogTool> {
        self.outside
            .tools
            .iter()
            .find(|known| known.spec.id == tool.id)
    }

    /// The tool of this name, or what was probably meant.
    pub(crate) fn tool(&self, name: &str) -> Result<Arc<ToolSpec>, CliError> {
        match self.table.find(name) {
            Lookup::Found(tool) => Ok(tool),
            Lookup::Ambiguous(tools) => {
                let names: Vec<String> = tools.iter().map(ToString::to_string).collect();
                Err(
                    CliError::usage("unknown-tool", format!("several tools are called `{name}`"))
                        .hint(format!("say which: {}", names.join(", "))),
                )
            }
            Lookup::Missing => {
                if let Some((id, reason)) = self.table.withheld(name) {
                    let message = format!("{id} may not be used: {reason}");
                    return Err(CliError::usage("tool-held", message)
                        .hint(format!("`holloway tools pin {id}` shows why")));
                }
                let known = self
                    .table
                    .iter()
                    .flat_map(|tool| [tool.id.as_str(), tool.id.name()]);
                let guess = holloway_plan::problem::did_you_mean(name, known);
                Err(
                    CliError::usage("unknown-tool", format!("there is no tool `{name}`"))
                        .some_hint(guess)
                        .or_hint("`holloway tools` lists the tools"),
                )
            }
        }
    }
}

fn sources_of(plan: &Plan, found: &mut BTreeSet<SourceId>) {
    for tool in plan.tools().values() {
        found.insert(SourceId::new(tool.id.source()));
    }
    for inner in plan.inner_plans().values() {
        sources_of(inner, found);
    }
}

fn flags(reach: &Reach, here: &Path) -> Result<Flags, CliError> {
    let folders = reach.grant_folder.iter();
    let folders = folders.map(|folder| granted(folder, here));
    Ok(Flags {
        folders: folders.collect::<Result<_, CliError>>()?,
        hosts: reach.allow_host.clone(),
        shell: reach.allow_shell,
        yes: false,
    })
}

/// Names the Chromium for pages that are measured, before the settings.
const BROWSER: &str = "HOLLOWAY_BROWSER";

fn with_flags(mut grants: Grants, flags: &Flags, here: &Path) -> Result<Grants, CliError> {
    grants.protected = Protected::new(own_folders(here)?);
    if let Ok(home) = etcetera::home_dir() {
        grants.protected = grants.protected.with_home(&home);
    }
    grants.folders.extend(flags.folders.iter().cloned());
    grants.private_hosts.extend(flags.hosts.iter().cloned());
    grants.shell |= flags.shell;
    // A program for one command, such as a browser that is not where it usually is.
    if let Some(browser) = std::env::var_os(BROWSER).filter(|value| !value.is_empty()) {
        grants.browser = Some(browser.into());
    }
    grants.hold();
    Ok(grants)
}

fn granted(text: &str, here: &Path) -> Result<Folder, CliError> {
    let (path, writable) = match text.strip_suffix(":ro") {
        Some(path) => (path, false),
        None => (text.strip_suffix(":rw").unwrap_or(text), true),
    };
    let path = from_here(here, path);
    if !path.is_dir() && !path.is_file() {
        let message = format!(
            "--grant-folder: there is no folder or file `{}`",
            path.display()
        );
        return Err(
            CliError::usage("input-invalid", message).hint("make it first, or check the spelling")
        );
    }
    Ok(Folder { path, writable })
}
