// The dashboard in docker/grafana: each query uses metrics and labels that the program or HAProxy exports, and Prometheus can parse
// it. Grafana itself is not run here.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { parse } from 'yaml';

import { askAllKinds } from '../server/all_kinds.mjs';
import { ask } from '../server/client.mjs';
import { OPS_PORT } from '../server/network.mjs';
import { Cluster, DOCKER, missing } from './cluster.mjs';
import { askOnce } from './load.mjs';

const read = (name) => readFileSync(join(DOCKER, name), 'utf8');
const dashboard = JSON.parse(read('grafana/arbiter.json'));
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
/** The queries, with values in place of variables, as Grafana sends them. */
const queries = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({
  title, expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
})));

/** The names of the samples in a metrics text, each mapped to its labels and their values. */
function readSamples(text) {
  const found = new Map();
  for (const line of text.split('\n').filter((one) => /^[a-z]/.test(one))) {
    const [, name, list = ''] = /^([a-z_]+)(?:\{(.*)\})? /.exec(line);
    if (!found.has(name)) found.set(name, new Map());
    for (const [, label, value] of list.matchAll(/([a-z]+)="([^"]*)"/g)) {
      const labels = found.get(name);
      if (!labels.has(label)) labels.set(label, new Set());
      labels.get(label).add(value);
    }
  }
  return found;
}

test('every query uses metrics and labels that exist', missing('haproxy', 'openssl'), async () => {
  const cluster = await Cluster.start({ count: 1 });
  try {
    const [address, replica] = cluster.one();
    await askAllKinds({ ask: (request) => replica.ask(request, { address }) });
    assert.equal((await askOnce(cluster.port, { target: '/livez' }, { ca: cluster.certificate })).status, 200);
    const texts = [await ask(OPS_PORT, { target: '/metrics' }, { address }), await ask(cluster.metrics, { target: '/metrics' })];
    const samples = readSamples(texts.map((answer) => answer.text()).join('\n'));
    for (const { title, expr } of queries) {
      const metrics = [...expr.matchAll(/\b((?:arbiter|process|haproxy)_[a-z_]+)(?:\{([^}]*)\})?/g)];
      assert.ok(metrics.length > 0, `${title}: ${expr}`);
      const grouped = [...expr.matchAll(/ by \(([^)]*)\)/g)].flatMap(([, list]) => list.split(', '));
      for (const [, name, matchers = ''] of metrics) {
        const labels = samples.get(name) ?? assert.fail(`${title}: there is no ${name}`);
        for (const label of grouped) assert.ok(label === 'instance' || labels.has(label), `${title}: ${name} has no ${label}`);
        for (const [, label, sign, value] of matchers.matchAll(/([a-z]+)(=~?)"([^"]*)"/g)) {
          if (label === 'instance') continue;
          const fits = (one) => (sign === '=' ? one === value : new RegExp(`^(?:${value})$`).test(one));
          assert.ok([...labels.get(label) ?? []].some(fits), `${title}: ${name} has no ${label}${sign}${value}`);
        }
      }
    }
  } finally {
    await cluster.stop();
  }
});

test('Prometheus can parse every query', missing('promtool'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-dashboard-'));
  const check = (exprs) => {
    const rules = exprs.map((expr, index) => ({ record: `query:${index}`, expr }));
    const file = join(folder, 'rules.json'); // JSON is also YAML
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));
    return spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
  };
  const { status, stdout, stderr } = check(queries.map(({ expr }) => expr));
  assert.equal(status, 0, stdout + stderr);
  assert.notEqual(check(['sum by (']).status, 0, 'a wrong query is refused');
  rmSync(folder, { recursive: true });
});

test('the dashboard shows traffic, errors, latency, saturation and refusals, in panels that do not overlap', () => {
  const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
  assert.deepEqual(rows, ['Traffic and errors', 'Latency by lane', 'Saturation', 'Refusals', 'Balancer (HAProxy)']);
  assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
  const taken = new Set();
  for (const { title, gridPos: { x, y, w, h } } of dashboard.panels) {
    assert.ok(x + w <= 24, title);
    for (let column = x; column < x + w; column += 1) {
      for (let line = y; line < y + h; line += 1) {
        assert.ok(!taken.has(`${column} ${line}`), `${title} overlaps another panel`);
        taken.add(`${column} ${line}`);
      }
    }
  }
});

test('the Grafana files agree, and the cluster mounts them', () => {
  const { datasources: [source] } = parse(read('grafana/datasource.yaml'));
  const { providers: [provider] } = parse(read('grafana/dashboards.yaml'));
  for (const { title, datasource, targets } of panels) {
    assert.deepEqual(datasource, { type: 'prometheus', uid: source.uid }, title);
    assert.ok(targets.every(({ legendFormat }) => legendFormat !== ''), title);
  }
  const { services } = parse(read('compose.cluster.yaml'), { merge: true });
  assert.ok(services.prometheus && source.url === 'http://prometheus:9090');
  const mounted = new Map(services.grafana.volumes.map((volume) => volume.split(':')).map(([from, to]) => [to, from]));
  assert.equal(mounted.get(`${provider.options.path}/arbiter.json`), './grafana/arbiter.json');
  assert.equal(mounted.get(services.grafana.environment.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH), './grafana/arbiter.json');
  assert.equal(mounted.get('/etc/grafana/provisioning/datasources/arbiter.yaml'), './grafana/datasource.yaml');
  assert.equal(mounted.get('/etc/grafana/provisioning/dashboards/arbiter.yaml'), './grafana/dashboards.yaml');
});

test('Grafana has no user who can change anything, and sends no requests to the Internet', () => {
  const { services: { grafana: { environment } } } = parse(read('compose.cluster.yaml'), { merge: true });
  const expected = {
    GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true', // its default password is public knowledge
    GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
    GF_ANALYTICS_REPORTING_ENABLED: 'false',
    GF_ANALYTICS_CHECK_FOR_UPDATES: 'false',
    GF_ANALYTICS_CHECK_FOR_PLUGIN_UPDATES: 'false',
    GF_NEWS_NEWS_FEED_ENABLED: 'false',
    GF_PLUGINS_PREINSTALL_DISABLED: 'true', // since version 11.3, Grafana downloads plugins at startup
  };
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, environment[name]])), expected);
});

test('metrics that other programs also export are queried for the replicas only', () => {
  for (const { title, expr } of queries.filter(({ expr }) => /\bprocess_/.test(expr))) {
    assert.match(expr, / and on \(instance\) arbiter_build_info$/, title);
  }
});
