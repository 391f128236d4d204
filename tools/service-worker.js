// Keeps the files of a site without a service, so that it starts without a network. tools/site.py puts it into the site's top folder, with
// the list of its files and a name that changes with any of their bytes. All files of a page come from the same version: a new version is
// stored completely, and used once no page of the old one is open.

const VERSION = '@VERSION@';
const FILES = ['@FILES@'];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })))));
});

self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith('arbiter-') && name !== VERSION));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || new URL(event.request.url).origin !== location.origin) return;
  const address = event.request.url.replace(/\/index\.html(?=[?#]|$)/, '/'); // the start page has two names
  const kept = caches.open(VERSION).then((cache) => cache.match(address, { ignoreSearch: true }));
  event.respondWith(kept.then((response) => response ?? fetch(event.request)));
});
