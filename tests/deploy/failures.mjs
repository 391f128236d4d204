// What may befall a cluster while it is asked.

import { until } from '../server/client.mjs';
import { DRAIN_DELAY } from './cluster.mjs';
import { Load } from './load.mjs';

export const OPTIONS = ['--drain-delay', DRAIN_DELAY, '--workers', 1, '--log-level', 'warn'];

/** Each brings it about in a cluster of three, and is done when all is well again. */
export const FAILURES = {
  async 'SIGKILL of one'(cluster) {
    const [address, replica] = cluster.one();
    replica.signal('SIGKILL');
    await replica.exit;
    await cluster.up(2);
    await cluster.start(address);
    await cluster.up(3);
  },
  // SIGKILL is what an orchestrator does to a replica that does not answer /livez.
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
 * Brings one about `times` times under load, before and after at least `requests` / 2 requests each time: what became of
 * them (see Load), and how many the balancer asked twice.
 */
export async function undergo(cluster, name, { requests, times = 1, ...settings }) {
  const before = cluster.balancer.askedTwice;
  const load = await Load.start(cluster, settings);
  const more = (count, from = load.results.length) =>
    until(`${count} more requests are answered`, () => load.results.length >= from + count);
  for (let time = 0; time < times; time += 1) {
    await more(requests / 2);
    await FAILURES[name](cluster);
    await more(requests / 2);
  }
  return { name, ...await load.stop(), retried: cluster.balancer.askedTwice - before };
}
