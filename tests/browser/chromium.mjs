// The browser for tests and benchmarks.
//
// ARBITER_CHROMIUM  the path of the browser. The default is chromium-headless-shell, which needs half the processor time, or else
//                   chromium, both at their Debian paths

import { existsSync } from 'node:fs';

import { chromium } from 'playwright-core';

import { GIVE_UP } from '../server/client.mjs';

const PATH = process.env.ARBITER_CHROMIUM ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ?? '';

/** No request from a page leaves this machine, because no other host name is resolved. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync',
  '--disable-background-networking', '--disable-component-update', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.*'];

/** Why there is no browser; null if there is one. */
export const missing = existsSync(PATH) ? null : 'no browser';

/** Starts a browser; the caller closes it. */
export const launch = () => chromium.launch({ executablePath: PATH, args: ARGUMENTS, timeout: GIVE_UP });
