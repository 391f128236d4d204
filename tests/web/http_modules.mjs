// Hooks that let Node import modules over HTTP, as browsers do, so that tests run the files that the program serves:
//
//     register('../web/http_modules.mjs', import.meta.url);
//     const { Arbiter } = await import(`http://127.0.0.1:${port}/web/arbiter.js`);

const overHttp = (url) => url?.startsWith('http://') === true;

/** Resolves a specifier relative to the importing module. */
export async function resolve(specifier, context, next) {
  if (overHttp(specifier)) return { url: specifier, format: 'module', shortCircuit: true };
  if (!overHttp(context.parentURL)) return next(specifier, context);
  return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
}

/** Loads a module over HTTP; accepts only what a browser would run as a module. */
export async function load(url, context, next) {
  if (!overHttp(url)) return next(url, context);
  const response = await fetch(url);
  const type = response.headers.get('content-type');
  if (!response.ok || !type.startsWith('text/javascript')) throw new Error(`${url}: ${response.status}, ${type}`);
  return { source: await response.text(), format: 'module', shortCircuit: true };
}
