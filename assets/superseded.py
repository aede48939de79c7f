"""Which finished runs Dagster need not keep: a decision over plain records, with no storage in reach."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from assets.defs.partitions import KEPT_DAYS

FRESH = timedelta(hours=1)
"""A run that is younger is left alone, whatever has come after it: somebody may be looking at it."""

FAILURES_KEPT = timedelta(days=14)

FAILURES_AT_MOST = 50
"""Failures kept beside the newest of each partition. When everything fails every hour, days alone bound nothing."""

WHOLE_LOG_KEPT = timedelta(days=1)
"""After it, of a success only what tells its story is kept: materializations, ends of steps and log lines."""

NO_PARTITION_KEPT = timedelta(days=30)
"""Successes of jobs without partitions, whose materializations are a history that the UI plots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedRun:
    """What is to be known of a run that has ended.

    Attributes:
        run_id: Dagster's.
        order: Dagster's own count of runs, which no clock disturbs.
        job: Its name.
        part: The partition key, or both ends of a range; empty for neither.
        day: The partition's day, `YYYY-MM-DD`; empty if it has none.
        succeeded: False: it failed or was cancelled.
        begun: When it began to work; when it was asked for, if it never did.
        ended: When it ended.
        assets: What it was asked for; None: all of the job.
        whole: False: a re-execution of some steps of another run.
    """

    run_id: str
    order: int
    job: str
    part: tuple[str, ...]
    day: str
    succeeded: bool
    begun: datetime
    ended: datetime
    assets: frozenset[str] | None
    whole: bool

    def supersedes(self, earlier: "FinishedRun") -> bool:
        """Whether this run did again, later, all that the other of its job and partition did.

        One must have begun after the other ended: of two that overlap, either may have materialized an asset last.
        """
        return (
            self.succeeded
            and self.whole
            and self.order > earlier.order
            and self.begun >= earlier.ended
            and (self.assets is None or (earlier.assets is not None and earlier.assets <= self.assets))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What may go.

    Attributes:
        delete: Ids of runs of which nothing need stay, the oldest first.
        trim: Ids of successes that stay, but not with all of their log.
        trim_failures: The same of failures.
    """

    delete: list[str] = field(default_factory=list)
    trim: list[str] = field(default_factory=list)
    trim_failures: list[str] = field(default_factory=list)


def choose(runs: Iterable[FinishedRun], *, now: datetime) -> Choice:
    """Decide what may go.

    A success goes when it is superseded, a failure when it is older than `FAILURES_KEPT` or one of too many; but the
    newest failure of a partition that has not succeeded since is kept. All runs of a day that is no longer on show go.

    Args:
        runs: All finished runs, in any order.
        now: The present.
    """
    histories: dict[tuple[str, tuple[str, ...]], list[FinishedRun]] = defaultdict(list)
    for run in runs:
        histories[run.job, run.part].append(run)
    first_shown = (now - timedelta(days=KEPT_DAYS)).date().isoformat()
    judged = [each for history in histories.values() for each in _judge(history, now, first_shown)]
    spare = sorted((run for run, fate in judged if fate == "failure"), key=lambda run: run.order, reverse=True)
    gone = [run for run, fate in judged if fate == "gone"]
    gone += [run for place, run in enumerate(spare) if place >= FAILURES_AT_MOST or now - run.ended > FAILURES_KEPT]
    gone = sorted((run for run in gone if now - run.ended > FRESH), key=lambda run: run.order)
    ids = {run.run_id for run in gone}
    old = [run for run, _ in judged if run.run_id not in ids and now - run.ended > _whole_log_kept(run)]
    return Choice(
        delete=[run.run_id for run in gone],
        trim=[run.run_id for run in old if run.succeeded],
        trim_failures=[run.run_id for run in old if not run.succeeded],
    )


def _judge(history: list[FinishedRun], now: datetime, first_shown: str) -> Iterator[tuple[FinishedRun, str]]:
    """Each run of one job and partition with its fate: `kept`, `gone`, or `failure`, kept for a while."""
    successes: list[FinishedRun] = []
    newest_failure_seen = False
    for run in sorted(history, key=lambda run: run.order, reverse=True):
        redone = any(later.supersedes(run) for later in successes)
        if run.day and run.day < first_shown:
            yield run, "gone"
        elif run.succeeded:
            young = not run.part and now - run.ended <= NO_PARTITION_KEPT
            yield run, "gone" if redone and not young else "kept"
        else:
            yield run, "failure" if redone or newest_failure_seen else "kept"
            newest_failure_seen = True
        if run.succeeded and run.whole and not redone:
            successes.append(run)


def _whole_log_kept(run: FinishedRun) -> timedelta:
    return WHOLE_LOG_KEPT if run.succeeded else FAILURES_KEPT
