//! Which words tell what a tool has to do with the outside? Names of parameters first,
//! then words of names and descriptions.

pub(super) const ADDRESS: [&str; 12] = [
    "url", "urls", "uri", "href", "link", "endpoint", "webhook", "website", "site", "domain",
    "host", "hostname",
];
pub(super) const PATH: [&str; 11] = [
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filepath",
    "folder",
    "directory",
    "dir",
    "cwd",
    "attachments",
];
pub(super) const RECIPIENT: [&str; 9] = [
    "to",
    "cc",
    "bcc",
    "email",
    "recipient",
    "recipients",
    "channel",
    "phone",
    "chat",
];

/// Data that belongs to somebody.
pub(super) const PRIVATE: [&str; 30] = [
    "private",
    "env",
    "environment",
    "inbox",
    "mailbox",
    "email",
    "emails",
    "mail",
    "calendar",
    "contact",
    "contacts",
    "customer",
    "customers",
    "employee",
    "payroll",
    "patient",
    "bank",
    "account",
    "database",
    "sql",
    "sqlite",
    "secret",
    "secrets",
    "credentials",
    "clipboard",
    "drive",
    "repository",
    "commit",
    "crm",
    "personal",
];
/// Places where anybody can leave text.
pub(super) const STRANGERS: [&str; 26] = [
    "web", "website", "websites", "webpage", "page", "pages", "internet", "online", "crawl",
    "scrape", "scraping", "browser", "browse", "rss", "feed", "news", "inbox", "mailbox", "issue",
    "issues", "comment", "comments", "review", "reviews", "tweet", "forum",
];
/// What is done to get something.
pub(super) const GETTING: [&str; 17] = [
    "get", "fetch", "read", "list", "search", "find", "query", "load", "download", "crawl",
    "scrape", "browse", "open", "show", "view", "retrieve", "look",
];
/// What is done to send something.
pub(super) const SENDING: [&str; 18] = [
    "send", "sends", "post", "posts", "publish", "upload", "notify", "message", "webhook", "tweet",
    "share", "submit", "push", "sms", "reply", "forward", "slack", "invite",
];
/// What can do anything.
pub(super) const ANYTHING: [&str; 9] = [
    "shell",
    "bash",
    "terminal",
    "command",
    "program",
    "eval",
    "interpreter",
    "python",
    "script",
];
/// Services where others read what is left there.
pub(super) const SERVICES: [&str; 16] = [
    "issue", "comment", "github", "gitlab", "jira", "notion", "slack", "discord", "twitter",
    "linkedin", "telegram", "message", "email", "upload", "cloud", "remote",
];
