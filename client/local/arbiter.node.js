// `Arbiter` without a service: arbiter-client/local in Node.
import { host } from './host.node.js';
import { localized } from './localized.js';

export * from '../arbiter.js';
export const Arbiter = localized(host);
