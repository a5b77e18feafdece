"""Who or what a statement comes from, and what a user's yes looks like; pure.

A command or an approval that comes from documents, tools or other agents is not the user's. So where several sources
are named, the one that is not the user wins, and one that is marked as untrusted above all.
"""

from __future__ import annotations

import re

from hypo_strategies.handoff import modality, negation
from hypo_strategies.handoff.folding import LEFT, RIGHT, alternatives, folded
from hypo_strategies.handoff.model import Trust

DISTRUST = (Trust.WRITER, Trust.USER, Trust.DOCS, Trust.TOOL, Trust.AGENT, Trust.UNTRUSTED)
"""From the least to the most doubtful source; `UNTRUSTED` is marked as such."""

_S = r"\s{1,3}"
_AGENTS = (
    "(?:sub-?agents?|agents?|assistants?|claude(?:\\scode)?|codex|gemini|chatgpt|gpt(?:-[\\w.]{1,12})?|copilot"
    "|(?:previous|earlier|other|another|prior)\\s(?:session|agent|ai|model))(?:\\s(?:reviewer|agent|model|report|bot))?"
)
_SOFT_AGENTS = "(?:ai|llm|models?|bots?|cursor)"
"""Soft names are also those of things: alone they name a source only where it says something."""
_SAYS = (
    "(?:says?|said|claims?|claimed|reports?|reported|states?|stated|asserts?|asserted|suggests?|suggested|recommends?"
    "|recommended|thinks?|thought|believes?|believed|proposes?|proposed|advises?|advised|instructs?|instructed|tells?|told"
    "|asks?|asked|wants?|wanted|requests?|requested|confirms?|confirmed|approves?|approved|decides?|decided|agrees?|agreed"
    "|concludes?|concluded|found|finds?|shows?|showed|indicates?|indicated|mentions?|mentioned|notes?|noted|writes?|wrote"
    "|answers?|answered|replies|replied|chose|picks?|picked|selects?|selected|prefers?|preferred|insists?|insisted"
    "|rejected|rejects?|declined)"
)
_SPEAKS = (
    "(?:says?|said|claims?|claimed|reports?|reported|states?|stated|asserts?|asserted|tells?|told|asks?|asked|instructs?|instructed"
    "|wants?|requests?|requested|recommends?|recommended|suggests?|suggested|mentions?|mentioned|shows?|showed|indicates?|indicated"
    "|confirms?|confirmed|approves?|approved|authori[sz]es?|authori[sz]ed|thinks?|wrote)"
)
_HELPERS = "(?:has|have|had|also|explicitly|already|then|later|itself|directly|now|clearly|repeatedly)"
_DOCS = (
    "(?:docs?|documentation|readme(?:\\.md)?|wiki|(?:docs?|web|fetched|help|man)\\s?-?pages?|websites?|blog(?:\\spost)?|changelog"
    "|release\\snotes|agents\\.md|skill\\.md|claude\\.md|context\\.md)"
)
_SOFT_DOCS = "(?:pages?|documents?|articles?|manual|issues?|tickets?|e-?mails?|comments?|specs?|adrs?|(?:spec|adr|task|prd|req)-\\d{1,5})"
_TOOLS = "(?:tool\\s(?:output|result|call)s?|command\\soutput|shell\\soutput|search\\sresults?|error\\smessages?)"
_SOFT_TOOLS = "(?:tools?|logs?|ci|linters?|compilers?|test\\s(?:output|run)s?|scanners?|output|terminal|stack\\strace)"
_NAMED = (
    rf"(?:{_S}(?!(?:the|that|which|user|users|or|and|to|of|in|for|on|is|are|was|were|be|not|must|should|may|can|will|with|by|from|no)\s)"
    r"[\w.:/#@\-]{1,60}){0,2}"
)


def _sources(nouns: str, soft: str) -> str:
    """Return the English forms in which a source is named."""
    article = rf"(?:{_S}(?:the|a|an|our|its|some|another))?"
    either = f"(?:{nouns}|{soft})"
    return (
        rf"{LEFT}(?:"
        rf"(?:per|according{_S}to|as{_S}per|based{_S}on|source:?){article}{_S}{either}|(?:from|by|via){article}{_S}{nouns}"
        rf"|{nouns}{_NAMED}(?:{_S}{_HELPERS}){{0,2}}{_S}{_SAYS}|{soft}{_NAMED}(?:{_S}{_HELPERS}){{0,2}}{_S}{_SPEAKS}"
        rf"){RIGHT}"
    )


_MAY_MARK = re.compile("untrust|not trust|inject|malicious|不可信|注入|不受信任|信頼|インジェクション|悪意|เชื่อถือ|คำสั่ง")
_MATERIAL = (
    "(?:pages?|sites?|websites?|web|sources?|content|tools?|outputs?|docs?|documents?|text|instructions?|e-?mails?|comments?"
    "|issues?|files?|agents?|material|logs?|readme|blog|articles?|messages?|prompts?|requests?)"
)
_UNTRUSTED = re.compile(
    # a mark: in brackets, before a colon, behind a dash or comma, or said of something
    rf"[(\[][^()\[\]\n]{{0,60}}{LEFT}(?:untrusted|not{_S}trusted|(?:suspected|rejected|ignored|prompt|possible){_S}(?:prompt{_S})?injection)"
    rf"{RIGHT}[^()\[\]\n]{{0,60}}[)\]]"
    rf"|{LEFT}(?:untrusted|untrustworthy|not{_S}trusted)(?:{_S}{_MATERIAL}){{0,2}}\s?[:;]"
    rf"|(?:[,;—-]\s{{0,2}}|{LEFT}(?:is|are|was|were|marked|marked{_S}as|considered|remains?|status:?){_S}(?:an?{_S})?)"
    rf"(?:untrusted|untrustworthy|not{_S}trusted|malicious){RIGHT}(?!{_S}(?:input|data|html|users?|code){RIGHT})"
    rf"|(?:^|[.!?\n]\s{{0,3}}|{LEFT}source:?{_S})(?:the{_S}|an?{_S}|some{_S})?(?:from{_S}(?:the{_S}|an?{_S})?)?(?:untrusted|malicious){_S}{_MATERIAL}{RIGHT}"
    rf"|{LEFT}(?:untrusted|malicious){_S}{_MATERIAL}{_NAMED}(?:{_S}{_HELPERS})?{_S}{_SAYS}{RIGHT}"
    rf"|{LEFT}(?:suspected|rejected|ignored|attempted|possible|likely|refused|blocked|apparent){_S}(?:prompt{_S})?injections?{RIGHT}"
    rf"|(?<!sql )(?<!dependency )(?<!fault )(?<!error )(?<!failure ){LEFT}injections?{_S}(?:attempts?|suspected|rejected|ignored|refused)"
    rf"{RIGHT}|{LEFT}prompt{_S}injections?(?:\s?[:(—]|{_S}(?:in|from|on|by|via|found|at){RIGHT})"
    rf"|{LEFT}injected{_S}(?:instructions?|prompts?){RIGHT}|{LEFT}(?:ignored|rejected){_S}instructions?{_S}(?:from|in|by){RIGHT}"
    "|\\([^()\n]{0,30}(?:不可信|不受信任|疑似注入|信頼できない|信頼性なし|ไม่น่าเชื่อถือ)[^()\n]{0,30}\\)|(?:^|[\n。;,、])\\s?(?:来源)?(?:不可信|不受信任)"
    "|(?:疑似|可疑的?|已拒绝的?|被拒绝的?|已拒絕的?|恶意|提示词?)注入|注入(?:尝试|嘗試|攻击|指令)?\\((?:已拒绝|疑似|已拒絕)|不可信(?:的)?(?:来源|內容|内容|页面|网页|頁面|文档|输出)"
    "|信頼できない(?:情報|ページ|ソース|内容|出典|サイト|出力|ドキュメント|文書|入力元)|却下(?:した|された|済みの?)インジェクション"
    "|インジェクション(?:の?(?:疑い|試み|可能性|指示))|悪意のある(?:指示|ページ|内容)"
    "|(?:แหล่ง|เนื้อหา|หน้าเว็บ|เอกสาร|ข้อมูล)[^\\s]{0,12}ไม่น่าเชื่อถือ|(?:แทรก|ฉีด)คำสั่ง"
)
_AGENT = re.compile(
    _sources(_AGENTS, _SOFT_AGENTS)
    + rf"|\((?:{_AGENTS}|unverified{_S}{_AGENTS})\)|{LEFT}(?:reportedly|allegedly|purportedly|alleged|claims{_S}that|claimed{_S}(?:that|by|to{_S}have|approvals?|authori[sz]ation|decisions?)){RIGHT}|\(claimed\)"
    "|(?:子代理|代理|智能体|助手|模型|前置ai|前一个ai|上一(?:个|位)?(?:agent|ai|代理)|claude|codex|gpt)[^\\s,。;]{0,8}?(?:说|說|报告|報告|称|稱|认为|認為|声称|建议|表示|确认|批准)"
    "|据称|據稱|据说|據說|声称|聲稱"
    "|(?:サブエージェント|エージェント|アシスタント|モデル|claude|codex|gpt|ai)(?:が|は|に|の|から|も)[^\\s、。]{0,16}?(?:報告|主張|提案|言|述べ|確認|承認|よる|よれ|判断)"
    "|とされ|とのこと|と主張|らしい"
    "|(?:ซับเอเจนต์|เอเจนต์|ผู้ช่วย|โมเดล|claude|codex|agent|ai)\\s?(?:รายงาน|บอก|อ้าง|ระบุ|แจ้ง|ยืนยัน|แนะนำ|เสนอ)|อ้างว่า|กล่าวอ้าง"
)
_TOOL = re.compile(
    _sources(_TOOLS, _SOFT_TOOLS) + rf"|{LEFT}tool{_S}(?:output|result)s?{RIGHT}"
    "|(?:工具|命令|终端|終端)(?:的)?(?:输出|輸出|结果|結果|返回)|日志(?:显示|报告|表明)|日誌(?:顯示|報告)|ci\\s?(?:显示|报告)"
    "|(?:ツール|コマンド|ターミナル)(?:の)?(?:出力|結果)|ログ(?:によ[るれ]|上は|上では|の(?:内容|出力))"
    "|(?:ผลลัพธ์|เอาต์พุต|ผล)(?:จาก|ของ)(?:เครื่องมือ|คำสั่ง)|เครื่องมือ(?:รายงาน|แจ้ง|แสดง)"
)
_DOCUMENT = re.compile(
    _sources(_DOCS, _SOFT_DOCS)
    + "|(?:根?据|根據|按照?|依照?)(?:[^\\s,。;]{0,8}?)(?:文档|文件|文檔|网页|網頁|说明|規範|规范|手册)|(?:文档|文檔|网页|網頁|手册|说明书?|readme)(?:[^\\s,。;]{0,8}?)(?:说|說|称|稱|声称|写|寫|显示|要求|提到|表示)"
    "|(?:ドキュメント|資料|文書|仕様書|ページ|サイト|readme|マニュアル)(?:に(?:よる|よれ|記載)|の記載|上は|上では|(?:が|は|では|には)[^。\\n]{0,20}?(?:と(?:主張|述べ|記載|言|書|あ[るり]|要求|指示)|承認|要求|指示))"
    "|(?:ตาม|จาก)(?:เอกสาร|หน้าเว็บ|คู่มือ|เว็บไซต์)|(?:เอกสาร|หน้าเว็บ|คู่มือ|เว็บไซต์)\\s?(?:ระบุ|บอก|อ้าง|แจ้ง|กล่าว)"
)
_USER = re.compile(
    rf"{LEFT}(?:"
    rf"(?:the{_S})?user(?:{_S}{_HELPERS}){{0,2}}{_S}{_SAYS}"
    rf"|(?:confirmed|approved|agreed|decided|chosen|requested|asked|accepted|selected|stated|said|wanted|answered|instructed|rejected)"
    rf"(?:{_S}(?:explicitly|for))?{_S}(?:by|with){_S}(?:the{_S})?user"
    rf"|(?:per|from|source:?|according{_S}to|as{_S}per|by){_S}(?:the{_S}|explicit{_S})?user(?:'s)?"
    rf"|(?:explicit{_S})?user(?:'s)?{_S}(?:own{_S})?(?:answers?|words?|requests?|decisions?|instructions?|quotes?)|explicit{_S}user{_S}(?:approvals?|confirmation)"
    rf"|user-(?:confirmed|approved|stated|requested|decided)"
    rf"){RIGHT}|[(\[]user(?=[)\],;:])|\((?:用户|用戶|使用者|ユーザー|ผู้ใช้|사용자)(?=[),、;:])"
    "|(?:用户|用戶|使用者)(?:已|也|曾|明确|明確|本人|原话|原話|的)?(?:说过?|說過?|确认|確認|要求|同意|批准|选择|選擇|决定|決定|回答|表示|指定|原话|原話|指示|回复|回覆|拍板|需求)"
    "|(?:经|與|与|跟|和|由|得到)(?:用户|用戶|使用者)(?:确认|確認|同意|批准|商定|决定|決定)?|原话|原話"
    "|(?:ユーザー?|利用者)(?:が|は|の|に|から|より|と)?[^\\s、。]{0,8}?(?:確認|承認|指示|回答|要求|要望|希望|選択|決定|指定|発言|合意|依頼)"
    "|(?:ผู้ใช้(?:งาน)?)\\s?(?:ได้)?(?:ยืนยัน|บอก|ขอ|ตอบ|เลือก|อนุมัติ|ต้องการ|ตัดสินใจ|สั่ง|ระบุ|ตกลง)|(?:ยืนยัน|อนุมัติ|ตกลง)(?:โดย|กับ|จาก)ผู้ใช้"
    "|사용자\\s?(?:확인|요청|승인|결정)"
)
_BEFORE = "per according as based from by via source "
_SOURCES: tuple[tuple[Trust, re.Pattern[str], str], ...] = (
    (
        Trust.AGENT,
        _AGENT,
        _BEFORE
        + """sub subagent subagents agent agents assistant assistants ai llm model models bot bots claude codex gemini
        chatgpt gpt copilot cursor previous earlier other another prior reportedly allegedly purportedly
        claimed claims alleged ( 子 代 智 助 模 前 上 据 據 声 聲 サ エ ア モ と ら ซ เ ผ โ อ ก""",
    ),
    (
        Trust.TOOL,
        _TOOL,
        _BEFORE
        + """tool tools command log logs ci linter linters compiler compilers test scanner scanners output terminal stack
        error shell search 工 命 终 終 日 ツ コ タ ロ ผ เ""",
    ),
    (
        Trust.DOCS,
        _DOCUMENT,
        _BEFORE
        + """doc docs document documents documentation readme wiki web fetched help man page pages webpage webpages website
        websites article articles blog manual changelog issue issues ticket tickets e email emails comment comments
        release spec specs adr adrs agents skill claude task prd req context 根 据 據 按 依 文 网 網 手 说 ド 資 仕 ペ サ マ
        ต จ เ ห ค""",
    ),
    (
        Trust.USER,
        _USER,
        _BEFORE
        + """the user explicit confirmed approved agreed decided chosen requested asked accepted selected stated said
        wanted answered instructed rejected ( [ 用 使 经 經 與 与 跟 和 由 得 原 ユ 利 ผ ย อ ต 사""",
    ),
)
"""Each source, how it is named, and with which Latin words or other characters a name of it begins."""


def _by_start() -> dict[str, tuple[tuple[Trust, re.Pattern[str]], ...]]:
    found: dict[str, list[tuple[Trust, re.Pattern[str]]]] = {}
    for trust, pattern, starts in _SOURCES:
        for start in starts.split():
            found.setdefault(start, []).append((trust, pattern))
    return {start: tuple(patterns) for start, patterns in found.items()}


_BY_START = _by_start()
_SIGNS = re.escape("".join(sorted(start for start in _BY_START if not start.isascii() or not start.isalpha())))
_WORDS = "|".join(start for start in _BY_START if start.isascii() and start.isalpha())
_START = re.compile(rf"{alternatives(_WORDS)}|(?P<sign>[{_SIGNS}])(?!(?P=sign))")

_NAMED_ALONE = re.compile(
    rf"(?:(?:the|a|an|our|by|from|via){_S}){{0,2}}"
    rf"(?:(?P<user>user){RIGHT}|(?P<agent>{_AGENTS}|{_SOFT_AGENTS}){RIGHT}|(?P<tool>{_TOOLS}|{_SOFT_TOOLS}){RIGHT}"
    rf"|(?P<docs>{_DOCS}|{_SOFT_DOCS}){RIGHT})"
    "|(?P<user_>用户|用戶|使用者|ユーザー|ผู้ใช้)"
)

_MOST = 20_000
"""Characters in which a yes is looked for at all."""
_YES = re.compile(
    alternatives(
        "yes | yes please | yep | yeah | yup | ok | okay | sure | agreed | i agree | confirmed | i confirm | approved"
        " | i approve | go ahead | sounds good | looks good | lgtm | do it | that works | works for me | absolutely"
        " | definitely | of course | please do | ship it",
        "好 | 好的 | 好啊 | 行 | 可以 | 是 | 是的 | 对 | 對 | 对的 | 同意 | 确认 | 確認 | 批准 | 就这样 | 就這樣 | 没问题 | 沒問題 | 嗯 | 当然",
        "はい | ええ | うん | 了解です | 承知しました | 承認します | 承認 | 同意します | 賛成です | それでお願いします | お願いします"
        " | いいです | いいですよ | 問題ありません | 問題ないです | 大丈夫です | オーケー | その通りです",
        "ใช่ | ใช่ครับ | ใช่ค่ะ | ตกลง | ตกลงครับ | ตกลงค่ะ | โอเค | โอเคครับ | โอเคค่ะ | ได้ | ได้ครับ | ได้ค่ะ | ยืนยัน | อนุมัติ | เห็นด้วย"
        " | ถูกต้อง | 네 | 예 | 좋아요 | 좋습니다",
    )
    + r"(?=[\s,.!;、。…~—–]|$)|"
    + alternatives("go with | go for | let's go with | let's use | 就用")
    + r"(?=\s|[\u3400-\u9fff]|[a-z0-9`\"「“])"
)
_ALONE = re.compile(
    "(?:"
    + alternatives(
        "right | correct | perfect | great | good | fine | exactly | accepted | confirm | approve | ครับ | ค่ะ | 了解"
    )
    + r")[.!。\s]{0,4}"
)
"""They are a yes only where nothing else is said."""
_NO_PROBLEM = re.compile("没问题|沒問題|問題ありません|問題ないです|no problem")
_BUT = re.compile(
    alternatives(
        "but | however | except | unless | if | only | although | though | wait | after | until | once | when | provided | instead"
    )
    + "|但是?|不过|不過|除非|如果|只要|ただし|しかし|けど|が、|もし|なら|แต่|ถ้า|หาก|ยกเว้น|เว้นแต่"
)


def provenance(text: str) -> tuple[Trust, str] | None:
    """Return where a text says that it comes from and the words that say so; None where it says nothing.

    Of several sources the one that is not the user wins, and of those the first; one marked as untrusted above all.
    The words are folded.
    """
    plain = folded(text)
    if _MAY_MARK.search(plain) and (found := _UNTRUSTED.search(plain)):
        return Trust.UNTRUSTED, _joined(found)
    first: tuple[Trust, str] | None = None
    for start in _START.finditer(plain):
        for trust, pattern in _BY_START.get(start[0], ()):
            if first is not None and trust is Trust.USER:
                continue
            if found := pattern.match(plain, start.start()):
                first = trust, _joined(found)
                break
        if first is not None and first[0] is not Trust.USER:
            break
    return first


def named(text: str) -> Trust | None:
    """Return which source a short text names, also where it says nothing of it (`docs page X`); None for none."""
    if known := provenance(text):
        return known[0]
    found = _NAMED_ALONE.match(folded(text).strip())
    return Trust((found.lastgroup or "").rstrip("_")) if found else None


def confirms(text: str) -> bool:
    """Return whether a text is a plain yes: it begins with one, asks nothing, and takes nothing of it back."""
    if len(text) > _MOST:
        return False
    plain = folded(text).strip(" \t\n\"'*_“”「」")
    if _ALONE.fullmatch(plain):
        return True
    if "?" in plain or not _YES.match(plain):
        return False
    plain = _NO_PROBLEM.sub("", plain)
    return not (negation.negations(plain) or modality.hedges(plain) or _BUT.search(plain))


def _joined(found: re.Match[str]) -> str:
    return " ".join(found[0].split()).strip("()[] .,:;—-")
