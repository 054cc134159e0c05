"""An open table: its clients, and the messages that they are sent."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import TYPE_CHECKING, Any, TypeVar

from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.server import messages, metrics
from icetable.server.apart import games as apart
from icetable.server.apart.games import ApartInfo
from icetable.server.errors import BadTable, Hidden, sentence
from icetable.server.live.tables.autoplay import AutoPlayer
from icetable.server.live.tables.chat import LiveChat
from icetable.server.live.tables.host import weak
from icetable.server.live.tables.presence import HeldPieces, LivePresence, PlayerLines
from icetable.server.live.tables.unattended import ends_at, note_due
from icetable.server.live.tables.versions import store_source
from icetable.server.logs import about
from icetable.server.store import pubsub
from icetable.server.store.errors import Conflict, StoreError, StoreTimeout
from icetable.server.store.store import Store
from icetable.server.table.clock import now
from icetable.server.table.judge import Judge
from icetable.server.table.log import HOST, Entry, Pause
from icetable.server.table.seats import checked_level, hash_code
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer
from icetable.server.table.views import TableViews
from icetable.workshop.guard import DesignError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Collection, Coroutine
    from contextlib import AbstractAsyncContextManager

    from icetable.core.game import Game
    from icetable.server.chat import ChatMessage
    from icetable.server.live.bots import BotPool
    from icetable.server.live.fair_queue import FairScheduler
    from icetable.server.live.tables.client import Client
    from icetable.server.live.tables.host import TableHost
    from icetable.server.table.seats import Seating

ONLY_PLAYERS = "Only players at this table can do that."
NOT_YOUR_SEAT = messages.ErrorMessage("This browser does not hold that seat.")

T = TypeVar("T")

logger = logging.getLogger(__name__)


class Solving:
    """Answers the requests at a table one after another. A new request replaces the client's last one."""

    def __init__(self, host: TableHost, bot_pool: BotPool) -> None:
        self._host = host
        self._bot_pool = bot_pool
        self._requests: dict[Client, int] = {}
        self._task: asyncio.Task[None] | None = None

    def request(self, client: Client, number: int) -> None:
        """Solve the position after `number` acts, and send a client the values of its acts."""
        self._requests[client] = number
        if self._task is None or self._task.done():
            self._task = self._host.create_task(self._solve_all())

    def forget(self, client: Client) -> None:
        """Drop the request of a client that has left the table."""
        self._requests.pop(client, None)

    async def _solve_all(self) -> None:
        while self._requests:
            client = next(iter(self._requests))
            answer = await self._solve(client, self._requests.pop(client))
            if answer is not None and client in self._host.clients:
                client.send(answer)

    async def _solve(self, client: Client, number: int) -> messages.ServerMessage | None:
        """The values, or an error; None if the acts were taken back meanwhile."""
        views = self._host.views
        try:
            state = views.position(client.viewer, number)
            values = await self._bot_pool.values(state)
            if views.position(client.viewer, number) != state:
                return None
            return messages.Solved(number, {str(act): value for act, value in values.items()})
        except Hidden as hidden:
            return messages.ErrorMessage(str(hidden))
        except GameError as error:
            return messages.ErrorMessage(sentence(error))
        except Exception:
            table = self._host.state.setup.id
            logger.exception("a position can't be solved", extra=about(table=table, position=number))
            return messages.ErrorMessage("The values of the moves could not be worked out.")


class LiveTable:
    """A table's state, its clients and its parts (autoplay, presence, chat), which see it as a TableHost."""

    def __init__(
        self,
        table_state: TableState,
        chat: list[ChatMessage],
        *,
        store: Store,
        bot_pool: BotPool,
        scheduler: FairScheduler,
        on_entry: Callable[[str], None],
    ) -> None:
        """`chat`: the last chat messages. `on_entry` is called with the table's id after each entry."""
        self.state = table_state
        self.views = TableViews(table_state, now)
        self.clients: set[Client] = set()
        self._lock = asyncio.Lock()
        self._store = store
        self._bot_pool = bot_pool
        self._scheduler = scheduler
        self._on_entry = on_entry
        table_state.advance_time(now())
        self._judge = Judge(table_state)
        self._was_over = table_state.is_over
        self.seen_at = table_state.setup.created
        """When a visit was last stored, in milliseconds since 1970."""
        self._offered: Game | None = None
        """The game by changed rules that refuse an act, while the players have not decided what to do."""
        self._chosen: messages.Ack | None = None
        """The last answer of `choose_rules`."""
        self._closed_message: str | None = None
        """Set if the table was deleted or closed by the operator."""
        self.is_behind = False
        """Whether another process has appended entries that are not read yet."""
        self._late_commits: set[asyncio.Task[None]] = set()
        host = weak(self)
        self._autoplayer = AutoPlayer(host, bot_pool)
        self._held_pieces = HeldPieces(host, store)
        self._presence = LivePresence(host, store, self._held_pieces)
        self._chat = LiveChat(host, chat, store)
        self._solving = Solving(host, bot_pool)
        self._lines = PlayerLines(host)
        self._due = ends_at(table_state)
        """The stored time at which a clock of days runs out."""
        self._presence.update()
        note_due(store, table_state)

    async def close(self) -> None:
        """Finish running work, and stop."""
        for task in self._late_commits:
            task.cancel()
        await self._autoplayer.close()
        await self._chat.close()
        async with self._lock:
            pass
        self._lines.close()
        self._presence.close()  # last, since finishing entries update it

    # Clients

    @property
    def has_players(self) -> bool:
        """Whether a client with a seat, or the host, is connected."""
        return any(client.viewer.seats or client.viewer.host for client in self.clients)

    def is_present(self, seat: int) -> bool:
        """Whether a seat's player has the page open, in any process."""
        return self._presence.is_present(seat)

    def join(self, client: Client, codes: list[str], held: frozenset[str], seen: messages.Seen | None = None) -> None:
        """Add a client, and send it the table, or only what it has missed since it has last `seen` it.

        `held`: hashes of the codes stored for its browser's cookie.
        """
        client.set_codes(codes, held)
        client.viewer = self.state.viewer_with(client.code_hashes)
        resumed = None if seen is None else self.views.resumed(client.viewer, seen)
        client.send(resumed or self.views.welcome(client.viewer))
        if not self._is_apart:  # else they stay at hand, as the event loop can't ask the game
            self.state.positions.release()
        if self._autoplayer.status != messages.BOTS_READY and self.state.can_see(client.viewer):
            client.send(self._autoplayer.status)
        self._chat.join(client)
        self._lines.join(client)
        self.clients.add(client)
        self._presence.join(client)
        self._lines.update()

    def leave(self, client: Client) -> None:
        self.clients.discard(client)
        self._lines.leave(client)
        self._solving.forget(client)
        self._presence.leave(client)

    def dismiss(self, why: messages.ErrorMessage) -> None:
        """Remove all clients, sending them `why`, and refuse all further requests."""
        self._closed_message = why.message
        self.broadcast(why, hidden=True)
        for client in list(self.clients):
            self.leave(client)

    async def forget_chat(self) -> None:
        """Drop the chat, here and in the clients."""
        await self._chat.forget()
        self._resend_all()

    async def erase(self, names: Collection[str]) -> None:
        """Erase these names, here and in the clients."""
        async with self._lock:
            before = self.state.seating
            self.state.erase(names)
            self._judge = Judge(self.state)  # refusals name players
            if await self._chat.erase(names) or self.state.seating != before:
                self._resend_all()

    def _resend_all(self) -> None:
        """Send all clients the whole table and its chat again."""
        self.show(self.views.welcome, hidden=True)
        for client in self.clients:
            self._chat.join(client)

    def on_measured(self) -> None:
        """Show a new measurement of a client's round trip."""
        self._presence.show()

    def show(self, create: Callable[[Viewer], messages.ServerMessage], hidden: bool = False) -> None:
        """Send every client the message that `create` returns for its viewer, called once for equal viewers.

        Skips clients that may not see the game, unless the message reveals nothing of the game (`hidden`).
        """
        written: dict[Viewer, bytes] = {}
        for client in self._clients_that_see(hidden):
            message = written.get(client.viewer)
            if message is None:
                message = written[client.viewer] = messages.write(create(client.viewer))
            client.send_bytes(message)

    def broadcast(self, message: messages.ServerMessage, hidden: bool = False, but: Client | str | None = None) -> None:
        """Send the same message to every client except `but`. `hidden`: as in `show`."""
        text = messages.write(message)
        for client in self._clients_that_see(hidden):
            if client is not but:
                client.send_bytes(text)

    def _clients_that_see(self, hidden: bool) -> list[Client]:
        return [client for client in self.clients if hidden or self.state.can_see(client.viewer)]

    # Requests

    async def handle(
        self, viewer: Viewer, request: messages.Request, known: int = 0, silence: int = 0
    ) -> messages.Ack | messages.Refused:
        """Judge a request, store its entry, show it to all clients, and answer. Must not be cancelled.

        `known`, `silence`: those of the client's line.
        """
        seating = self.state.seating
        if isinstance(request, messages.Fill):
            game = self.state.game
            levels = await asyncio.to_thread(self._bot_pool.factory.levels, game.info.name, game.players)
            try:
                checked_level(request.level, [level.name for level in levels])
            except BadTable as error:
                return messages.Refused(request.id, messages.Fault("no-level", sentence(error), None, []))
        if isinstance(request, messages.Sit | messages.HandOver):  # so that a retry is recognized
            viewer = self.state.viewer_with(viewer.code_hashes | {hash_code(request.code)})
        async with self._lock:
            try:
                if self._closed_message:
                    raise StoreError(self._closed_message)
                return await self._decide(viewer, seating, request, known=known, silence=silence)
            except StoreError as error:
                return messages.Refused(request.id, messages.Fault("not-kept", str(error), None, []))
            except DesignError as error:
                return messages.Refused(request.id, messages.Fault("not-now", sentence(error), None, []))

    async def _decide(
        self, viewer: Viewer, seating: Seating, request: messages.Request, *, known: int, silence: int
    ) -> messages.Ack | messages.Refused:
        """Judge until there is an answer; read the entries of other processes before refusing. Raises StoreError.

        `viewer`: the sender, according to `seating`.
        """
        is_current = not self._store.database.is_shared
        while True:
            if self.state.seating is not seating:  # the seat may have been handed over meanwhile
                seating, viewer = self.state.seating, self.state.viewer_with(viewer.code_hashes)
            away = () if isinstance(request, messages.Act) else self._presence.replaceable()
            at = now()
            verdict: Entry | messages.Ack | messages.Refused | None = self.state.overdue(at)
            if verdict is None:
                judged = viewer, request, at, away, is_current, known, silence
                verdict = await self._asking(self._judge.judge, *judged)
            if isinstance(verdict, Entry):
                await self._append(verdict)
                if verdict.client_id is not None and (answer := self.state.ack(verdict.client_id)):
                    return answer
            elif isinstance(verdict, messages.Ack) or is_current:
                return verdict
            else:
                await self._read_new_entries()
                is_current = True

    async def say(self, viewer: Viewer, request: messages.Say) -> messages.Ack | messages.Refused:
        """Store a chat message, send it to the clients, and answer. Completes even if the caller is cancelled."""
        if self._closed_message:
            return messages.Refused(request.id, messages.Fault("not-kept", self._closed_message, None, []))
        return await self._chat.say(viewer, request)

    def hold(self, client: Client, seat: int, what: str | None) -> messages.ErrorMessage | None:
        """Show what a player picks up or puts back (None). Return an error if the seat is not the client's."""
        if seat not in client.viewer.seats:
            return NOT_YOUR_SEAT
        self._held_pieces.hold(client, seat, what)
        return None

    def aim(self, client: Client, seat: int, at: tuple[int, int] | None) -> messages.ErrorMessage | None:
        """Show where a player's hand is over the board. Return an error if the seat is not the client's."""
        if seat not in client.viewer.seats:
            return NOT_YOUR_SEAT
        if self.views.shows_hands and seat in self.state.to_act and client.aims.take():
            self.broadcast(messages.Aimed(seat, at), but=client)
            self.publish(pubsub.Aimed(seat, at))
        return None

    def loaded_positions(self, first: int, last: int) -> AbstractAsyncContextManager[None]:
        """Hold the positions after `first` to `last` acts in memory."""
        return self._scheduler.loaded_positions(self.state.positions, first, last, self.state.game.info)

    async def past(self, viewer: Viewer, number: int) -> messages.Past | messages.ErrorMessage:
        """The position after `number` acts."""
        try:
            async with self.loaded_positions(number, number):
                frame = self.views.past(viewer, number)
        except Hidden as hidden:
            return messages.ErrorMessage(str(hidden))
        return messages.Past(frame) if frame else messages.ErrorMessage(f"Only {self.state.acts} moves have been made.")

    async def history(self, viewer: Viewer, before: int) -> messages.HistoryPage | messages.ErrorMessage:
        """A page of the acts before number `before`."""
        try:
            async with self.loaded_positions(before - messages.LINES_PER_PAGE, before - 1):
                return messages.HistoryPage(self.views.history(viewer, before))
        except Hidden as hidden:
            return messages.ErrorMessage(str(hidden))

    def solve(self, client: Client, number: int) -> None:
        """Solve the position after `number` acts, and send a client the values of its acts."""
        self._solving.request(client, number)

    # Games of files

    @property
    def _is_apart(self) -> bool:
        """Whether the game runs in the process of its file, which may only be asked in a thread."""
        return isinstance(self.state.game.info, ApartInfo)

    async def _asking(self, work: Callable[..., T], *args: Any) -> T:
        """Run work that may ask the game."""
        return await apart.run(self.state.game.info, work, *args) if self._is_apart else work(*args)

    async def _prepare(self, entry: Entry) -> None:
        """Ask a file's game for all that an entry needs, so that nothing is asked when it is applied.

        Raises GameError if the rules refuse it.
        """
        if self._is_apart:
            await self._asking(self.state.prepare, entry)

    # Entries

    async def pause_unattended(self) -> None:
        """Pause a game with a bell if nobody is at the table, in any process.

        Raises StoreError.
        """
        state = self.state
        await self.append(
            lambda at: (
                state.next_event(HOST, Pause(at), at)
                if state.bell_is_pending and not self._presence.is_anyone_present
                else None
            )
        )

    async def append(self, propose: Callable[[int], Entry | None]) -> None:
        """Store the entry of chance or a bot that `propose` returns for the current time, or an overdue one instead.

        Raises StoreError, and GameError if the rules or the table refuse it.
        """
        async with self._lock:
            if self._autoplayer.is_closed:
                return
            at = now()
            entry = self.state.overdue(at) or await self._asking(propose, at)
            if entry is not None:
                await self._append(entry)

    async def _append(self, entry: Entry) -> None:
        """Store an entry and apply it; if another process was faster, apply that process's entries instead.

        Raises StoreError, also if its number is taken but nothing new can be read: retrying would never end.
        """
        await self._prepare(entry)
        try:
            await self._store_entry(entry)
            self._apply(entry)
        except Conflict:
            if not await self._read_new_entries():
                raise self._store.logs.unreadable_entry(self.state.setup.id) from None
        except StoreTimeout as error:
            task = asyncio.create_task(self._await_late_commit(error.done))
            self._late_commits.add(task)
            task.add_done_callback(self._late_commits.discard)
            raise

    async def _store_entry(self, entry: Entry) -> None:
        """Store an entry. Raises Conflict and StoreError."""
        began = time.perf_counter()
        try:
            await self._store.logs.append(self.state.setup.id, entry)
        except StoreError:
            metrics.COMMITS_FAILED.inc()
            raise
        finally:
            metrics.COMMITS.observe(time.perf_counter() - began)

    async def _await_late_commit(self, done: asyncio.Future[None]) -> None:
        """Apply an entry that was stored after its timeout, once the database answers."""
        with contextlib.suppress(StoreError):
            with contextlib.suppress(Conflict):
                await done
            await self.catch_up()

    async def catch_up(self) -> None:
        """Apply the entries of other processes. Raises StoreError."""
        async with self._lock:
            self.is_behind = False
            await self._read_new_entries()

    async def _read_new_entries(self) -> bool:
        """Apply entries that are new here; return whether there were any. Raises StoreError."""
        table = self.state.setup.id
        try:
            entries = await asyncio.to_thread(self._store.logs.entries, table, self.state.entries)
            for entry in entries:
                await self._prepare(entry)
                self._apply(entry)
        except GameError as error:
            logger.error("new entries of a table can't be read", extra=about(error, table=table))
            raise StoreError("This table can't continue: its log has been changed since it was stored.") from None
        return bool(entries)

    # Changed rules

    async def play_by(self, game: Game) -> None:
        """Continue by the rules of a changed file; if they refuse an act, ask the players first.

        Raises GameError if the file fails or refuses the start, and StoreError.
        """
        async with self._lock:
            fitting, refusal = await apart.in_thread(game.info, self.state.count_legal_acts, game)
            if refusal is None:
                await self._change_rules(game)
                return
            self._offered = game
            why = ""
            if self.state.game.shows_history(self.state.position):
                why = f", “{self.state.positions.acts[fitting].text}”: {sentence(refusal)}"
            question = "Take it back with all that follows, or keep the old rules at this table?"
            self.notify(f"The new rules refuse move {fitting + 1}{why or '.'} {question}", ["back", "keep"])

    def notify(self, message: str, choices: list[messages.RulesChoice] | None = None) -> None:
        """Show news of the game's file, until it is saved again or the players choose."""
        self.views.notice = messages.RulesNotice(message, choices or [])
        self._resend_all()

    async def choose_rules(self, viewer: Viewer, request: messages.Rules) -> messages.Ack | messages.Refused:
        """Do what a player has chosen after the rules were changed, and answer. Must not be cancelled."""
        if not viewer.seats:
            return messages.Refused(request.id, messages.Fault("no-seat", ONLY_PLAYERS, None, []))
        async with self._lock:
            if self._chosen is not None and self._chosen.id == request.id:  # it is sent again
                return self._chosen
            try:
                await self._choose_rules(request.choice)
            except StoreError as error:
                return messages.Refused(request.id, messages.Fault("not-kept", str(error), None, []))
            except GameError as error:
                return messages.Refused(request.id, messages.Fault("not-now", sentence(error), None, []))
            self._chosen = messages.Ack(request.id, self.state.acts)
            return self._chosen

    async def _choose_rules(self, choice: messages.RulesChoice) -> None:
        """Raises GameError, also if there is nothing to choose any more, and StoreError."""
        game, taken = self._offered, self.state.taken_back()
        if choice == "again" and game is None and taken:
            await self._play_again(taken)
        elif choice == "keep" and game is not None:
            self._offered = self.views.notice = None
            self._resend_all()
        elif choice == "back" and game is not None:
            fitting, _ = await apart.in_thread(game.info, self.state.count_legal_acts, game)
            if fitting < self.state.acts:
                await self._append(self.state.next_entry(HOST, f"undo {fitting}", self.state.time(now())))
            await self._change_rules(game)
        else:
            raise BadTable("that has been decided already")

    async def _play_again(self, taken: list[Entry]) -> None:
        """Play acts that were taken back, as far as the rules allow. Raises GameError if they refuse the first one."""
        for number, entry in enumerate(taken):
            try:
                if entry.seat == CHANCE:
                    again = await self._asking(self.state.draw_chance, now())
                else:
                    again = await self._asking(self.state.entry_for_act, {entry.seat}, entry.seat, entry.text, now())
            except GameError:
                if number == 0:
                    raise
                return
            if again is None or again.text != entry.text:
                return
            await self._append(again)

    async def _change_rules(self, game: Game) -> None:
        """Replay the table by another game, which allows its acts. Raises GameError and StoreError."""
        entry = self.state.change_of_rules(game, now())
        if entry is not None:
            await store_source(self._store, game.info)
            await self._append(entry)
        state = await apart.in_thread(game.info, self._replayed_by, game)
        self.state, self.views, self._judge = state, TableViews(state, now), Judge(state)
        self._offered = None
        state.advance_time(now())
        self._held_pieces.clear()
        if state.is_over != self._was_over:
            self._was_over = state.is_over
            self._store.tables.set_over(state.setup.id, state.is_over)
        self._resend_all()
        self._autoplayer.update()

    def _replayed_by(self, game: Game) -> TableState:
        state = TableState(self.state.setup, game, self.state.log())
        state.positions.preload(messages.LINES_PER_PAGE)
        return state

    def _apply(self, entry: Entry) -> None:
        """Apply a stored entry, and show its changes."""
        seating, was_over, took_back = self.state.seating, self._was_over, self.state.took_back
        kind = self.state.append(entry)
        is_over = self._was_over = self.state.is_over
        if was_over != is_over:
            self._store.tables.set_over(self.state.setup.id, is_over)
        if self.state.setup.terms.public and not seating.started and self.state.seating.started:
            self._store.tables.end_waiting(self.state.setup.id)
        if kind != "event":
            self._held_pieces.clear()
        if kind == "act":
            self.show(lambda viewer: messages.NewFrame(self.views.frame(viewer)))
            self._lines.sent(entry.seq)
        elif kind == "undo":
            self.show(lambda viewer: messages.Rewound(self.views.lines(viewer), self.views.frame(viewer)))
        if kind == "event" or self.state.seating is not seating or took_back is not self.state.took_back:
            self._update_viewers(entry)
        ending = self.views.ending
        if ending is not None and not was_over:
            self.broadcast(messages.Over(self.views.lines(Viewer()), ending))
        if is_over != was_over and not self.state.setup.terms.live:
            self._send_table_to_watchers()
        self._note_due()
        self._on_entry(self.state.setup.id)
        self._autoplayer.update()

    def _note_due(self) -> None:
        due = ends_at(self.state)
        if due != self._due:
            self._due = due
            note_due(self._store, self.state)
            self._store.tables.set_seen(self.state.setup.id, now())  # even if time ends it: its deletion is delayed

    def _send_table_to_watchers(self) -> None:
        """Send the whole table to clients without a seat, which may now see the game, or no longer."""
        for client in self.clients:
            if not client.viewer.seats:
                client.send(self.views.welcome(client.viewer))
                self._chat.join(client)

    def _update_viewers(self, entry: Entry) -> None:
        """Update the clients' viewers after a change of the seats, and send them the table."""
        blind = {client for client in self.clients if not self.state.can_see(client.viewer)}
        for client in self.clients:
            client.viewer = self.state.viewer_with(client.code_hashes)
        self.show(lambda viewer: self.views.changed(viewer, entry), hidden=True)
        for client in blind:
            self._chat.join(client)
        self._held_pieces.check()
        self._presence.update()

    def advance_time(self) -> bool:
        has_changed = self.state.advance_time(now())
        if has_changed:
            self.show(lambda viewer: messages.NewFrame(self.views.frame(viewer)))
            self._autoplayer.update()
        return has_changed

    # Parts

    @property
    def is_in_play(self) -> bool:
        return not self.state.game.info.turns and self.state.seating.started and not self.state.is_over

    @property
    def is_leader(self) -> bool:
        return self._presence.is_leader

    def on_presence_checked(self) -> None:
        self._autoplayer.update()  # presence decides which process plays the bots, and whether bots of turns play

    def create_task(self, step: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run a step of a part in the background. The task holds a reference to the table, which the part does not."""
        return asyncio.create_task(self._run(step))

    async def _run(self, step: Coroutine[Any, Any, T]) -> T:
        return await step

    # Other server processes

    def publish(self, message: pubsub.PubSubMessage) -> None:
        self._store.database.publish(self.state.setup.id, pubsub.write(message))

    async def on_message(self, text: str) -> None:
        """Handle a message that another process has published. Raises StoreError."""
        match pubsub.read(text):
            case pubsub.Here() as here:
                self._presence.on_message(here)
            case pubsub.Held() as held:
                async with self._lock:  # in order, even if entries before it are still to be read
                    if held.entries > self.state.entries:
                        await self._read_new_entries()
                    self._held_pieces.on_held(held)
            case pubsub.Aimed(seat, at):
                self.broadcast(messages.Aimed(seat, at))
            case pubsub.Spoken():
                await self._chat.catch_up()

    def on_reconnect(self) -> None:
        """Catch up after a lost connection, in which messages of other processes may be missed."""
        self._presence.on_reconnect()
        self._chat.start_catch_up()

    async def catch_up_chat(self) -> None:
        """Show the chat messages that other processes have stored. Raises StoreError."""
        await self._chat.catch_up()
