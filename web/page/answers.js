// The answers to a file, kept as the bytes received. They are stored in Blobs, which the browser can keep outside the page's memory; a row
// is read back when it is shown. So each answer takes only eight bytes of the page's memory.

/** Bytes gathered before they become a Blob. */
const PART_BYTES = 1 << 20;
const LINE_FEED = 10;

export class Answers {
  /** @type {Blob[]} */
  #parts = [];
  /** @type {Uint8Array<ArrayBuffer>[]} received, not in a part yet */
  #gathered = [];
  #gatheredBytes = 0;
  #bytes = 0;
  /** The offset after each line. @type {Float64Array<ArrayBuffer>} */
  #ends = new Float64Array(1024);
  #lines = 0;

  /** The number of settled answers. Only these can be read. */
  count = 0;
  /** The rows that are problems, counted from 0. @type {number[]} */
  problems = [];

  /**
   * Add received bytes. They can begin or end in the middle of a line.
   * @param {Uint8Array<ArrayBuffer>} bytes kept, not copied
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
   * Settle the next line as an answer or a problem.
   * @param {boolean} problem
   */
  settle(problem) {
    if (problem) this.problems.push(this.count);
    this.count += 1;
  }

  /** All settled lines, as received. */
  blob() {
    return this.#whole().slice(0, this.#end(this.count - 1), 'application/x-ndjson');
  }

  /**
   * Some settled lines as texts. Adjacent rows are read together.
   * @param {number[]} rows in ascending order
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

  /** All received bytes as one Blob. */
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
