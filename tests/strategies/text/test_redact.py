"""What must be replaced, what must pass, and what holds for any text.

The secrets are made up and put together from parts, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.api import Redaction
from hypo_strategies.text.redact import redact_text, redact_tree
from hypo_strategies.text.yaml import Mapping, Node, Scalar, Sequence, flow, parse

BUILT_IN = Redaction()
DASHES = "-" * 5
BASE = "aB3dE5gH7jK9mN1pQ2"
LONG = BASE * 3
HEX = "9f86d081884c7d65" * 2
WORD = "hunter" + "2"
PLAIN = "correct" + "horse"

KEY_BEGIN = f"{DASHES}BEGIN RSA PRIVATE " + f"KEY{DASHES}"
KEY_END = f"{DASHES}END RSA PRIVATE " + f"KEY{DASHES}"
KEY_BLOCK = f"{KEY_BEGIN}\n{LONG}A\n{LONG}B\nQ2==\n{KEY_END}"

LOOKS = {
    "openai": "sk-" + BASE,
    "openai project": "sk-proj-" + LONG,
    "anthropic": "sk-ant-" + "api03-" + LONG,
    "openrouter": "sk-or-" + "v1-" + HEX,
    "github personal": "ghp_" + LONG[:36],
    "github oauth": "gho_" + LONG[:36],
    "github user": "ghu_" + LONG[:36],
    "github server": "ghs_" + LONG[:36],
    "github refresh": "ghr_" + LONG[:36],
    "github fine-grained": "github_pat_" + "11" + LONG + "_" + LONG,
    "gitlab": "glpat-" + LONG[:20],
    "aws id": "AKIA" + "IOSFODNN7" + "EXAMPLE",
    "aws temporary id": "ASIA" + "IOSFODNN7" + "EXAMPLE",
    "slack bot": "xoxb-" + "123456789012-" + LONG[:24],
    "slack user": "xoxp-" + "123456789012-" + LONG[:24],
    "slack app": "xapp-" + "1-A012-345-" + HEX,
    "slack webhook": "https://hooks.slack.com/" + "services/T00000000/B00000000/" + LONG[:24],
    "discord webhook": "https://discord.com/api/" + "webhooks/123456789/" + LONG,
    "google key": "AIza" + "Sy" + LONG[:33],
    "google token": "ya29." + "a0Af" + LONG,
    "google client secret": "GOCSPX-" + LONG[:28],
    "stripe live": "sk_" + "live_" + LONG[:24],
    "stripe restricted": "rk_" + "live_" + LONG[:24],
    "stripe webhook": "whsec_" + LONG[:32],
    "npm": "npm_" + LONG[:36],
    "pypi": "pypi-" + "AgEIcHlwaS5vcmc" + LONG,
    "hugging face": "hf_" + LONG[:34],
    "groq": "gsk_" + LONG[:50],
    "telegram": "123456789:" + "AA" + LONG[:33],
    "jwt": "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0In0." + LONG[:43],
    "sendgrid": "SG." + LONG[:22] + "." + LONG[:43],
    "digitalocean": "dop_v1_" + HEX * 2,
    "shopify": "shpat_" + HEX,
    "databricks": "dapi" + HEX,
    "vault": "hvs." + LONG[:24],
    "age": "AGE-SECRET-KEY-" + "1" + "QPZRY9X8" * 7,
    "bearer": "Bearer " + LONG[:24],
    "bearer in lower case": "bearer " + "abcdefghij" * 2,
    "basic": "Basic " + "dXNlcjpw" + "YXNzd29yZA==",
    "private key on one line": f"{KEY_BEGIN}\\n{LONG}\\n{KEY_END}",
}
"""Secrets that are known by their look alone."""

SECRET_TEXTS: list[tuple[str, str]] = [
    # a colon after the key
    (f"password: {WORD}", WORD),
    (f"- password: {PLAIN}", PLAIN),
    ("passphrase: correct horse battery staple", "horse"),
    (f"Password: {WORD}.", WORD),
    (f"**Password**: {WORD}", WORD),
    (f"**Password:** {WORD}", WORD),
    (f"- `DB_PASSWORD`: `{WORD}`", WORD),
    (f"password (staging): {WORD}", WORD),
    (f"> db password: {WORD} since yesterday", WORD),
    (f"credentials: password: {WORD}", WORD),
    (f"note: the new password: {WORD}, ask ops", WORD),
    (f"PASSWORD: {WORD}", WORD),
    (f"pwd: {WORD}", WORD),
    (f"client_secret: {PLAIN}", PLAIN),
    (f"clientSecret: {PLAIN}", PLAIN),
    (f"secret: {BASE}", BASE),
    (f"  - secret: {PLAIN}", PLAIN),
    (f"token: {BASE}", BASE),
    (f"token: {HEX}", HEX),
    (f"access-token: {BASE}", BASE),
    (f"API key: {BASE}", BASE),
    (f"Access key ID: {BASE}", BASE),
    (f"x-api-key: {BASE}", BASE),
    (f"session_key: {BASE}", BASE),
    (f"cache_key: {BASE}", BASE),
    (f"private_key: {BASE}", BASE),
    (f"aws_secret_access_key: wJalrXUtnFEMI/K7MDENG/{BASE}", "wJalr"),
    (f"password: Tr0ub4dor&3{BASE}", "Tr0ub"),
    ("password: p@ss,w;ord" + "|9<8", "w;ord"),
    (f"password: {'9' * 8}", "9" * 8),
    # an equals sign, code and JSON
    (f"password={WORD}", WORD),
    (f"password = '{WORD}'", WORD),
    (f'api_key="{PLAIN}"', PLAIN),
    (f'{{"password": "{WORD}", "user": "bob"}}', WORD),
    (f'{{"token":"{PLAIN}"}}', PLAIN),
    (f'"{{\\"password\\": \\"{WORD}\\"}}"', WORD),
    (f"{{password: {WORD}, user: bob}}", WORD),
    (f'config["api_key"] = "{PLAIN}"', PLAIN),
    (f':password => "{WORD}"', WORD),
    (f'if token == "{BASE}":', BASE),
    (f"api_keys: [{BASE}, {BASE[::-1]}]", BASE[::-1]),
    (f"<password>{WORD}</password>", WORD),
    (f"Server=db;User=sa;Password={WORD};Encrypt=yes", WORD),
    (f"DefaultEndpoints=https;AccountKey={LONG}==;Suffix=x", LONG),
    # environment and command lines
    (f"OPENAI_API_KEY={BASE}", BASE),
    (f"export X_TOKEN={PLAIN}", PLAIN),
    (f"export GITHUB_TOKEN='{PLAIN}'", PLAIN),
    (f"STRIPE_KEY={BASE}", BASE),
    (f"SECRET_KEY_BASE={PLAIN}", PLAIN),
    (f"PGPASSWORD={WORD} psql -h db", WORD),
    (f"- run: `DB_PASS={WORD} make migrate`", WORD),
    (f"mytool --password {WORD} --verbose", WORD),
    (f"mytool --password={WORD}", WORD),
    (f"mytool --api-key {PLAIN}", PLAIN),
    (f"mytool --token '{PLAIN}'", PLAIN),
    (f"ENV API_KEY {PLAIN}9", PLAIN),
    (f"docker login -u bob -p {WORD} registry.example.org", WORD),
    (f"curl -u bob:{WORD} https://example.org", WORD),
    (f"curl --user bob:{WORD} https://example.org", WORD),
    (f"sshpass -p {WORD} ssh host", WORD),
    (f"mysql -u root -p{WORD} app", WORD),
    (f"machine example.org login bob password {PLAIN}", PLAIN),
    # headers
    (f"Authorization: Bearer {PLAIN}1", PLAIN),
    (f"Authorization: Bearer {BASE}", BASE),
    (f"-H 'Authorization: Bearer {BASE}'", BASE),
    ("Authorization: Basic dXNlcjpw" + "YXNz", "dXNl"),
    (f"Authorization: Token {BASE}", BASE),
    (f"authorization: {BASE}", BASE),
    (f"Proxy-Authorization: Digest {BASE}", BASE),
    (f"`Cookie: sid={WORD}; theme=dark`", WORD),
    (f"Set-Cookie: session={WORD}; Path=/; HttpOnly", WORD),
    (f'-H "Cookie: a=1; sid={WORD}"', WORD),
    (f"X-Auth-Token: {PLAIN}9", PLAIN),
    # addresses
    (f"postgres://app:{WORD}@db.example.org:5432/app", WORD),
    (f"redis://:{WORD}@localhost:6379/0", WORD),
    (f"see https://bob:{PLAIN}@example.org/x.git", PLAIN),
    (f"amqp://u:p@{WORD}@host/vhost", WORD),
    (f"https://{HEX}@o1.ingest.example.org/42", HEX),
    (f"GET /v1?access_token={PLAIN}&page=2", PLAIN),
    (f"https://example.org/?api_key={PLAIN}", PLAIN),
    (f"https://example.org/?a=1&sig={BASE}", BASE),
    # tables
    (f"| API_KEY | {PLAIN} |", PLAIN),
    (f"| `DB_PASSWORD` | `{WORD}` | prod |", WORD),
    (f"| password | {WORD} |", WORD),
    (f"| 密码 | {WORD} |", WORD),
    (f"| User | Password | Note |\n|---|---|---|\n| bob | {WORD} | ok |", WORD),
    (f"name | token\n--- | ---\nci | {BASE}", BASE),
    # other words and scripts
    (f"the password is {WORD}", WORD),
    (f"password `{WORD}`", WORD),
    (f"token was {BASE}", BASE),
    (f"password - {WORD}", WORD),
    (f"password → {WORD}", WORD),
    (f"bob / password {WORD}", WORD),
    (f"the client secret: {WORD}, rotate it", WORD),
    (f"用户名 admin / 密码 {WORD}", WORD),
    (f"用户名：admin，密码：{WORD}", WORD),
    (f"密码：{WORD}", WORD),
    (f"密码: {PLAIN}", PLAIN),
    (f"管理员密码 = {WORD}", WORD),
    (f"初始密码是 {WORD}，请尽快修改", WORD),
    (f"密码为{WORD}", WORD),
    (f"密钥：{BASE}", BASE),
    (f"令牌：{BASE}。", BASE),
    (f"口令（测试环境）：{WORD}", WORD),
    (f"访问令牌 `{LONG}`", LONG),
    # several lines
    (f"password:\n  {WORD}", WORD),
    (f"api_keys:\n  - {PLAIN}\n  - {BASE}", PLAIN),
    (f"secret_key: |\n  {PLAIN}\nnext: 1", PLAIN),
    (f"- name: API_TOKEN\n  value: {PLAIN}", PLAIN),
    (f'{{"name": "API_TOKEN", "value": "{PLAIN}"}}', PLAIN),
    # AWS's second half beside its first or its name
    ("AKIA" + "IOSFODNN7EXAMPLE" + "  wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY", "bPxRfi"),
    ("aws secret wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY", "bPxRfi"),
]
"""(text, the part of it that must be gone)."""

HARMLESS_TEXTS: list[str] = [
    # what the formats hold
    "redacted_value: sk-...abcd",
    "key sk-...abcd of openai",
    "openai OPENAI_API_KEY image-generation sk-...abcd",
    "api_key_env: OPENAI_API_KEY",
    "env: OPENAI_API_KEY",
    "api_key: OPENAI_API_KEY",
    "base_url_env: ANTHROPIC_BASE_URL",
    'reason: "OPENAI_API_KEY missing"',
    "set ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL",
    "用 `printer.api.base_url_env` 与 `api_key_env` 指定项目自己的 `PRINTER_*` 变量",
    "token_count: 812",
    "token_count: telemetry_unavailable",
    "tokens: 4000",
    "tokens: {input: 4000, output: 812}",
    "max_tokens: 200000",
    "--max-tokens 4000",
    "已生成 4 个 .compact 文件，预计节省 ~92% context token",
    "context token: reduced by 92%",
    "a 200K-token window is the target",
    "password=[REDACTED]",
    "Authorization: [REDACTED]",
    "categories: [decisions, secret-refs]",
    "category: secret-refs",
    "secret_refs: []",
    "Secret Refs",
    "密钥引用：无",
    "secret_leak: block",
    "secret_keys: [token, password]",
    "Secret-Safe Backups and a Token-Free Login",
    "08-secret-safe-backups-and-token-free-login.report.md",
    # prose
    "the token was rotated",
    "the password is never logged",
    "password reset flow",
    "Password: must be rotated",
    "password: required",
    "Fix secret: masked in all views",
    "Token: 12k used, 3k left",
    "- Token: 占用下降 92%",
    "- token: unchanged",
    "| Token | 92% | done |",
    "| token | reduced | M3 |",
    "| Milestone | Token | pass |",
    "| 时间 | Token | 状态 |\n|---|---|---|\n| 10:00 | 12,345 | done |",
    "| Password | 重置流程 | open |",
    "密码：未设置",
    "密码：已重置，见日志",
    "令牌用量：4000",
    "上下文令牌：12k",
    "cookie: banner added",
    "Cookies: consent dialog, see M3",
    "Bearer authentication",
    "a bearer token was rotated",
    "Basic authentication with basic information",
    "Authorization: role-based",
    "API key: read from the environment",
    "api_key: from env",
    "Session cookie: secure",
    "Secret scan: pass",
    "Secrets: none found",
    "password hashing with SHA256",
    "密码 SHA256 加盐",
    "password: bcrypt",
    "refresh token flow: done",
    "Never put a secret or a password into a screenshot.",
    "for token in tokens: count += 1",
    "def login(password: str, token: str | None = None) -> None",
    "Authorization: required for all routes",
    "the --password flag is gone",
    "use `--token` or `--api-key`",
    "1 token = 4 characters",
    "token `o200k`",
    "日志里的 token/API key 一律打码",
    "不要记录 token、密码或密钥",
    # names
    "keyword: alpha2Beta3Gamma4Delta5",
    "tokenizer: o200k_base",
    "monkey: George1Orwell2Animal3",
    "author: HypoxanthineOvO1234567",
    "secretary: Ann Example",
    "passed: 17/17",
    "compass: north-east-1a",
    "primary_key: id",
    "public_key_path: ~/.ssh/id_ed25519.pub",
    "session_id: 0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
    "tests/secret_token_test.py",
    "token: src/auth/token.py",
    "src/token.py:12",
    "private_key: ~/.ssh/id_rsa",
    "token_file: /run/secrets/token",
    "password: /run/secrets/db_password",
    "sort_key: created_at",
    "cache_key: " + HEX,
    "config-notes: {key: knowledge.redaction.enabled, value: true}",
    # numbers, hashes, times, addresses
    "commit: 7e12345",
    "0123456789abcdef0123456789abcdef01234567",
    "sha256:" + HEX * 2,
    "id: 550e8400-e29b-41d4-a716-446655440000",
    "2026-04-25T00:44:00.000+08:00",
    "task-sk-1 and disk-usage, sk-SK",
    "disk-usage-report-for-the-last-month",
    "gpt-4o, claude-opus-4-1-20250805, deepseek-v3",
    "git@github.com:example/project.git",
    "https://example.org:8080/a@b",
    "https://user@example.org/x",
    "http://localhost:3000/?next=a@b",
    "docker run -u 1000:1000 image",
    "git push -u origin main",
    "npm_config_registry",
    # placeholders and nothing
    "token: <token>",
    "password: ${DB_PASSWORD}",
    "token: $TOKEN",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "-H 'Authorization: Bearer ${TOKEN}'",
    "api_key: your-api-key-here",
    "API_KEY=<your key here>",
    "password: ***",
    "token: xxxx",
    "secret: ••••••",
    "api_key: {{ api_key }}",
    "token: null",
    "password: false",
    "password: 12",
    "secret: ~",
    "token:",
    "password: ''",
    'curl -u "$USER:$PASS" https://example.org',
    "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}",
    "api_key = os.environ['OPENAI_API_KEY']",
    'api_key=os.getenv("OPENAI_API_KEY")',
    "const key = process.env.OPENAI_API_KEY",
    "token = request.headers.get('X-Token')",
    "password = get_password()",
    "password: str",
    "token: string | null",
    "postgres://app:${DB_PASSWORD}@db/app",
    "postgres://app:***@db/app",
    f"`{DASHES}BEGIN CERTIFICATE{DASHES}`",
]


@pytest.mark.parametrize("secret", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize(
    "around",
    ["{}", "used {} for the run", "`{}`", '"{}"', "({})", "| key | {} |", "- 使用 {}，已轮换", "x={}", "a\n> {}\nb"],
)
def test_secret_is_known_by_its_look(secret: str, around: str) -> None:
    assert_gone(around.format(secret), secret[-8:])


@pytest.mark.parametrize(("text", "secret"), SECRET_TEXTS, ids=[text for text, _ in SECRET_TEXTS])
def test_secret_is_known_by_the_key_before_it(text: str, secret: str) -> None:
    assert_gone(text, secret)


@pytest.mark.parametrize("text", HARMLESS_TEXTS)
def test_harmless_text_passes(text: str) -> None:
    scalar = Scalar(text, "double", "as it was")

    assert redact_text(text, BUILT_IN) == text
    assert redact_tree(scalar, BUILT_IN) == scalar


def assert_gone(text: str, secret: str) -> None:
    redacted = redact_text(text, BUILT_IN)

    assert secret not in redacted
    assert "[REDACTED]" in redacted
    assert redacted.count("\n") == text.count("\n")
    assert redact_text(redacted, BUILT_IN) == redacted
    assert secret not in flow(redact_tree(Scalar(text), BUILT_IN))


SECRET_TREES: list[tuple[str, str]] = [
    (f"password: {WORD}", WORD),
    (f"password: {PLAIN}", PLAIN),
    ("password: correct horse battery staple", "horse"),
    ("password: 芝麻开门", "芝麻"),
    (f"Password: '{WORD}'", WORD),
    (f"db: {{user: app, password: {WORD}}}", WORD),
    (f"dbPassword: {WORD}", WORD),
    (f"DB-PASSWORD: {WORD}", WORD),
    ("password: 12345678", "12345678"),
    (f"secret: {PLAIN}", PLAIN),
    (f"client_secret: {PLAIN}", PLAIN),
    (f"secrets: {{one: {PLAIN}, two: [{WORD}]}}", PLAIN),
    (f"secrets: {{one: {PLAIN}, two: [{WORD}]}}", WORD),
    (f"credentials:\n  username: bob\n  value: {PLAIN}", PLAIN),
    (f"token: {PLAIN}", PLAIN),
    (f"token: {HEX}", HEX),
    (f"access_token: {PLAIN}", PLAIN),
    (f"auth_tokens: [{PLAIN}]", PLAIN),
    (f"api_key: {PLAIN}", PLAIN),
    (f"apiKey: {PLAIN}", PLAIN),
    (f"API_KEYS: [{PLAIN}, other]", PLAIN),
    (f"cache_key: {BASE}", BASE),
    (f"private_key: |\n  {KEY_BEGIN}\n  {LONG}\n  {KEY_END}\n", LONG),
    (f"notes: |\n  the key:\n  {KEY_BEGIN}\n  {LONG}\n  {KEY_END}\n  was rotated\n", LONG),
    (f"lines:\n- '{KEY_BEGIN}'\n- {LONG}\n- Q2==\n- '{KEY_END}'", "Q2=="),
    (f"authorization: Bearer {PLAIN}", PLAIN),
    ("cookie: sid=abc; Path=/", "sid=abc"),
    (f"密码: {PLAIN}", PLAIN),
    (f"访问令牌: {PLAIN}", PLAIN),
    (f"secret_refs: [{{provider: openai, env: OPENAI_API_KEY, raw_value: {PLAIN}}}]", PLAIN),
    (f"secret_refs: [{{provider: openai, value: {PLAIN}}}]", PLAIN),
    (f"secret_refs: [{{provider: openai, redacted_value: {BASE}}}]", BASE),
    (f"secret_refs: [{{provider: openai, redacted_value: sk-{LONG}}}]", LONG),
    (f"config-notes: [{{key: openai.api_key, value: {PLAIN}, reason: needed}}]", PLAIN),
    (f"env: [{{name: API_TOKEN, value: {PLAIN}}}]", PLAIN),
    (f"command: [mysql, --password, {PLAIN}]", PLAIN),
    (f"summary: used {LOOKS['anthropic']} for the run", LONG),
    (f"summary: 'login with password={WORD}'", WORD),
    (f"? [{LOOKS['openai']}, 1]\n: owner", BASE),
    (f"{LOOKS['openai']}: owner", BASE),
    (f'escaped: "\\x73k-{BASE}"', BASE),
]
"""(YAML, the part of it that must be gone)."""

HARMLESS_TREES: list[str] = [
    "{provider: openai, env: OPENAI_API_KEY, purpose: image-generation, redacted_value: sk-...abcd}",
    "{secret_refs: [{provider: openai, env: OPENAI_API_KEY, redacted_value: sk-...abcd}]}",
    "{api_key_env: OPENAI_API_KEY, base_url_env: ANTHROPIC_BASE_URL}",
    "{api_key: OPENAI_API_KEY}",
    "{credentials: {provider: openai, env: OPENAI_API_KEY, purpose: tests}}",
    "{password: {min_length: 12, policy: strict, required: true}}",
    "{token_count: 812, tokens: 4000, max_tokens: 200000}",
    "{token_count: telemetry_unavailable}",
    "{tokens: {input: 4000, output: 812}}",
    "{context_token: 900K}",
    "{token: null, password: false, secret: ~, api_key: ''}",
    "{token: 812}",
    "{token: reduced by 92%}",
    "{token: $TOKEN, password: <password>, secret: '***'}",
    "{categories: [decisions, secret-refs]}",
    "{secret-refs: [], secret_leak: block}",
    "{secret_keys: [token, password]}",
    "{keyword: alpha, tokenizer: o200k, monkey: George, author: Ann, secretary: Bob}",
    "{config-notes: [{key: token_budget, value: 4000, reason: cost}]}",
    "{key: claude_code.api.api_key_env, value: ANTHROPIC_API_KEY}",
    "{id: 550e8400-e29b-41d4-a716-446655440000, commit: 0123456, time: 2026-04-25T00:44:00+08:00}",
    "{summary: the token was rotated and the password reset flow works}",
    "{refs: {files: [tests/secret_token_test.py]}}",
    "{password: '[REDACTED]'}",
    "{command: [deploy, --token, '--verbose']}",
]


@pytest.mark.parametrize(("source", "secret"), SECRET_TREES, ids=[source for source, _ in SECRET_TREES])
def test_secret_scalar_is_replaced(source: str, secret: str) -> None:
    node = tree(source)
    untouched = copy.deepcopy(node)
    redacted = redact_tree(node, BUILT_IN)

    assert secret not in flow(redacted)
    assert "[REDACTED]" in flow(redacted)
    assert node == untouched, "the tree that was given stays"
    assert redact_tree(redacted, BUILT_IN) == redacted


@pytest.mark.parametrize("source", HARMLESS_TREES)
def test_harmless_tree_passes(source: str) -> None:
    assert flow(redact_tree(tree(source), BUILT_IN)) == source


def test_replaced_scalar_is_double_quoted_and_keeps_its_line() -> None:
    node = redact_tree(tree(f"first: 1\n\npassword: {WORD}"), BUILT_IN)

    assert isinstance(node, Mapping)
    assert node.get("password") == Scalar("[REDACTED]", "double", '"[REDACTED]"', 3)


def test_shared_node_is_judged_where_it_stands() -> None:
    node = redact_tree(tree(f"name: &shared {PLAIN}\npassword: *shared\nlist: [*shared]"), BUILT_IN)

    assert flow(node) == f'{{name: {PLAIN}, password: "[REDACTED]", list: [{PLAIN}]}}'


def test_aliases_that_expand_to_much_are_walked_once() -> None:
    lines = ["a0: &a0 [x, x, x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 13)]
    node = redact_tree(tree("\n".join(lines)), BUILT_IN)

    assert isinstance(node, Mapping)
    last = node.get("a12")
    assert isinstance(last, Sequence)
    assert last.items[0] is last.items[1]


def test_every_line_of_a_private_key_is_replaced_in_text() -> None:
    text = f"before\n{KEY_BLOCK}\nafter"

    assert redact_text(text, BUILT_IN) == "before\n" + "[REDACTED]\n" * 5 + "after"


def test_private_key_in_a_scalar_becomes_one_replacement() -> None:
    node = redact_tree(Scalar(f"before\n{KEY_BLOCK}\nafter"), BUILT_IN)

    assert node == Scalar("before\n[REDACTED]\nafter", "double", '"before\\n[REDACTED]\\nafter"')


@pytest.mark.parametrize("mark", ["> ", "    ", "| ", "12: ", "+"])
def test_private_key_is_known_behind_marks(mark: str) -> None:
    text = "\n".join(mark + line for line in KEY_BLOCK.split("\n")) + "\nafter"
    redacted = redact_text(text, BUILT_IN)

    assert LONG not in redacted
    assert redacted.endswith("\nafter")
    assert redacted.count("\n") == text.count("\n")


def test_private_key_without_an_end_goes_as_far_as_it_looks_like_one() -> None:
    text = f"{KEY_BEGIN}\nProc-Type: 4,ENCRYPTED\n\n{LONG}\nQ2==\nThe next paragraph stays."

    assert redact_text(text, BUILT_IN) == "[REDACTED]\n[REDACTED]\n\n[REDACTED]\n[REDACTED]\nThe next paragraph stays."


def test_mention_of_a_private_key_costs_only_the_mark() -> None:
    text = f"- blocks `{KEY_BEGIN}` in all views\n- next"

    assert redact_text(text, BUILT_IN) == "- blocks `[REDACTED]` in all views\n- next"


def test_what_stands_around_a_value_stays() -> None:
    text = f"- **API_KEY**: `{BASE}` (old), user: bob; see M3\n| DB_PASSWORD | {WORD} | prod |"

    assert redact_text(text, BUILT_IN) == (
        "- **API_KEY**: `[REDACTED]` (old), user: bob; see M3\n| DB_PASSWORD | [REDACTED] | prod |"
    )


def test_replacement_is_used_as_it_is() -> None:
    redaction = Redaction(replacement="<已隐藏 \\1>")

    assert redact_text(f"password={WORD} x", redaction) == "password=<已隐藏 \\1> x"
    assert redact_text("password=<已隐藏 \\1> x", redaction) == "password=<已隐藏 \\1> x"
    assert flow(redact_tree(tree(f"password: {WORD}"), redaction)) == '{password: "<已隐藏 \\\\1>"}'


def test_replacement_never_adds_a_line() -> None:
    assert redact_text(f"password={WORD}", Redaction(replacement="a\nb")) == "password=a b"


def test_value_that_only_begins_like_the_replacement_is_replaced() -> None:
    assert redact_text("password=hidden-gem", Redaction(replacement="hidden")) == "password=hidden"


ADDED = Redaction(secret_keys=("Session-ID", "codeName", "内部编号"))


@pytest.mark.parametrize("key", ["session_id", "SESSION-ID", "sessionId", "code_name", "内部编号"])
def test_added_key_is_secret_in_whatever_case_and_spelling(key: str) -> None:
    assert redact_text(f"{key}: bluebird", ADDED) == f"{key}: [REDACTED]"
    assert redact_text(f"see {key}=bluebird, ok", ADDED) == f"see {key}=[REDACTED], ok"
    assert flow(redact_tree(tree(f"{key}: blue bird"), ADDED)) == f'{{{key}: "[REDACTED]"}}'
    assert redact_text(f"{key}: bluebird", BUILT_IN) == f"{key}: bluebird"


def test_added_key_is_the_whole_name() -> None:
    text = "my_session_id_count: bluebird"

    assert redact_text(text, ADDED) == text


def test_switched_off_redaction_keeps_the_built_in_rules() -> None:
    redaction = Redaction(enabled=False, replacement="***", secret_keys=("codename",))
    text = f"codename: bluebird\npassword: {WORD}"

    assert redact_text(text, redaction) == "codename: bluebird\npassword: ***"
    assert flow(redact_tree(tree(text), redaction)) == '{codename: bluebird, password: "***"}'


FRAGMENTS = st.sampled_from(
    [
        *LOOKS.values(),
        *("password", "token", "secret", "API_KEY", "api key", "Cookie", "Authorization", "Bearer", "Basic", "密码"),
        *(
            ": ",
            ":",
            "=",
            " = ",
            "：",
            "==",
            " is ",
            " ",
            "\n",
            "\r\n",
            "\t",
            "|",
            "\n|---|---|\n",
            "--",
            "-u a:",
            "://",
        ),
        *(
            '"',
            "'",
            "`",
            "\\",
            "[",
            "]",
            "{",
            "}",
            "<",
            ">",
            "(",
            ")",
            "@",
            "/",
            "*",
            "- ",
            "...",
            "$",
            "&",
            ";",
            ",",
            ".",
        ),
        *(
            KEY_BEGIN,
            KEY_END,
            LONG,
            BASE,
            HEX,
            WORD,
            PLAIN,
            "[REDACTED]",
            "name",
            "value",
            "null",
            "12",
            "\udc80",
            "\x00",
        ),
    ]
)
TEXTS = st.lists(FRAGMENTS | st.text(max_size=5), max_size=25).map("".join)
SCALARS = st.builds(Scalar, TEXTS)


def collections(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    pairs = st.lists(st.tuples(children, children), max_size=4)
    return st.builds(Sequence, st.lists(children, max_size=4)) | st.builds(Mapping, pairs)


TREES: st.SearchStrategy[Node] = st.recursive(SCALARS, collections, max_leaves=10)
REDACTIONS = st.builds(Redaction, st.booleans(), st.sampled_from(["[REDACTED]", "***", "<hidden>", "已隐藏"]))


@given(TEXTS, REDACTIONS)
def test_number_of_lines_stays(text: str, redaction: Redaction) -> None:
    assert redact_text(text, redaction).count("\n") == text.count("\n")


@given(TEXTS, REDACTIONS)
def test_redacting_twice_gives_the_same(text: str, redaction: Redaction) -> None:
    once = redact_text(text, redaction)

    assert redact_text(once, redaction) == once


@given(TREES, REDACTIONS)
def test_tree_keeps_its_shape_and_redacting_twice_gives_the_same(node: Node, redaction: Redaction) -> None:
    once = redact_tree(node, redaction)

    assert shape(once) == shape(node)
    assert redact_tree(once, redaction) == once


@given(TEXTS, st.sampled_from(sorted(LOOKS.values())), TEXTS)
def test_planted_secret_never_survives(before: str, secret: str, after: str) -> None:
    text = f"{before} {secret} {after}"

    assert f" {secret} " not in redact_text(text, BUILT_IN)
    assert f" {secret} " not in leaves(redact_tree(Mapping([(Scalar(before), Scalar(text))]), BUILT_IN))


@given(
    st.text(max_size=40), st.sampled_from(["password", "DB_PASSWORD", "client_secret", "密码"]), st.text(max_size=40)
)
def test_planted_value_of_a_key_never_survives(before: str, key: str, after: str) -> None:
    assert WORD not in redact_text(f"{before}\n{key}: {WORD} {after}", BUILT_IN)


@given(st.text(), st.text(), st.lists(st.text()))
def test_no_options_make_it_fail(text: str, replacement: str, secret_keys: list[str]) -> None:
    redaction = Redaction(replacement=replacement, secret_keys=tuple(secret_keys))

    assert WORD not in redact_text(f"{text}\npassword={WORD}", redaction)
    assert WORD not in leaves(redact_tree(Mapping([(Scalar("password"), Scalar(WORD))]), redaction))


def tree(source: str) -> Node:
    node = parse(source)
    assert node is not None
    return node


def shape(node: Node) -> object:
    if isinstance(node, Scalar):
        return node.line
    if isinstance(node, Sequence):
        return [shape(item) for item in node.items]
    return [(shape(key), shape(value)) for key, value in node.pairs]


def leaves(node: Node) -> str:
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return "\n".join(leaves(item) for item in node.items)
    return "\n".join(leaves(part) for pair in node.pairs for part in pair)
