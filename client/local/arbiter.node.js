// `Arbiter` without a service: arbiter-client/local in Node.

import { Arbiter as Client } from '../arbiter.js';
import { makePool } from './fetch.node.js';
import { localized } from './localized.js';

export * from '../arbiter.js';
export const Arbiter = localized(Client, makePool);
