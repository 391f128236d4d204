// The answers to a file, as they came: kept as the bytes that they are, outside of the page's own memory once there are many, and read
// again when somebody looks at them. So a million of them cost eight bytes each here, and are saved as they are.

/** So many bytes are gathered before they become a part of their own. */
const PART_BYTES = 1 << 20;
const LINE_FEED = 10;

export class Answers {
  /** @type {Blob[]} */
  #parts = [];
  /** @type {Uint8Array<ArrayBuffer>[]} those that are no part yet */
  #gathered = [];
  #gatheredBytes = 0;
  #bytes = 0;
  /** Where each line ends. @type {Float64Array<ArrayBuffer>} */
  #ends = new Float64Array(1024);
  #lines = 0;

  /** How many of them have been settled: these can be read. */
  count = 0;
  /** The numbers of those that are problems, from 0. @type {number[]} */
  problems = [];

  /**
   * Bytes have come: whole lines and parts of lines.
   * @param {Uint8Array<ArrayBuffer>} bytes kept by this, not copied
   */
  add(bytes) {
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, end + 1)) {
      if (this.#lines === this.#ends.length) {
        const larger = new Float64Array(2 * this.#lines);
        larger.set(this.#ends);
        this.#ends = larger;
      }
      this.#ends[this.#lines] = this.#bytes + end + 1;
      this.#lines += 1;
    }
    this.#bytes += bytes.length;
    this.#gathered.push(bytes);
    this.#gatheredBytes += bytes.length;
    if (this.#gatheredBytes < PART_BYTES) return;
    this.#gather();
  }

  /**
   * The next line is known to be an answer or a problem.
   * @param {boolean} problem
   */
  settle(problem) {
    if (problem) this.problems.push(this.count);
    this.count += 1;
  }

  /** All that has been settled, as it came. */
  blob() {
    return this.#whole().slice(0, this.#end(this.count - 1), 'application/x-ndjson');
  }

  /**
   * Some of those that have been settled, as texts. Neighbours are read at once.
   * @param {number[]} rows in order
   * @returns {Promise<string[]>}
   */
  async read(rows) {
    const starts = rows.filter((row, index) => index === 0 || row !== rows[index - 1] + 1);
    const ends = rows.filter((row, index) => index === rows.length - 1 || rows[index + 1] !== row + 1);
    const whole = this.#whole();
    const runs = starts.map((start, index) => whole.slice(this.#end(start - 1), this.#end(ends[index]) - 1).text());
    return (await Promise.all(runs)).flatMap((run) => run.split('\n'));
  }

  #gather() {
    if (this.#gatheredBytes === 0) return;
    this.#parts.push(new Blob(this.#gathered));
    this.#gathered = [];
    this.#gatheredBytes = 0;
  }

  /** One blob of all that has come. */
  #whole() {
    this.#gather();
    if (this.#parts.length > 1) this.#parts = [new Blob(this.#parts)];
    return this.#parts[0] ?? new Blob([]);
  }

  /** @param {number} row */
  #end(row) {
    return row < 0 ? 0 : this.#ends[row];
  }
}
