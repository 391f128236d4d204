// The browser that tests and benches drive.
//
// ARBITER_CHROMIUM  the browser (default: chromium, where Debian puts it)

import { existsSync } from 'node:fs';

import { chromium } from 'playwright-core';

import { GIVE_UP } from '../server/client.mjs';

const PATH = process.env.ARBITER_CHROMIUM ?? '/usr/bin/chromium';

/** No request leaves this machine, whatever a page asks for: no name but its own is known. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync',
  '--disable-background-networking', '--disable-component-update', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.*'];

/** Why there is no browser here; null where there is one. */
export const missing = existsSync(PATH) ? null : 'no browser';

/** A browser of its own; close it. */
export const launch = () => chromium.launch({ executablePath: PATH, args: ARGUMENTS, timeout: GIVE_UP });
