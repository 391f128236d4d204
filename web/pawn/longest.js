// The longest wins known, by size. They were found by searching: boards at random, changed a little again and again, of which the one
// with the later end was kept. Whether longer ones exist nobody knows. A test asks the program about each.

/** @typedef {import('./record.js').Position & { verdict: 'Red' | 'Black', steps: number }} Known */

/** @type {readonly Known[]} */
export const LONGEST = [
  { board: ['.OO', '.##', '.X.'], turn: 'Red', verdict: 'Red', steps: 9 },
];
