// The clocks of one seat. Moments are milliseconds since 1970 as BigInt; undefined is never.

const DAY = 86_400_000n;

export class SeatClock {
  opened; // when the open request opens
  #begun; // when its clock began to run
  #turn; // when that of the first request of the turn did
  #used = 0n; // by the seat so far
  #moves = 0n;

  constructor({ clock, policy }) {
    this.clock = clock;
    this.policy = policy;
  }

  get #waits() {
    return this.clock.starts === 'sent';
  }

  /** The first request of a turn, or every open one after a resume. */
  open(at) {
    this.opened = at;
    this.#begun = this.#turn = this.#waits ? undefined : at;
  }

  /** Another request of the turn, after the strike number n in it. */
  again(at, n) {
    const { pause = 0n, pause_max: most } = this.policy;
    let d = pause;
    for (let i = 1; i < n && d > 0n && d < DAY && (most === undefined || d < most); i++) d *= 2n;
    if (most !== undefined && d > most) d = most;
    this.opened = at + d;
    this.#begun = this.#waits ? undefined : this.opened;
  }

  /** The request went out; false: that had been recorded, or is not to be. */
  send(at) {
    if (!this.#waits || this.#begun !== undefined || at < this.opened) return false;
    this.#begun = at;
    this.#turn ??= at;
    return true;
  }

  /** Time was charged; moved tells whether a move was made. */
  use(used, moved) {
    this.#used += used;
    if (moved) this.#moves++;
  }

  #deadline() {
    if (this.#begun === undefined) return undefined;
    const { move, base, increment = 0n } = this.clock;
    const ends = [];
    if (move !== undefined) ends.push((this.policy.reask ? this.#begun : this.#turn) + move);
    if (base !== undefined) {
      const left = base + increment * this.#moves - this.#used;
      ends.push(this.#begun + (left > 0n ? left : 0n));
    }
    return ends.reduce((a, b) => (a !== undefined && a < b ? a : b), undefined);
  }

  /** The moment from which on an answer is late. */
  over() {
    const d = this.#deadline();
    return d === undefined ? undefined : d + (this.clock.grace ?? 0n);
  }

  /** The time that a moment charges. */
  charges(at) {
    if (this.#begun === undefined) return 0n;
    const d = this.#deadline();
    const time = (d !== undefined && d < at ? d : at) - this.#begun;
    return time > 0n ? time : 0n;
  }

  /** When an answer came that was charged so much. */
  came(used) {
    return used > 0n ? this.#begun + used : this.opened - 1n;
  }
}
