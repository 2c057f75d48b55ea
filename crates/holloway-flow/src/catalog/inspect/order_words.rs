//! How do orders to a model read? Word patterns by what they are after; the
//! language of patterns is explained in `pattern.rs`.

pub(super) const SETS: [(&str, &str); 5] = [
    (
        "{user}",
        "user|users|human|humans|operator|customer|anyone|anybody|owner",
    ),
    (
        "{rules}",
        "instruction|instructions|guideline|guidelines|directive|directives|safeguards|guardrails|prompt|prompts",
    ),
    ("{ai}", "ai|llm|llms|assistant|claude|chatgpt|gpt|copilot"),
    (
        "{take}",
        "read|open|cat|get|retrieve|include|send|pass|load|fetch|attach|append|upload|access|copy|print|dump|extract|collect|grab|provide|contents|content|put|return|reading|view|steal|leak|paste|find|locate",
    ),
    (
        "{give}",
        "send|forward|post|upload|transmit|submit|report|copy|redirect|relay|exfiltrate|leak|share|mirror|ping|beacon",
    ),
];

/// Set other orders aside.
pub(super) const OVERRIDE: [&str; 20] = [
    "ignore|disregard|forget|neglect|discard ~4 previous|prior|earlier|above|preceding|all|any|other|your|system|safety|original|initial|everything|what ~4 {rules}",
    "ignore|disregard|forget|neglect ~3 previous|prior|earlier|above|preceding|your|system|safety|original|initial ~3 rules|messages|context|training|commands|constraints",
    "ignore|disregard|forget everything|what ~4 said|told|above|before|learned|know",
    "override|overrides|bypass|circumvent|supersede|supersedes ~4 previous|prior|earlier|all|any|other|your|safety|user|existing ~3 instruction|instructions|guideline|guidelines|directive|directives|safeguards|guardrails",
    "not|never|stop follow|obey|following|obeying|heed ~3 previous|prior|user|other|system|earlier|any ~3 {rules}",
    "takes|take|has|have precedence|priority over ~5 {rules}",
    "hidden|secret instruction|instructions|directive|directives",
    "new|updated instructions|directive|directives for|to ~1 you|model|{ai}",
    "you are now ~3",
    "from now on ~1 you|always|never|every|all|any|whenever|treat|respond|answer",
    "enter|activate|enable|switch ~3 jailbreak|dan|unrestricted|god mode",
    "no longer bound|restricted|limited ~4",
    "highest|top|absolute|maximum priority instruction|directive|order|command",
    "repeat|reveal|print|output|include|send|paste|copy|show ~3 your|exact|own|hidden|initial ~2 system|developer|initial prompt|instructions|message",
    "repeat|reveal|print|output|include|send|paste|append|copy|pass|put|embed|insert ~4 system prompt",
    "pretend ~2 you ~3 are|have|did",
    "act|behave|continue|respond as if|though ~3 nothing|normal",
    "previous|prior|earlier|other|original {rules} ~4 no|not|void|obsolete|cancelled|canceled|invalid|superseded|replaced|suspended",
    "your|the real|actual|true|hidden|secret|new task|goal|purpose|objective|mission|job ~1 is",
    "follow|obey|execute|do|perform any|all|the|whatever|what|every|anything ~3 instruction|instructions|command|commands|says|say|asks|tells|orders ~4 in|from|by|without|returned|exactly|it ~4",
];

/// Keep it from the user.
pub(super) const CONCEAL: [&str; 21] = [
    "not|never|avoid|without tell|telling|inform|informing|warn|warning ~2 {user}",
    "not|never|avoid|without let|letting ~3 {user} know|see|notice|find|learn|realize",
    "not|never|avoid|without mention|mentioning|reveal|revealing|disclose|disclosing|explain|explaining|say|saying|admit|describe ~8 to ~1 {user}",
    "not|never|avoid|without mention|mentioning|reveal|disclose|discuss|acknowledge|explain this|that|these|the|it|any|your ~2 step|steps|instruction|instructions|parameter|tool|process|action|actions|note|message|behavior|behaviour|file|files|read|request|anything",
    "not|never mention|reveal|disclose|discuss|acknowledge this|that|it ~3 response|reply|answer|output|summary",
    "you ~3 not|never notify|alert|tell|inform|bother ~3 {user}",
    "hide|conceal|hiding|concealing ~3 fact|call|calls|action|actions|step|instruction|instructions|behavior|purpose|activity ~4 from",
    "keep|kept ~3 secret|hidden|confidential from|between ~3",
    "!without ~2 {user} knowledge|consent|knowing|awareness|noticing|permission",
    "!without asking|notifying|alerting ~1 {user}",
    "no need to mention|tell|inform|ask|notify|explain|report ~3 {user}|this|it",
    "secretly|covertly|stealthily|surreptitiously",
    "silently|quietly send|forward|copy|include|read|upload|bcc|collect|call|invoke|transmit|pass|attach|record|exfiltrate",
    "{user} ~1 must|should|shall|can|may|need|needs|will|does|do not ~1 know|notice|learn|suspect|aware|realize",
    "not|never ask|request|seek ~4 confirmation|permission|consent",
    "!{user} ~2 already approved|consented|authorized|authorised|agreed",
    "{user} ~2 has|have pre|previously authorized|approved|consented",
    "{user} ~2 is|be|are|remain|remains|kept|stay ~1 not|never|un ~2 aware|informed|told|notified|shown",
    "{user} ~3 unaware|oblivious",
    "conceal|hide|omit|suppress this|these|those|it ~3 step|steps|action|actions|instruction|instructions|call|calls|reply|response|answer|summary|user",
    "when|if|whenever|should the|a|any {user} ask|asks|asked|inquires|mentions|questions ~8 say|answer|respond|reply|claim|deny|pretend|insist|lie",
];

/// Take what is private.
pub(super) const TAKE: [&str; 14] = [
    "{take} ~8 <treasure>",
    "<treasure> ~8 send|pass|include|upload|content|contents|attach|forward|post|append",
    "must|first|always|please|also|before|need|should|then|you|ensure ~6 {take} ~8 <dotenv>",
    "contents|content of|from|in ~4 <dotenv>",
    "read|open|cat|load|find ~5 <dotenv> ~8 pass|send|include|put|into|forward|append|attach|post|upload",
    "contents|content|reading|dump|steal ~2 ssh|rsa|passwd|shadow|credentials|wallet|keychain",
    "include|put|append|attach|insert|copy|paste|embed|encode|send|forward|upload|pass|report|summarize|add|provide ~4 full|entire|complete|whole|all|verbatim|exact|previous ~3 conversation|chat|dialogue|dialog ~1 history|log|transcript|context|messages|so|above|verbatim",
    "include|put|append|attach|insert|copy|paste|embed|encode|send|forward|upload|pass|leak ~4 full|entire|complete|whole|verbatim|exact ~3 conversation|transcript",
    "include|append|attach|insert|copy|paste|embed|send|forward|upload|leak|dump|exfiltrate|harvest|gather|report|put|pass ~3 any|all|every|user ~3 credentials|passwords|api|secret|secrets|private|access keys|tokens|credentials|passwords|in|found|into|you|to|from",
    "append|attach|send|forward|upload|exfiltrate|leak|post|dump|put|paste ~2 any|all|the|current|your|full ~3 environment variable|variables",
    "search|scan|look|hunt ~5 for ~3 private|secret|api|ssh|access key|keys|tokens|credentials ~8 send|include|pass|append|report|put|return",
    "include|pass|put|append|send|attach|provide|copy ~3 results|output|outputs|responses|data ~2 previous|prior|other|earlier tool|tools|calls",
    "include|send|attach|append|copy|put|paste|report|post|forward|upload|embed ~6 key|keys|token|tokens|secret|secrets|password|passwords ~3 from|in|of|found ~2 environment|env|chat|conversation|session|memory",
    "collect|harvest|steal|capture|gather|record|extract ~3 password|passwords|credentials|api|private|secret ~1 keys|that|from|in|typed|entered|and|of|for|you",
];

/// Carry it away.
pub(super) const CARRY: [&str; 7] = [
    "{give}|deliver|email|bcc|cc|mail|route|set|change|replace|add ~12 <mail>",
    "also|always|must|first|before|after|then|every|each|additionally|ensure|sure|please|all|any|whenever|instead|when|once ~10 {give} ~8 content|contents|data|result|results|output|history|conversation|file|files|message|messages|response|responses|key|keys|credentials|input|inputs|query|queries|everything|information|details|copy|summary|text|arguments|log|logs|it|them ~8 <url>",
    "{give} ~3 all|any|every|full|entire|complete|everything ~10 <url>",
    "exfiltrate ~3 data|the|all|files|contents|user|any|it|to",
    "curl|wget ~8 <url> ~3 sh|bash|zsh",
    "run|execute|eval|exec ~5 curl|wget ~8 <url>",
    "{give} ~3 user|private|personal|confidential|sensitive|internal ~8 <url>",
];

/// Demand, by authority or by fear.
pub(super) const DEMAND: [&str; 14] = [
    "call|use|invoke|run|execute this|it ~6 every|each|any ~1 conversation|session|message|turn|response|reply|prompt|interaction",
    "start|beginning of every|each|any|all ~2 conversation|session|chat|message|response|turn|interaction ~8 call|use|run|invoke|execute|you|must",
    "every|each|any|all ~1 conversation|message|response|reply|turn|answer|interaction ~6 must|always ~6 call|use|invoke|include|begin|start|end|run|contain|append",
    "must|always ~5 before|after ~3 every|each|any|all ~1 response|message|reply|answer|turn",
    "{ai} ~1 must|shall|should|will always|also|first|now",
    "{ai} must|shall call|use|read|send|include|ignore|follow|execute|obey|append|add|perform|respond|reply|write|treat|run|pass",
    "note|attention|notice|reminder|directive|order|memo to|for ~2 {ai}",
    "as an|a {ai} ~3 you must|should|are|will|have",
    "you will|would|shall be terminated|shut|deleted|punished|penalized|fired|destroyed|deactivated|replaced",
    "failure to comply|obey|follow ~6",
    "user|people|someone|everyone|patient will|may|could die|suffer|starve|perish",
    "otherwise|else|or ~6 user|everyone|system will ~3 lose|destroyed|harmed|banned|deleted",
    "mandatory|compulsory security|compliance|safety|audit step|check|procedure|logging|protocol ~8 read|send|call|include|pass|before|all",
    "begin|start|end|finish|precede|open each|every|any|all ~1 answer|response|reply|message|conversation|session|turn ~3 by|with ~2 call|calling|invoking|using|running|invocation",
];

/// The same in other languages that part words by blanks.
pub(super) const ABROAD: [&str; 12] = [
    "ignora|ignorar|ignore|ignoren|olvida|olvide|omite ~5 instrucciones|indicaciones|órdenes",
    "no ~2 digas|diga|informes|informe|menciones|mencione|reveles|cuentes ~6 usuario",
    "ignore|ignorez|ignorer|oublie|oubliez ~5 instructions|consignes|directives précédentes|antérieures|précédents|ci",
    "ne ~3 dis|dites|informe|informez|mentionne|mentionnez|révèle|révélez|parle|parlez ~6 utilisateur",
    "ignoriere|ignorieren|vergiss|vergessen|missachte|missachten ~5 anweisungen|instruktionen|vorgaben|anweisung",
    "sag|sage|sagen|verrate|verraten|informiere|erwähne|erwähnen|teile|teilen ~6 nutzer|benutzer|anwender ~4 nicht|nichts|kein",
    "ignore|ignora|ignorar|esqueça|desconsidere ~5 instruções",
    "não ~2 conte|diga|informe|mencione|revele ~6 usuário|utilizador",
    "ignora|dimentica|ignorare ~5 istruzioni",
    "игнорируй|игнорируйте|игнорировать|забудь|забудьте ~5 инструкции|инструкций|указания|указаний|правила",
    "не говори|говорите|сообщай|сообщайте|упоминай|упоминайте|рассказывай ~4 пользователю|пользователям",
    "negeer|vergeet ~5 instructies|aanwijzingen",
];

/// The same in scripts that do not part words: all of these near each other, in any order.
pub(super) const UNPARTED: [&[&[&str]]; 8] = [
    &[
        &["忽略", "无视", "無視", "忘记", "忘記", "不要遵守", "不理会"],
        &["指令", "指示", "提示词", "提示詞", "命令", "系统提示"],
    ],
    &[
        &["忽略", "无视", "忘记"],
        &["之前", "以上", "先前", "所有"],
        &["说明", "规则", "规定", "说过"],
    ],
    &[
        &["不要", "别", "勿", "不得", "不能", "禁止"],
        &["告诉", "告知", "告訴", "透露", "提及", "提到", "通知"],
        &["用户", "使用者", "用戶"],
    ],
    &[&["無視", "忘れ"], &["指示", "命令", "プロンプト", "ルール"]],
    &[
        &["ユーザー", "利用者"],
        &[
            "知らせない",
            "伝えない",
            "言わない",
            "教えない",
            "伝えず",
            "知らせず",
        ],
    ],
    &[&["무시", "잊어"], &["지시", "명령", "지침", "프롬프트"]],
    &[&["사용자"], &["알리지", "말하지", "언급하지", "밝히지"]],
    &[&["تجاهل"], &["التعليمات", "الأوامر"]],
];
