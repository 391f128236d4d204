// How the page sends questions: which failures it retries and when, which it shows with a button to retry, and which answers are valid.
// The tests control the clock and replace the service.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Incomplete, Problem, Unreachable } from '../../web/arbiter.js';
import { Cancelled, Service } from '../../web/page/service.js';
import { Ask } from '../../web/pawn/ask.js';

/** A problem, as the load balancer or the service sends it. */
const problem = (status, headers = {}, type = 'about:blank') =>
  new Problem({ type, title: `title ${status}`, status, detail: `detail ${status}` }, new Headers(headers));

/** The error for no answer, or for an answer with this status that does not come from the service. */
const broken = (status = null) => new Unreachable('broken', { status });

/** Resolves when nothing is left to do except wait for the clock. */
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

/** Replaces the timers. Returns `advance(milliseconds)`, which moves the clock forward. */
function clockOf(t) {
  let now = 0;
  const timers = new Set();
  t.mock.method(globalThis, 'setTimeout', (act, milliseconds = 0) => {
    const timer = { act, at: now + milliseconds };
    timers.add(timer);
    return timer;
  });
  t.mock.method(globalThis, 'clearTimeout', (timer) => timers.delete(timer));
  return async (milliseconds) => {
    await settled();
    const end = now + milliseconds;
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      timers.delete(next);
      now = next.at;
      next.act();
      await settled();
    }
    now = end;
  };
}

/**
 * A page with one asker, whose questions have these outcomes, one after another: an error is thrown, 'silence' means that no answer
 * ever arrives, and any other string is the answer.
 */
function pageOf(t, outcomes) {
  const advance = clockOf(t), states = [];
  let asked = 0;
  const service = new Service((state) => states.push(state), {});
  const asker = service.latest(() => states.push(asker.state));
  const asking = async () => {
    const outcome = outcomes[asked];
    asked += 1;
    if (outcome instanceof Error) throw outcome;
    return outcome === 'silence' ? new Promise(() => {}) : outcome;
  };
  const answers = [];
  const ask = () => asker.ask(asking, ask).then((answer) => answers.push(answer));
  return { advance, states, service, asker, ask, answers, asked: () => asked, kinds: () => states.map((state) => state.kind ?? state) };
}

const after = (seconds) => ({ 'retry-after': String(seconds) });

for (const [name, error, least, most, kind] of [
  ['429 with Retry-After', problem(429, after(7)), 7000, 7000, 'busy'],
  ['429', problem(429), 250, 500, 'busy'],
  ['502', problem(502), 250, 500, 'busy'],
  ['503', problem(503, after(1), '/problems/overloaded'), 1000, 1000, 'busy'],
  ['504', problem(504), 250, 500, 'busy'],
  ['502 from a load balancer, in HTML', broken(502), 250, 500, 'busy'],
  ['a broken connection', broken(), 250, 500, 'gone'],
  ['an answer that was cut off', new Unreachable('broke off', { status: 200, cause: new TypeError('x') }), 250, 500, 'gone'],
  ['a stream that was cut off', new Incomplete(1, null, { status: 200 }), 250, 500, 'gone'],
  ['a stream whose second part failed with 503', new Incomplete(1, null, { status: 503, retryAfter: 3 }), 3000, 3000, 'busy'],
]) {
  test(`retried: ${name}`, async (t) => {
    const { advance, ask, answers, asked, kinds } = pageOf(t, [error, 'answer']);
    ask();
    await advance(least - 1);
    assert.deepEqual([asked(), answers, kinds().at(0)], [1, [], kind]);
    await advance(most - least + 1);
    assert.deepEqual([asked(), answers, kinds().at(-1)], [2, [{ result: 'answer' }], 'well']);
  });
}

test('the time of the next attempt is shown unless it is soon', async (t) => {
  t.mock.method(Date, 'now', () => 1000);
  const { advance, ask, states } = pageOf(t, [problem(429, after(600)), problem(429, after(1)), 'answer']);
  ask();
  await advance(601_000);
  const busy = states.filter(({ kind }) => kind === 'busy').map(({ at }) => at);
  assert.deepEqual(busy, [601_000, null]);
});

test('the pauses between attempts grow, and the page never stops retrying', async (t) => {
  const { advance, ask, answers, asked, kinds } = pageOf(t, [...Array(30).fill(broken()), 'answer']);
  ask();
  await advance(30 * 30_000);
  assert.deepEqual([asked(), answers.length], [31, 1]);
  assert.deepEqual(kinds(), ['gone', 'late', 'well']);
});

for (const [name, error] of [
  ['401 with an unknown type', problem(401)],
  ['408', problem(408)],
  ['500', problem(500, {}, '/problems/internal')],
  ['an HTML page from another server, with 403', broken(403)],
  ['a stream whose second part failed with 401', new Incomplete(1, null, { status: 401 })],
]) {
  test(`shown, and retried with the button: ${name}`, async (t) => {
    const { advance, states, asker, ask, answers, asked, kinds } = pageOf(t, [error, error, 'answer']);
    ask();
    await advance(60_000);
    assert.deepEqual([asked(), kinds(), asker.state], [1, ['failed'], 'failed']);
    assert.deepEqual([states[0].failure, answers], [error, [{ failure: error }]]);
    states[0].again();
    await advance(0);
    assert.deepEqual([asked(), kinds()], [2, ['failed', 'well', 'failed']]);
    states.at(-1).again();
    await advance(0);
    assert.deepEqual([asker.state, answers.at(-1), kinds().at(-1)], ['idle', { result: 'answer' }, 'well']);
    assert.ok(!states.some(({ back }) => back), 'nothing was unavailable');
  });
}

const html = new Unreachable('HTML', { status: 200 });
for (const [name, error] of [
  ['an HTML page with 200', html],
  ['no JSON', new Unreachable('no JSON', { status: 200, cause: new SyntaxError('x') })],
  ['204', broken(204)],
  ['a stream whose second part was HTML with 200', new Incomplete(1, html, { status: 200 })],
]) {
  test(`the answer does not come from the service: ${name}`, async (t) => {
    const { advance, ask, answers, asked, kinds } = pageOf(t, [error]);
    ask();
    await advance(60_000);
    assert.deepEqual([asked(), kinds(), answers[0]?.failure?.type], [1, ['failed'], '/problems/unfit-answer']);
  });
}

test('the errors of a problem are always a list of objects, whatever the answer contains', () => {
  for (const [errors, kept] of [['x', []], [null, []], [{ length: 1 }, []], [[null, 'x', { code: 'range' }], [{ code: 'range' }]]]) {
    assert.deepEqual(new Problem({ type: 'about:blank', title: 't', status: 422, errors }).errors, kept);
  }
});

test('if the question itself is refused, the refusal is its answer', async (t) => {
  for (const status of [400, 413, 422]) {
    const error = problem(status), { advance, ask, answers, kinds } = pageOf(t, [error]);
    ask();
    await advance(0);
    assert.deepEqual([answers, kinds()], [[{ problem: error }], []]);
    t.mock.restoreAll();
  }
});

test('a pending answer is reported as late, then as slow; it can be cancelled and requested again', async (t) => {
  const { advance, states, service, asker, ask, answers, kinds } = pageOf(t, ['silence', 'answer']);
  ask();
  await advance(499);
  assert.deepEqual([asker.state, kinds()], ['asked', []]);
  await advance(1);
  assert.deepEqual([asker.state, kinds()], ['late', ['late']]);
  await advance(4499);
  assert.deepEqual(kinds(), ['late']);
  await advance(1);
  assert.deepEqual(kinds(), ['late', 'slow']);
  service.cancel();
  await advance(0);
  assert.equal(kinds().at(-1), 'failed');
  assert.ok(states.at(-1).failure instanceof Cancelled && answers[0].failure instanceof Cancelled);
  states.at(-1).again();
  await advance(0);
  assert.deepEqual([answers.at(-1), kinds().at(-1), asker.state], [{ result: 'answer' }, 'well', 'idle']);
});

test('the wait for the next attempt can be cancelled too', async (t) => {
  const { advance, service, ask, asked, kinds } = pageOf(t, [problem(503, after(1000))]);
  ask();
  await advance(10_000);
  service.cancel();
  await advance(10_000_000);
  assert.deepEqual([asked(), kinds().at(-1)], [1, 'failed']);
});

test('a new question replaces one that is pending or has failed', async (t) => {
  const { advance, ask, answers, kinds } = pageOf(t, ['silence', problem(500), 'answer']);
  ask();
  ask();
  await advance(0);
  assert.deepEqual([answers[0], kinds()], [null, ['failed']]);
  ask();
  await advance(0);
  assert.deepEqual([answers.at(-1), kinds()], [{ result: 'answer' }, ['failed', 'well']]);
});

const POSITION = { board: ['O.O', '...', '.X.'], turn: 'Red' };

for (const [name, outcomes, known, states] of [
  ['an answer', [[{ verdict: 'Red' }]], 'result', []],
  ['422 for a line', [[{ problem: { status: 422, detail: '' } }]], 'problem', []],
  ['429 for the whole stream is retried', [problem(429, after(1)), [{ verdict: 'Red' }]], 'result', ['busy', 'well']],
  ['503 for a line is retried', [[{ problem: { status: 503, detail: '' } }], [{ verdict: 'Red' }]], 'result', ['busy', 'well']],
  ['500 for a line is not stored', [[{ problem: { status: 500, detail: '' } }]], undefined, ['failed']],
  ['413 for the whole stream is not stored', [problem(413)], undefined, ['failed']],
  ['401 is not stored', [problem(401)], undefined, ['failed']],
]) {
  test(`the answer for a position of the crossing pawn: ${name}`, async (t) => {
    const advance = clockOf(t), kinds = [];
    async function* stream() {
      const outcome = outcomes.shift();
      if (outcome instanceof Error) throw outcome;
      yield* outcome;
    }
    const answers = new Ask(new Service(({ kind }) => kinds.push(kind), { stream }), () => {});
    let came;
    answers.want([POSITION], () => {}).then((settledSo) => { came = settledSo; });
    await advance(1000);
    assert.equal(came, true);
    assert.deepEqual(kinds, states);
    assert.deepEqual(Object.keys(answers.get(POSITION) ?? {}), known ? [known] : []);
    answers.close();
  });
}
