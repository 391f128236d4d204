// A strict parser for the samples in /metrics.

import assert from 'node:assert/strict';

import { ask, until } from './client.mjs';

const SAMPLE = /^([a-z_]+)(?:\{([^}]*)\})? (\S+)$/;

/** Parses a metrics text; returns a map from each sample's name and labels to its value. */
function read(text) {
  const samples = new Map();
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? assert.fail(`no sample: ${line}`);
    const key = labels === '' ? name : `${name}{${labels}}`;
    assert.ok(!samples.has(key), `${key} is there twice`);
    assert.ok(Number.isFinite(Number(value)) && Number(value) >= 0, line);
    samples.set(key, Number(value));
  }
  return samples;
}

/** Fetches a program's metrics from this port. */
export async function metricsAt(port, options) {
  const answer = await ask(port, { target: '/metrics' }, options);
  assert.equal(answer.status, 200, `${answer}`);
  assert.equal(answer.header('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  return read(answer.text());
}

/** The samples of a metric, each as [labels, value]. */
export function samplesOf(samples, name) {
  return [...samples].filter(([key]) => key === name || key.startsWith(`${name}{`))
    .map(([key, value]) => [Object.fromEntries([...key.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, label, of]) => [label, of])), value]);
}

/** The number of refused requests for each reason, leaving out zeros. */
export async function refusalsAt(port) {
  const all = samplesOf(await metricsAt(port), 'arbiter_refusals_total').map(([{ reason }, count]) => [reason, count]);
  return Object.fromEntries(all.filter(([, count]) => count !== 0));
}

/** The nonzero metrics as text, except those that measure time. */
export function describe(samples) {
  const known = [...samples].filter(([key, value]) => value !== 0 && !key.includes('_seconds'));
  return known.map(([key, value]) => `${key} ${value}`).join(', ');
}

/** Waits until `look` returns true for the metrics from the ops port. It is passed a function that maps a sample's key to its value. */
export async function untilMetrics(arbiter, what, look) {
  let samples;
  try {
    await until(what, async () => {
      samples = await metricsAt(arbiter.opsPort);
      return look((key) => samples.get(key) ?? assert.fail(`no sample ${key}`));
    });
  } catch (error) {
    error.message += `\n(the last metrics that are not 0: ${describe(samples ?? [])})`;
    throw error;
  }
}

/** Whether no worker is busy and no job is waiting. `at` is the function that `untilMetrics` passes. */
export function areWorkersIdle(at) {
  return ['short', 'long'].every((lane) => at(`arbiter_workers_busy{lane="${lane}"}`) === 0 && at(`arbiter_queue_jobs{lane="${lane}"}`) === 0);
}

/** Waits until no worker is busy and no job is waiting. Jobs of a stream held up by a slow reader don't count. */
export function untilWorkersIdle(arbiter) {
  return untilMetrics(arbiter, 'the workers are idle', areWorkersIdle);
}
