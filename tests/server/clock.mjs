// Controls the clock that a program uses for its deadlines (api/work/clock.c).
//
//     const arbiter = await start(['--head-timeout', 10], { stopClock: true });
//     const connection = await connect(arbiter.port);
//     ... wait until the program has read whatever starts the deadline ...
//     await arbiter.clock.advance(9_999);    // returns when the program has done everything that was due
//     await arbiter.clock.advance(1);
//     await connection.closed();
//
// The clock stands still until a test moves it, so nothing expires just because the machine is slow. `run` starts the clock.

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from './client.mjs';

const STANDS = 1n << 63n;

/** The time of CLOCK_MONOTONIC in milliseconds. The program's clock is ahead of it. */
const realMilliseconds = () => process.hrtime.bigint() / 1_000_000n;

export class TestClock {
  #folder = mkdtempSync(join(tmpdir(), 'arbiter-clock-'));
  #file;
  #now = realMilliseconds();

  constructor() {
    this.#file = openSync(join(this.#folder, 'clock'), 'w+');
    this.#write(0, STANDS | this.#now);
    this.#write(8, 0n);
  }

  /** The environment variables that the program needs. */
  get environment() {
    return { TEST_CLOCK: join(this.#folder, 'clock') };
  }

  /**
   * Moves the clock forward, and waits until the program has done everything that is then due, or has ended. Before moving the clock,
   * waits until the program has done everything that is already due. So if a signal has started a deadline, that deadline counts from
   * the time before the move.
   */
  async advance(milliseconds) {
    if (this.#file !== null) this.#write(8, 0n);
    await this.#done();
    if (this.#file === null) return;
    this.#now += BigInt(milliseconds);
    this.#write(0, STANDS | this.#now);
    await this.#done();
  }

  /** Moves the clock forward in steps until `look` returns true. For deadlines whose start the test can't observe. */
  advanceUntil(what, milliseconds, look) {
    return until(what, async () => {
      await this.advance(milliseconds);
      return look();
    });
  }

  #done() {
    const look = () => this.#file === null || this.#read(8) >= this.#now;
    return until('the program has looked at the clock', look, { every: 2 });
  }

  /** Moves the clock forward without waiting: for a program that is stopped (SIGSTOP). */
  jump(milliseconds) {
    this.#now += BigInt(milliseconds);
    this.#write(0, STANDS | this.#now);
  }

  /** Moves the clock forward by at least `milliseconds`, and starts it. */
  run(milliseconds = 0) {
    if (this.#file === null) return;
    this.#now += BigInt(milliseconds);
    // The coarse clock that the program reads can lag a few milliseconds behind, and the program's time must not go backwards.
    const ahead = this.#now - realMilliseconds() + 10n;
    this.#write(0, ahead > 0n ? ahead : 0n);
  }

  close() {
    if (this.#file === null) return;
    closeSync(this.#file);
    rmSync(this.#folder, { recursive: true });
    this.#file = null;
  }

  #write(offset, value) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(value);
    writeSync(this.#file, bytes, 0, 8, offset);
  }

  #read(offset) {
    const bytes = Buffer.alloc(8);
    readSync(this.#file, bytes, 0, 8, offset);
    return bytes.readBigUInt64LE();
  }
}
