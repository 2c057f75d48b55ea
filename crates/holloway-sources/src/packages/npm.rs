//! How is an MCP server in an npm package started? By the program that its
//! package.json names, run by Node itself: npx would install it anew, with scripts.

use std::path::Path;

use holloway_flow::catalog::offer::{Package, Registry};
use serde_json::Value;

use super::pypi::short_name;
use super::{ServerPackage, failed};
use crate::SourceError;
use crate::npm::Installed;

/// The server in an installed package.
pub fn server(installed: &Installed, node: &Path) -> Result<ServerPackage, SourceError> {
    let config = &installed.config;
    let home = installed.folder.join("node_modules").join(&config.package);
    let text = std::fs::read_to_string(home.join("package.json")).unwrap_or_default();
    let manifest: Value = serde_json::from_str(&text).unwrap_or_default();
    let script = script_of(&manifest, &config.package).ok_or_else(|| {
        failed(
            format!("{} has no program to start", config.package),
            "tools in a package without a server are added as npm:PACKAGE",
        )
    })?;
    Ok(ServerPackage {
        name: short_name(&config.package),
        command: vec![
            node.display().to_string(),
            home.join(script).display().to_string(),
        ],
        package: Package {
            registry: Registry::Npm,
            name: config.package.clone(),
            version: config.version.clone(),
            integrity: config.integrity.clone(),
        },
    })
}

/// The only program, or the one that bears the package's own name.
fn script_of(manifest: &Value, package: &str) -> Option<String> {
    let own_name = package.rsplit('/').next().unwrap_or(package);
    let script = match manifest.get("bin")? {
        Value::String(script) => script.clone(),
        Value::Object(programs) => {
            let script = programs.get(own_name).or_else(|| programs.values().next());
            script?.as_str()?.to_owned()
        }
        _ => return None,
    };
    let inside = !Path::new(&script).is_absolute() && !script.split('/').any(|part| part == "..");
    inside.then_some(script)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_program_is_found_and_stays_inside() {
        let check = |bin: Value, expected: Option<&str>| {
            let manifest = json!({ "bin": bin });
            assert_eq!(script_of(&manifest, "@a/server").as_deref(), expected);
        };
        check(json!("dist/index.js"), Some("dist/index.js"));
        check(json!({"other": "o.js", "server": "s.js"}), Some("s.js"));
        check(json!({"mcp-server-a": "a.js"}), Some("a.js"));
        check(json!("../../evil.js"), None);
        check(json!("/bin/sh"), None);
        check(json!(7), None);
    }
}
