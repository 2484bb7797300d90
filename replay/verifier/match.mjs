// A match that follows a record and says where an event could not have come next.
import { write } from './json.mjs';
import { Fault } from './fault.mjs';
import { PLANNED } from './line.mjs';
import { draw } from './chance.mjs';
import { SeatClock } from './clock.mjs';

const wrong = (what) => { throw new Fault('rules', what); };

// How often in one turn a seat may go away, and how much it may say.
const MAX_GONES = 16;
const MAX_SAYS = 64;

// Policies and clocks under which a match could wait for ever, or that contradict themselves.
function sensible({ policy, clock }, defaults) {
  for (const f of [...PLANNED, 'out']) {
    if (!defaults && ['default', 'eliminate'].includes(policy[f])) wrong(`policy.${f}: ${policy[f]} needs a game with safe defaults`);
    if (policy[f] === 'strike' && policy.strikes === undefined) wrong(`policy.${f}: strike needs a limit of strikes`);
  }
  if (policy.late === 'reject') wrong('policy.late: a late answer cannot be rejected and waited for');
  if (policy.disconnected === 'reject' && clock.back !== undefined) wrong('policy.disconnected: reject needs a clock without back');
  if (clock.increment !== undefined && clock.base === undefined) wrong('clock.increment: needs a base');
  if (clock.starts === 'sent' && clock.expiry === undefined && (clock.move ?? clock.base) !== undefined) wrong('clock.expiry: a clock that starts when a request is sent needs one');
}

/**
 * Matches of games whose seats move one after the other. A game has
 *
 *   seats, least, greatest, zeroSum  how many seats, the least and the greatest return, whether returns add up to 0
 *   turn()                           who has to move: [a seat], ["chance"], or [] when the game is over
 *   play(seat, action)               makes a move, a node of json.mjs; throws an Error where the rules refuse it
 *   chances()                        the moves of chance, as JSON, in the order of the rules: all are equally likely
 *   fallback(seat)                   the move for a seat that makes none, as JSON; missing in games without
 *   outcome()                        {reason, ret} and, in games with points, scores
 */
export class Match {
  #game;
  #seats;
  #time; // of the event before
  #expires; // when the time of the match is over; undefined: never
  #steps = 0;
  #max;
  #ending; // decided, and not yet recorded
  #limited = false; // the match's own limit of steps is reached
  #offer; // {by, accepted}
  #events = 1; // so far
  #draws = []; // of chance: {line, moves, action}

  constructor(start, game) {
    if (start.seats.length !== game.seats) wrong(`${start.seats.length} seats, the game is for ${game.seats}`);
    if (start.names !== undefined && start.names.length !== game.seats) wrong(`${start.names.length} names, the game is for ${game.seats} seats`);
    for (const info of start.seats) sensible(info, game.fallback !== undefined);
    this.#game = game;
    this.#time = start.at ?? 0n;
    this.#max = start.max ?? 0n;
    this.#seats = start.seats.map((info) => ({
      policy: info.policy, clock: new SeatClock(info), ask: 0n, open: false, retries: 0, moves: 0, strikes: 0, faults: {}, notes: 0n,
      gones: 0, says: 0, out: false, gone: undefined, offered: -1, keys: new Set(),
    }));
    const expiries = start.seats.map((info) => info.clock.expiry).filter((x) => x !== undefined);
    this.#expires = expiries.length > 0 ? this.#time + expiries.reduce((a, b) => (a < b ? a : b)) : undefined;
    this.#enter(this.#time);
  }

  /** Judges the next event, at its time in milliseconds since 1970, and follows it. Throws a Fault. */
  next(e, at) {
    const due = this.#due();
    this.#events++;
    if (e.k === 'resume') {
      this.#resumed(e, at);
    } else if (e.k === 'fault' && e.s === 'host' && !this.#ending) {
      this.#crash(e);
    } else if (due || e.k === 'end') {
      this.#necessary(e, at, due ?? this.#expiry(e, at));
    } else {
      this[`_${e.k}`](e, at);
    }
    this.#time = at;
  }

  /** Judges whether an end event may come at this time, before what it says is judged. Throws a Fault. */
  mayEnd(e, at) {
    this.#allow(e, at, this.#due() ?? this.#expiry(e, at));
  }

  /** Draws every move of chance again. Throws the Fault of the first one that the secret does not draw. */
  async draws(secret) {
    for (const [n, { line, moves, action }] of this.#draws.entries()) {
      if (await draw(secret, n, moves) === action) continue;
      const fault = new Fault('draw', 'not the chance move that the secret draws');
      fault.line = line;
      throw fault;
    }
  }

  // What can be followed by one event alone: the end, a move of chance, or a move for a seat that is out.
  #due() {
    if (this.#ending) return { end: this.#ending };
    if (this.#limited) return undefined;
    const seat = this.#game.turn().find((s) => s === 'chance' || this.#seats[s].out);
    if (seat === 'chance') return { seat, moves: this.#game.chances() };
    return seat === undefined ? undefined : { seat, moves: [this.#game.fallback(seat)] };
  }

  #allow(e, at, due) {
    if (due.end) {
      if (e.k !== 'end') wrong('the match is over, the end is due');
    } else if (e.k !== 'move' || e.s !== due.seat || !due.moves.includes(write(e.a)) || !e.ref !== (due.seat === 'chance') || e.ask || e.used || e.note || e.meta || e.key) {
      wrong(due.seat === 'chance' ? 'a chance move is due, and it has no request and nothing to say' : `due is a move of the referee for seat ${due.seat}: ${due.moves}`);
    }
    if (at !== this.#time && !due.late) wrong('it follows of necessity from the event before, and so at the same time');
  }

  #necessary(e, at, due) {
    this.#allow(e, at, due);
    if (due.end) {
      this.#ended(e, due.end);
      return;
    }
    if (due.seat === 'chance') this.#draws.push({ line: this.#events, moves: due.moves, action: write(e.a) });
    this.#moved(e, at);
  }

  // The end by expiry follows from no event before it, and so may come at any time after.
  #expiry(e, at) {
    if (e.cause !== 'expiry' || this.#expires === undefined || at < this.#expires) wrong('nothing has ended the match');
    return { end: { cause: 'expiry', reason: 'expiry' }, late: true };
  }

  #ended(e, { cause, reason, ret, scores }) {
    const any = (list, some) => (list.some(some) ? list : undefined);
    const places = ret?.map((mine) => 1 + ret.filter((other) => other > mine).length);
    const want = {
      cause, reason, ret, scores, places,
      strikes: any(this.#seats.map((s) => s.strikes), (n) => n > 0),
      faults: any(this.#seats.map((s) => s.faults), (f) => Object.keys(f).length > 0),
    };
    const got = { cause: e.cause, reason: e.reason, ret: e.ret, scores: e.scores, places: e.places, strikes: e.strikes, faults: e.faults };
    const [a, b] = [want, got].map((x) => JSON.stringify(x, (_, v) => {
      if (typeof v === 'bigint') return Number(v);
      return v !== null && typeof v === 'object' && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort()) : v;
    }));
    if (a !== b) wrong(`it should say ${a}`);
    this.#ending = undefined;
  }

  #seat(e) {
    return this.#seats[e.s] ?? wrong('there is no such seat');
  }

  #crash(e) {
    if (e.fault !== 'internal' || e.do !== 'void' || e.ask || e.a || e.used || e.note || e.meta || e.got) wrong('a fault of the host voids, and says nothing but why');
    this.#ending = { cause: 'void', reason: 'internal' };
  }

  _start() {
    wrong('the start event is the first and no other');
  }

  #resumed(e, at) {
    if ((e.at ?? 0n) > at) wrong('it is recorded earlier than it was by the wall clock');
    for (const s of this.#seats) {
      if (s.open) s.clock.open(at);
      if (s.gone !== undefined) s.gone = at;
    }
  }

  // The seat's open request, if it is that of the event and has opened.
  #asked(e, at) {
    const s = this.#seats[e.s];
    if (!s?.open || s.ask !== e.ask || at < s.clock.opened) wrong(`seat ${e.s} has no request ${e.ask ?? 0} open`);
    return s;
  }

  // An answer that was charged so much came in time.
  #inTime({ clock }, used, at) {
    if (used > clock.charges(at)) wrong(`${used} ms charged, more than have passed`);
    const [came, over] = [clock.came(used), clock.over()];
    if (over !== undefined && came >= over) wrong(`with ${used} ms charged it came too late`);
    if (this.#expires !== undefined && came >= this.#expires) wrong('the time of the match was over before it came');
  }

  // Whether a seat is away, and has been for longer than it may be.
  #overdue(s, at) {
    const { back } = s.clock.clock;
    if (s.gone === undefined || back === undefined || s.out || at < s.gone + back) return false;
    return !['strike', 'default'].includes(s.policy.disconnected) || s.open && at >= s.clock.opened;
  }

  _sent(e, at) {
    const s = this.#asked(e, at);
    if (this.#expires !== undefined && at >= this.#expires || !s.clock.send(at)) wrong('no request was to be sent');
  }

  _move(e, at) {
    if (e.s === 'chance' || e.ref) wrong('no move of the referee is due');
    if (e.s === 'host') wrong('the host has nothing to answer');
    const s = this.#asked(e, at);
    this.#inTime(s, e.used ?? 0n, at);
    if (e.key !== undefined && s.keys.has(e.key)) wrong('its idempotency key was used before');
    if (e.raw !== undefined && e.key === undefined) wrong('raw without a key');
    if (e.key !== undefined) s.keys.add(e.key);
    this.#moved(e, at);
  }

  _fault(e, at) {
    const s = this.#seat(e);
    if ((e.ask ?? 0n) !== s.ask) wrong(`the seat's request is ${s.ask}`);
    const planned = PLANNED.includes(e.fault) ? s.policy[e.fault] ?? 'forfeit' : { stale: 'reject', internal: 'void' }[e.fault];
    const counts = planned === 'strike' || planned === 'default';
    const struck = counts && s.policy.strikes !== undefined && BigInt(s.strikes) + 1n >= s.policy.strikes;
    const due = struck ? s.policy.out ?? 'forfeit' : planned;
    if (e.do !== due) wrong(`the policy says ${due}`);
    if (due === 'reject' && (e.used || s.notes >= (s.policy.notes ?? 16n))) wrong('a refused answer more than the policy notes, or one that was charged');
    if (e.got && e.fault !== 'stale') wrong('got belongs to stale answers');
    if (!s.open && e.used) wrong('charged without a request');
    const fallback = due === 'default' && s.open ? this.#game.fallback?.(e.s) : undefined;
    if ((e.a && write(e.a)) !== fallback) wrong(`the game's default is ${fallback ?? 'not due'}`);
    this.#timely(e, s, at);
    if (e.fault === 'disconnected' && s.gone !== undefined) s.gone = at;
    s.clock.use(e.used ?? 0n, false);
    this.#consequence(e, s, due, at);
    s.faults[e.fault] = (s.faults[e.fault] ?? 0) + 1;
    if (counts) s.strikes++;
  }

  // A fault came when it can have come.
  #timely(e, s, at) {
    const used = e.used ?? 0n;
    const [all, over] = [s.open ? s.clock.charges(at) : 0n, s.clock.over()];
    if (e.fault === 'stale') {
      if (e.note || e.meta || e.detail) wrong('nothing is kept of a stale answer');
    } else if (e.fault === 'late') {
      if (!s.open || over === undefined || at < over) wrong('it is not late');
      if (this.#expires !== undefined && over > this.#expires) wrong('the time of the match was over before it was late');
      if (used !== all) wrong(`${used} ms charged for all the time there was`);
      if (e.detail) wrong('a late answer has no detail');
    } else if (e.fault !== 'disconnected' || !this.#overdue(s, at) || used !== all || e.detail !== 'gone' || e.note || e.meta) {
      if (!s.open || at < s.clock.opened) wrong('the seat was not asked');
      this.#inTime(s, used, at);
    }
  }

  #consequence(e, s, due, at) {
    switch (due) {
      case 'reject': s.notes++; break;
      case 'strike':
        if (!s.open) break;
        s.ask++;
        s.clock.again(at, ++s.retries);
        break;
      case 'default': if (e.a) this.#moved({ s: e.s, a: e.a }, at); break;
      case 'eliminate': this.#eliminate(e.s); break;
      case 'forfeit': this.#lose('forfeit', e.fault, e.s); break;
      default: this.#ending = { cause: 'void', reason: e.fault };
    }
  }

  _gone(e, at) {
    const s = this.#seat(e);
    if (s.gone !== undefined || s.gones >= MAX_GONES) wrong('the seat cannot go away now');
    s.gone = at;
    s.gones++;
  }

  _back(e, at) {
    const s = this.#seat(e);
    if (s.gone === undefined) wrong('the seat is not away');
    if (this.#overdue(s, at)) wrong('the seat was away for too long');
    s.gone = undefined;
  }

  _say(e) {
    const s = this.#seat(e);
    if (s.says++ >= MAX_SAYS) wrong('too much said in one turn');
    if (e.to?.some((s) => !this.#seats[s])) wrong('said to a seat that is not there');
  }

  _claim(e) {
    const s = this.#seat(e);
    const offer = this.#offer;
    if (s.out) wrong('the seat is out');
    switch (e.claim) {
      case 'resign': return this.#leave('adjudication', 'resignation', e.s);
      case 'abandon': return this.#leave('abandonment', 'abandoned', e.s);
      case 'offer_draw':
        if (offer) wrong('a draw is on offer already');
        if (this.#inPlay().every((i) => i === e.s)) wrong('nobody is there to accept a draw');
        if (s.offered === s.moves) wrong('a draw was offered since the last move');
        s.offered = s.moves;
        this.#offer = { by: e.s, accepted: new Set() };
        return undefined;
      default:
        if (!offer || offer.by === e.s) wrong('no draw is on offer');
        if (e.claim === 'decline_draw') {
          this.#offer = undefined;
          return undefined;
        }
        if (offer.accepted.has(e.s)) wrong('accepted already');
        offer.accepted.add(e.s);
        return this.#agree();
    }
  }

  _rule(e) {
    const n = this.#seats.length;
    if ((e.win !== undefined) !== (e.what === 'win') || e.win?.some((s) => s >= n)) wrong('win: not seats of this match, or not with win');
    if ((e.ret !== undefined) !== (e.what === 'returns') || e.ret && (e.ret.length !== n || e.ret.some((r) => r < this.#game.least || r > this.#game.greatest))) wrong('ret: not returns of this match, or not with returns');
    const losers = this.#seats.map((_, i) => i).filter((i) => !e.win?.includes(i));
    switch (e.what) {
      case 'void': this.#ending = { cause: 'void', reason: e.reason }; break;
      case 'draw': this.#ending = { cause: 'adjudication', reason: e.reason, ret: this.#drawn() }; break;
      case 'win': this.#ending = { cause: 'adjudication', reason: e.reason, ret: this.#lost(losers) }; break;
      default: this.#ending = { cause: 'adjudication', reason: e.reason, ret: e.ret };
    }
  }

  // Makes the move of an event.
  #moved({ s: seat, a: action, used = 0n, ref }, at) {
    const s = this.#seats[seat];
    try {
      this.#game.play(seat, action);
    } catch (e) {
      wrong(`the rules refuse ${write(action)}: ${e.message}`);
    }
    if (s) {
      s.moves++;
      s.open = false;
      s.clock.use(used, true);
    }
    if (this.#offer && s && !ref && seat !== this.#offer.by && !this.#offer.accepted.has(seat)) this.#offer = undefined;
    this.#steps++;
    if (this.#game.turn().length === 0) {
      this.#ending = { cause: 'play', ...this.#game.outcome() };
    } else if (this.#max > 0n && BigInt(this.#steps) >= this.#max) {
      this.#limited = true;
    } else {
      this.#enter(at);
    }
  }

  #enter(at) {
    for (const i of this.#game.turn()) {
      const s = this.#seats[i];
      if (!s || s.out) continue;
      s.ask++;
      [s.open, s.retries, s.notes, s.gones, s.says] = [true, 0, 0n, 0, 0];
      s.clock.open(at);
    }
  }

  #inPlay() {
    return this.#seats.map((_, i) => i).filter((i) => !this.#seats[i].out);
  }

  #leave(cause, reason, seat) {
    if (this.#seats.length > 2 && this.#game.fallback) this.#eliminate(seat);
    else this.#lose(cause, reason, seat);
  }

  #eliminate(seat) {
    const s = this.#seats[seat];
    [s.out, s.open] = [true, false];
    if (this.#offer?.by === seat) this.#offer = undefined;
    else if (this.#offer) this.#agree();
  }

  #agree() {
    const { by, accepted } = this.#offer;
    const others = this.#inPlay().filter((i) => i !== by);
    if (others.every((i) => accepted.has(i)) && this.#inPlay().some((i) => accepted.has(i))) {
      this.#ending = { cause: 'adjudication', reason: 'agreement', ret: this.#drawn() };
    }
  }

  #lose(cause, reason, seat) {
    const losers = this.#seats.map((_, i) => i).filter((i) => i === seat || this.#seats[i].out);
    this.#ending = { cause, reason, ret: losers.length === this.#seats.length ? this.#drawn() : this.#lost(losers) };
  }

  #drawn() {
    return this.#seats.map(() => (this.#game.least + this.#game.greatest) / 2);
  }

  #lost(losers) {
    const { least, greatest, zeroSum } = this.#game;
    const rest = this.#seats.length - losers.length;
    const share = zeroSum && rest > 0 ? Math.max(least, Math.min(greatest, -least * losers.length / rest)) : greatest;
    return this.#seats.map((_, i) => (losers.includes(i) ? least : share));
  }
}
