// Moves the clock of a program's deadlines (api/work/clock.c).
//
//     const arbiter = await start(['--head-timeout', 10], { stopClock: true });
//     const connection = await connect(arbiter.port);
//     ... wait until the program has what starts the deadline ...
//     await arbiter.clock.advance(9_999);    // returns when the program has done all work that was due
//     await arbiter.clock.advance(1);
//     await connection.closed();
//
// The clock is stopped until a test moves it, so nothing expires because the machine is slow. Two things need a running clock:
// refusals that are held for a second, and more than 256 suspended connections. `run` starts it.

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from './client.mjs';

const STANDS = 1n << 63n;

/** The clock CLOCK_MONOTONIC. The program's clock is ahead of it. */
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

  /** The variables for the program's environment. */
  get environment() {
    return { TEST_CLOCK: join(this.#folder, 'clock') };
  }

  /**
   * Moves the clock forward, and waits until the program has done all work that is due, or has ended. Before that it waits until
   * the program has done all work that is due now: a deadline that a signal starts begins at the old time.
   */
  async advance(milliseconds) {
    if (this.#file !== null) this.#write(8, 0n);
    await this.#done();
    if (this.#file === null) return;
    this.#now += BigInt(milliseconds);
    this.#write(0, STANDS | this.#now);
    await this.#done();
  }

  /** Moves the clock forward in steps until `look` is true. For deadlines that begin at a time that the test cannot see. */
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

  /** Moves the clock forward, and does not wait: for a program that is stopped. */
  jump(milliseconds) {
    this.#now += BigInt(milliseconds);
    this.#write(0, STANDS | this.#now);
  }

  /** Moves the clock forward by at least `milliseconds`, and lets it run. */
  run(milliseconds = 0) {
    if (this.#file === null) return;
    this.#now += BigInt(milliseconds);
    // The program reads a clock that is late by some milliseconds, and its time must not go back.
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
