"""Chinese, in simplified and traditional characters."""

from pipeline.normalize.languages.base import AMOUNT, COUNT, YEAR, Language

__all__ = ["CHINESE"]

_SEVERAL = "[一二两兩三四五六七八九十半几幾数數]+"
_UNIT = "秒钟?|秒鐘?|分钟|分鐘|分|小时|小時|钟头|鐘頭|天|日|周|週|星期|月|季度|季|年"
_COUNT = rf"{COUNT} ?[万萬亿億千kw]?\+? ?"
_SEEN = "浏览|瀏覽|阅读|閱讀|观看|觀看|播放|点击|點擊|访问|訪問|评论|評論|回复|回覆|留言"
_LIKED = "点赞|點讚|赞|讚|收藏|分享|转发|轉發|关注|關注|粉丝|粉絲|下载|下載|评价|評價|回答"
_UPDATED = "更新|发布|發布|发佈|發佈|发表|發表|修改|编辑|編輯|刊登|发帖|發帖|上传|上傳"


# Full-width colon and brackets.
_COLON, _OPEN, _CLOSE = "\uff1a", "\uff08", "\uff09"


def _counters(nouns: str) -> str:
    return (
        rf"{_COUNT}[次条條个個]?(?:{nouns})"
        rf"|(?:{nouns})(?:量|数|數|次数|次數)? ?[:({_COLON}{_OPEN}]? ?{_COUNT}(?:人?次|条|條)?[){_CLOSE}]?"
    )


CHINESE = Language(
    code="zh",
    spaced=False,
    past=rf"(?:大?[约約] ?)?(?:{AMOUNT}|{_SEVERAL}) ?[个個]?[多半]? ?(?:{_UNIT})多?[以之]?前",
    vague="刚刚|剛剛|刚才|剛才|昨天|昨日|前天|上周|上週|上个月|上個月|去年",
    date=(
        rf"{YEAR}年[0-9]{{1,2}}月(?:[0-9]{{1,2}}[日号號])?(?: ?\(?(?:星期|周|週)[一二三四五六日天]\)?)?"
        "|[0-9]{1,2}月[0-9]{1,2}[日号號]|(?:星期|周|週)[一二三四五六日天]|今天|今日"
    ),
    clock=(
        "(?:[上下中]午|凌晨|晚上) ?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
        "|(?:(?:[上下中]午|凌晨|晚上) ?)?[0-9]{1,2}[点點时時](?:[0-9]{1,2}分?|半)?"
    ),
    updated=_UPDATED,
    between="于|於|在|时间|時間|日期|最后|最後|为|為",
    by="由",
    beside=f"{_UPDATED}|{_SEEN}|于|於",
    binding=("生效|有效|截止|截至|到期|施行|实施|實施|执行|執行|起|营业|營業|开放|開放|之前|开始|開始|结束|結束"),
    limits="超过|超過|至少|至多|最多|最少|不到|不超|以上|以下|以内|以內|每|限",
    watched=(
        rf"{_COUNT}人 ?(?:正在|已经|已經|已|在)?"
        "(?:浏览|瀏覽|观看|觀看|看过|看過|看|阅读|閱讀|购买|購買|付款)"
    ),
    counted=_counters(_SEEN),
    doubtful=_counters(_LIKED),
    rights="版权所有|版權所有|保留所有权利|保留所有權利",
)
