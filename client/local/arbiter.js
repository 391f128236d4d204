// `Arbiter` without a service: arbiter-client/local in browsers.

import { Arbiter as Client } from '../arbiter.js';
import { makePool } from './fetch.js';
import { localized } from './localized.js';

export * from '../arbiter.js';
export const Arbiter = localized(Client, makePool);
