// Failures of a cluster under load.

import { until } from '../server/client.mjs';
import { DRAIN_DELAY } from './cluster.mjs';
import { Load } from './load.mjs';

export const OPTIONS = ['--drain-delay', DRAIN_DELAY, '--workers', 1, '--log-level', 'warn'];

/** Each failure is a function that takes a cluster of three replicas and resolves when all of them serve again. */
export const FAILURES = {
  async 'SIGKILL of one'(cluster) {
    const [address, replica] = cluster.one();
    replica.signal('SIGKILL');
    await replica.exit;
    await cluster.up(2);
    await cluster.start(address);
    await cluster.up(3);
  },
  // An orchestrator sends SIGKILL to a replica that does not answer /livez.
  async 'SIGSTOP of two, then SIGCONT of one and SIGKILL of the other'(cluster) {
    const [[, continued], [address, killed]] = cluster.replicas;
    continued.signal('SIGSTOP');
    killed.signal('SIGSTOP');
    await cluster.up(1);
    continued.signal('SIGCONT');
    killed.signal('SIGKILL');
    await killed.exit;
    await cluster.up(2);
    await cluster.start(address);
    await cluster.up(3);
  },
  async 'rolling restart of all'(cluster) {
    for (const address of [...cluster.replicas.keys()]) {
      await cluster.restart(address);
      await cluster.up(3);
    }
  },
  async 'one added, one removed'(cluster) {
    const [address] = cluster.one();
    await cluster.add();
    await cluster.up(4);
    await cluster.remove(address);
    await cluster.up(3);
  },
};

/**
 * Causes a failure `times` times under load, with at least `requests` / 2 requests before and after each failure. Returns the results
 * of all requests (see Load) and the number of requests that the balancer retried.
 */
export async function runFailure(cluster, name, { requests, times = 1, ...settings }) {
  const before = cluster.balancer.sentTwice;
  const load = await Load.start(cluster, settings);
  const more = (count, from = load.results.length) =>
    until(`${count} more requests are answered`, () => load.results.length >= from + count);
  for (let time = 0; time < times; time += 1) {
    await more(requests / 2);
    await FAILURES[name](cluster);
    await more(requests / 2);
  }
  return { name, ...await load.stop(), retried: cluster.balancer.sentTwice - before };
}
