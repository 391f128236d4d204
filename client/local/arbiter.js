// `Arbiter` without a service: arbiter-client/local in browsers.
import { host } from './host.js';
import { localized } from './localized.js';

export * from '../arbiter.js';
export const Arbiter = localized(host);
