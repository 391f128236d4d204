// The browser for tests and benches.
//
// ARBITER_CHROMIUM  the browser (default: chromium-headless-shell, which takes half the processor time, or chromium, at Debian's paths)

import { existsSync } from 'node:fs';

import { chromium } from 'playwright-core';

import { GIVE_UP } from '../server/client.mjs';

const PATH = process.env.ARBITER_CHROMIUM ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ?? '';

/** No request of a page leaves this machine: no other name is resolved. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync',
  '--disable-background-networking', '--disable-component-update', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.*'];

/** The reason why there is no browser; null if there is one. */
export const missing = existsSync(PATH) ? null : 'no browser';

/** Starts a browser; the caller closes it. */
export const launch = () => chromium.launch({ executablePath: PATH, args: ARGUMENTS, timeout: GIVE_UP });
