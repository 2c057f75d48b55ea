//! What does an MCP server in the sandbox get? Its program, its package, a folder of
//! its own to write, and what the user granted.
//!
//! Invariant: nothing of a person is readable, and nothing but the server's own folder
//! writable, unless the user named it; keys and journals never are.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::mcp::{Launch, McpConfig};
use crate::sandbox::{Confinement, Share, is_system_program};
use crate::{SourceError, SourceErrorKind};
use holloway_tools::Protected;

/// Links that are followed from one to the next; a circle ends here too.
const LINKS: usize = 16;

/// Where a server runs.
pub(super) struct Place {
    /// The data folder: packages, but also keys and journals.
    data: PathBuf,
    /// The folder of this server, somewhere below it.
    own: PathBuf,
    /// The other folders of Holloway, such as that of its settings.
    protected: Protected,
}

impl Place {
    /// Makes the server's own folder if it is missing.
    pub(super) fn new(data: &Path, own: &Path, protected: &Protected) -> Result<Self, SourceError> {
        let made = || -> io::Result<Self> {
            fs::create_dir_all(own)?;
            Ok(Self {
                data: data.canonicalize()?,
                own: own.canonicalize()?,
                protected: protected.clone(),
            })
        };
        made().map_err(|error| {
            refused(
                format!("the folder `{}` cannot be made: {error}", own.display()),
                "see that the data folder can be written and the disk is not full",
            )
        })
    }

    pub(super) fn confinement(
        &self,
        config: &McpConfig,
        launch: &Launch,
    ) -> Result<Confinement, SourceError> {
        let mut readable = paths(&config.readable);
        let mut writable = paths(&config.writable);
        self.check_grants(&readable, &writable)?;
        let program = find_program(launch);
        let mut parts = self.packages(&program, launch);
        // A server that may change its program could make it a link to anything.
        if !is_below(&program, &writable) {
            parts.extend(parts_of(&program));
        }
        // Whole folders first: what is inside of them needs no word of its own.
        parts.sort_by_key(|part| part.components().count());
        for part in parts {
            self.keeps_clear(&part, &[&self.own, &self.data.join("packages")])?;
            if !is_below(&part, &readable) && !is_below(&part, &writable) {
                readable.push(part);
            }
        }
        let granted = is_below(&launch.folder, &readable) || is_below(&launch.folder, &writable);
        let folder = if granted {
            launch.folder.clone()
        } else {
            self.own.clone()
        };
        writable.push(self.own.clone());
        let arguments = launch.arguments.iter();
        Ok(Confinement {
            program: program.into(),
            arguments: arguments
                .map(|text| OsString::from(text.reveal()))
                .collect(),
            folder,
            readable,
            writable,
            environment: launch.environment.clone(),
            network: config.network,
            share: Share::default(),
        })
    }

    fn check_grants(&self, readable: &[PathBuf], writable: &[PathBuf]) -> Result<(), SourceError> {
        for path in readable {
            self.keeps_clear(path, &[&self.own, &self.data.join("packages")])?;
        }
        for path in writable {
            self.keeps_clear(path, &[&self.own])?;
        }
        Ok(())
    }

    /// Whoever has the data folder has the keys of all servers.
    fn keeps_clear(&self, path: &Path, allowed: &[&Path]) -> Result<(), SourceError> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let touches = self.data.starts_with(&real)
            || real.starts_with(&self.data)
            || self.protected.touches(&real);
        if !touches || allowed.iter().any(|allowed| real.starts_with(allowed)) {
            return Ok(());
        }
        Err(refused(
            format!(
                "`{}` cannot be given to a server in the sandbox: Holloway keeps its keys, journals and settings there",
                path.display()
            ),
            "grant a folder that neither contains the data or settings folder of Holloway nor lies in one",
        ))
    }

    /// The folders of installed packages that the command names.
    fn packages(&self, program: &Path, launch: &Launch) -> Vec<PathBuf> {
        let arguments = launch.arguments.iter().map(|text| Path::new(text.reveal()));
        let named = [program].into_iter().chain(arguments);
        named.filter_map(|path| self.package_of(path)).collect()
    }

    fn package_of(&self, path: &Path) -> Option<PathBuf> {
        let packages = self.data.join("packages");
        let folder = path.ancestors().find(|above| {
            above.is_absolute() && above.canonicalize().is_ok_and(|real| real == packages)
        })?;
        let mut rest = path.strip_prefix(folder).ok()?.components();
        match (rest.next()?, rest.next()?) {
            (Component::Normal(registry), Component::Normal(package))
                if registry == "npm" || registry == "pypi" =>
            {
                Some(folder.join(registry).join(package)).filter(|folder| folder.is_dir())
            }
            _ => None,
        }
    }
}

fn paths(texts: &[String]) -> Vec<PathBuf> {
    texts.iter().map(PathBuf::from).collect()
}

fn is_below(path: &Path, folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| path.starts_with(folder))
}

/// A name is looked up as the sandbox would: what it sees anyway comes first, since
/// programs in a person's folders are often only signposts to others.
fn find_program(launch: &Launch) -> PathBuf {
    let program = Path::new(&launch.program);
    if program.components().count() != 1 || program.is_absolute() {
        return program.to_owned();
    }
    let path = launch.environment.iter().find(|(name, _)| name == "PATH");
    let folders = path.map_or("/usr/local/bin:/usr/bin:/bin", |(_, value)| value.reveal());
    let found: Vec<PathBuf> = std::env::split_paths(folders)
        .map(|folder| folder.join(program))
        .filter(|file| file.is_absolute() && file.is_file())
        .collect();
    let system = found.iter().find(|file| is_system_program(file));
    let found = system.or_else(|| found.first());
    found.map_or_else(|| program.to_owned(), Clone::clone)
}

/// What a program outside the system's folders consists of: its file, all that stands
/// between a link and its target, and its virtual environment.
fn parts_of(program: &Path) -> Vec<PathBuf> {
    let files = chain(program);
    let environments = files.iter().filter_map(|file| environment_of(file));
    let bases = environments.clone().flat_map(|folder| base_of(&folder));
    let parts: Vec<PathBuf> = environments.chain(bases).collect();
    let is_new = |part: &PathBuf| part.is_absolute() && !is_system_program(part);
    files.into_iter().chain(parts).filter(is_new).collect()
}

/// A file and where it leads, link by link.
fn chain(file: &Path) -> Vec<PathBuf> {
    let next = |file: &PathBuf| {
        let target = file.parent()?.join(fs::read_link(file).ok()?);
        Some(
            target
                .parent()?
                .canonicalize()
                .ok()?
                .join(target.file_name()?),
        )
    };
    let first = Some(file.to_owned()).filter(|file| file.is_absolute() && file.is_file());
    let mut files: Vec<PathBuf> = std::iter::successors(first, next).take(LINKS).collect();
    let real = files.last().and_then(|file| file.canonicalize().ok());
    files.extend(real);
    files
}

/// The virtual environment whose `bin` this file is in.
fn environment_of(file: &Path) -> Option<PathBuf> {
    let folder = file.parent().filter(|bin| bin.ends_with("bin"))?.parent()?;
    let is_one = folder.join("pyvenv.cfg").is_file();
    is_one.then(|| folder.to_owned())
}

/// The Python that an environment was made from: the program and its libraries.
fn base_of(environment: &Path) -> Vec<PathBuf> {
    let files = chain(&environment.join("bin").join("python"));
    let outside = files
        .into_iter()
        .filter(|file| !file.starts_with(environment));
    let files: Vec<PathBuf> = outside.collect();
    let prefix = files.last().and_then(|file| file.parent()?.parent());
    let libraries = prefix.map(|prefix| prefix.join("lib"));
    let libraries = libraries.filter(|folder| folder.is_dir());
    files.iter().cloned().chain(libraries).collect()
}

fn refused(message: String, hint: &str) -> SourceError {
    SourceError::new(SourceErrorKind::Sandbox, message, hint)
}
