// The page: its frame, the current game, and the address, which is always a link to what's shown.

import { Unreachable } from '../arbiter.js';
import { Dropped } from './dropped.js';
import { clearContent, h, s, setContent } from './dom.js';
import { BadLink, readLink, writeLink } from './link.js';
import { local } from './local.js';
import { failureShown } from './problem.js';
import { numberOfDay, puzzleOf } from './puzzle.js';
import { remember, remembered } from './remember.js';
import { clearNote, note, notes, saying } from './say.js';
import { Service } from './service.js';
import { Share } from './share.js';
import { docsPage, language, LANGUAGES, pageOf, preferredLanguage, setLanguage, t } from './text.js';
import { keepToken } from './token.js';
import { button, select } from './ui.js';

/** @typedef {import('./service.js').Game} Game */

/**
 * The interface that the page offers to a game.
 * @typedef {object} Page
 * @property {Service} service
 * @property {Record<string, number>} limits       the limits of the service, by name
 * @property {() => void} changed                  call this after every visible change: it updates the link and the card Share
 * @property {(files: FileList | File[], how?: { asTable?: boolean }) => void} drop  handle files as if they had been dropped on the
 *   page; `asTable`: always in the panel, which solves every case in them
 * @property {(number?: number) => void} puzzle    show the puzzle with this number; by default, today's
 */

/**
 * The interface that a game offers to the page.
 * @typedef {object} Playground
 * @property {HTMLElement} element
 * @property {Session} session                     pass it to `open` to continue the game
 * @property {(file: File) => Promise<boolean>} [take]  show a file with a single record or case; false if the game can't
 * @property {(state: any) => void} [put]          show the state of a link in this session, so that undo returns from it; throws BadLink
 * @property {() => void} close                    remove the listeners outside the element
 */

/**
 * The state of a game.
 * @typedef {object} Session
 * @property {() => object} state            the state for a link; pass it to `open` to restore it. A puzzle has its number in `puzzle`
 * @property {number} part                   a number for the game that is shown: for another one, the browser's history gets an entry
 * @property {(part: number) => boolean} toPart  go to the last state of a game by undo or redo; false if that isn't possible
 * @property {() => object | null} question  the question to the service about what's on the screen; null if there is none
 * @property {() => void} close              cancel questions and timers, because the game leaves the page
 * @property {() => void} reopen             continue after `close`, when the game is back on the page
 */

/** @type {Record<Game, () => Promise<{ open: (page: Page, state: any, session?: any) => Playground }>>} */
const GAMES = {
  pawn: () => import('../pawn/pawn.js'),
  go: () => import('../go/go.js'),
  mine: () => import('../mine/mine.js'),
};

/** The style sheets that are loaded or loading. @type {Map<string, Promise<void>>} */
const styles = new Map();

/**
 * Load a style sheet, once. Like `import`, this rejects with TypeError if loading fails.
 * @param {string} name
 */
function loadStyle(name) {
  const loading = styles.get(name) ?? new Promise((/** @type {(_: void) => void} */ resolve, reject) => {
    const link = h('link', { rel: 'stylesheet', href: `web/${name}.css`, onload: () => resolve(), onerror: () => {
      link.remove();
      styles.delete(name);
      reject(new TypeError(`the style of ${name} could not be loaded`));
    } });
    document.head.append(link);
  });
  styles.set(name, loading);
  return loading;
}

/** Milliseconds without a change before the address is updated: browsers allow only a hundred updates in half a minute. */
const ADDRESS_DELAY = 400;

const MOST_HELD = 3;

/** The sign of an open folder. */
const FOLDER = 'M3 5h6l2 2h8v2H6l-3 8zM7 11h15l-3 8H4z';

/** Names for what is remembered for the next visit: the last game, and after its name, what was shown. */
const LAST_GAME = 'arbiter-game', LAST_SHOWN = 'arbiter-shown-';

const banner = h('div', { class: 'banner', role: 'alert', hidden: true });
/** The state of the service that the banner shows. @type {import('./service.js').ServiceState} */
let serviceState = { kind: 'well', back: false };
const place = h('main', { id: 'main', tabindex: -1 });

/** @type {Game} */
let game = 'pawn';
/** @type {Playground | null} */
let playground = null;
/**
 * The sessions that a tab or the browser's history can return to, by number; the current one is last. A tab returns to the latest session
 * of its game. A history entry stores the number of a session, and shows that session in its present state.
 * @type {Map<number, { game: Game, session: Session }>}
 */
const held = new Map();
/** The number of the session on the page. */
let onPage = 0;
/** @type {Share} */
let share;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let addressTimer;
/** Counts the calls of `open` and `openAddress`. If two overlap, the later one wins. */
let calls = 0;
/** The last call that finished loading, whether or not its game could be shown. */
let settledCall = 0;
/** The URL fragment for what's on the page; null at the start. @type {string | null} */
let address = null;
/** The number that the state of this entry of the browser's history has in kept.js; null if it has none. @type {number | null} */
let kept = null;
/** The state on the page, if the address doesn't have it yet. @type {object | null} */
let unwritten = null;
/** Counts the changes and the calls of `writeAddress`. If a call finds another number when its link is ready, that link is out of date. */
let writes = 0;
/** The game of the session that the current entry of the browser's history is for. */
let part = 0;

const service = new Service((state) => {
  const was = serviceState.kind;
  serviceState = state;
  showBanner();
  if (state.kind === 'well' && state.back && was !== 'slow') note(t('page.back')); // an answer that was merely slow needs no message
});

/** Loads the module of a game or of a language. */
const loader = service.latest();

/**
 * Describe the trouble, with the time of the next try if the service is busy.
 * @param {{ kind: import('./service.js').Trouble, at: number | null }} trouble
 */
function troubleWords({ kind, at }) {
  if (kind !== 'busy' || at === null) return t(`page.${kind}`);
  const seconds = Math.max(1, Math.ceil((at - Date.now()) / 1000)), time = new Date(at).toLocaleTimeString(document.documentElement.lang);
  return t(seconds < 120 ? 'page.busy-seconds' : 'page.busy-minutes', { count: seconds < 120 ? seconds : Math.ceil(seconds / 60), time });
}

function showBanner() {
  const focused = banner.contains(document.activeElement);
  banner.hidden = serviceState.kind === 'well';
  if (serviceState.kind === 'well') clearContent(banner);
  else if (serviceState.kind === 'failed') {
    const { failure, again } = serviceState;
    setContent(banner, failureShown(failure), 'status' in failure && failure.status === 401 ? tokenForm(again) : button(t('page.ask-again'), again));
  }
  else {
    setContent(banner, troubleWords(serviceState), serviceState.kind !== 'slow' && button(t('page.try-now'), () => service.hurry()),
      button(t('page.cancel'), () => service.cancel()));
  }
  if (focused) (/** @type {HTMLElement | null} */ (banner.querySelector('input, button')) ?? place).focus({ preventScroll: true });
}

/**
 * A form for the token that a gateway requires.
 * @param {() => void} again
 */
function tokenForm(again) {
  // Other characters aren't allowed in an HTTP header.
  const field = h('input', { type: 'password', pattern: ' *[!-~]* *', autocomplete: 'off' });
  return h('form', { class: 'row', onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    keepToken(field.value.trim());
    again();
  } }, h('label', { class: 'row' }, t('page.token'), field), h('button', {}, t('page.ask-again')));
}

/** @type {Page} */
const page = {
  service,
  limits: {},
  changed: () => {
    clearTimeout(addressTimer);
    writes += 1;
    if (!playground) return;
    const { session } = playground;
    if (session.part !== part && settledCall === calls) { // another game begins in this session
      leaveEntry();
      part = session.part;
      addEntry();
    }
    addressTimer = setTimeout(writeAddress, ADDRESS_DELAY);
    unwritten = session.state();
    share.show({ game, state: unwritten, question: session.question() });
  },
  drop: (files, { asTable = false } = {}) => {
    const chosen = [...files].filter(({ type }) => !type.startsWith('image/')), picture = [...files].find((file) => !chosen.includes(file));
    if (picture) note(t('dropped.picture', { name: picture.name }), 'bad');
    if (chosen.length === 0) return;
    if (asTable || chosen.length !== 1) dropped.take(chosen, game);
    else void receive(chosen[0]);
  },
  puzzle: (number = numberOfDay(Date.now())) => {
    // This never rejects: the number is valid, and `open` handles a list that fails to load.
    void enter(game, { puzzle: number }).then(() => {
      scrollTo(0, 0); // the task is above the board
      /** @type {HTMLElement | null} */ (place.querySelector('.grid'))?.focus({ preventScroll: true });
    });
  },
};
const dropped = new Dropped(page, (chosen, question) => show(chosen, { question, answers: true }),
  (fetching, again) => load(service.latest(), async () => (await Promise.all([fetching(), loadStyle('page/dropped')]))[0], again));

/**
 * Show a case from a file on the board of its game.
 * @param {Game} chosen
 * @param {object | undefined} state
 */
async function show(chosen, state) {
  try {
    await enter(chosen, state);
  } catch {
    return note(t('dropped.not-shown'), 'bad'); // a file can contain anything
  }
  place.scrollIntoView();
  place.focus({ preventScroll: true });
}

/**
 * Show a file: a single position or record on the board of its game, anything else in the panel.
 * @param {File} file
 * @param {boolean} [pasted] it may be any text
 */
async function receive(file, pasted = false) {
  try {
    const { detect, JSON_KIND } = await import('./kinds.js'), { kind, game: its, single, drawing } = await detect(file);
    if (single && its && drawing) return await enter(its, { question: await (await import('./cases.js')).caseAt(file, kind, 0, its) });
    if (single && its) {
      if (its !== game) await enter(its, undefined);
      if (await playground?.take?.(file)) return;
    }
    if (pasted && !its && kind !== JSON_KIND) return note(t('dropped.nothing-pasted'), 'bad');
    if (single && kind === JSON_KIND) return await enter(its ?? game, { question: JSON.parse(await file.text()) });
  } catch {
    // The panel reports what is wrong with the file.
  }
  dropped.take([file], game);
}

/**
 * Put the link to what's shown into the address bar. If the state is too large for a link, keep it in the browser; then the address
 * contains only the name of the game. A link takes a while: if the page has changed meanwhile, do nothing, because that change is written
 * by another call. If the user has changed the address, do nothing either, because `openAddress` handles that.
 */
async function writeAddress() {
  const write = (writes += 1), away = () => write !== writes || settledCall !== calls || location.hash !== address;
  if (!playground || away()) return;
  const state = playground.session.state(), link = await writeLink(game, state);
  if (away()) return;
  const number = link === null ? (kept ??= Date.now()) : null, written = number === null || await isKept(state, number);
  if (away()) return;
  kept = written ? number : null;
  unwritten = null;
  address = link ?? `#${game}`;
  history.replaceState({ session: onPage, part, kept }, '', address);
  rememberShown();
}

/** Remember what is shown for the next visit, and for a reload before the address has changed. */
function rememberShown() {
  if (!playground || settledCall !== calls) return;
  remember(LAST_GAME, game);
  remember(LAST_SHOWN + game, JSON.stringify({ hash: location.hash, ...(kept && !unwritten ? { kept } : { state: playground.session.state() }) }));
}

/** The user leaves this entry of the browser's history: if its address doesn't have the state yet, the entry keeps it. */
function leaveEntry() {
  try {
    if (unwritten) history.replaceState({ ...history.state, state: unwritten }, '');
  } catch {
    // It is too large. Back finds it all the same, unless the page is reloaded before.
  }
}

/** What's on the page gets an entry of its own in the browser's history, so that Back returns to the one before. */
function addEntry() {
  kept = null;
  history.pushState({ session: onPage, part }, '', `#${game}`);
  address = location.hash;
}

/**
 * Keep a state that is too large for a link.
 * @param {object} state
 * @param {number} number
 * @returns {Promise<boolean>} false if the browser can't keep it; then a reload shows the initial board
 */
async function isKept(state, number) {
  try {
    await (await import('./kept.js')).keep(game, state, number);
    return true;
  } catch {
    return false;
  }
}

/**
 * The state that was kept for an entry of the browser's history; undefined if there is none.
 * @param {Game} chosen
 * @param {number | null | undefined} number
 * @returns {Promise<object | undefined>}
 */
async function keptState(chosen, number) {
  try {
    return number ? await (await import('./kept.js')).read(chosen, number) : undefined;
  } catch {
    return undefined;
  }
}

/** What the last visit has left of a game. @returns {{ hash?: string, state?: object, kept?: number }} */
function lastShown(/** @type {Game} */ chosen) {
  try {
    return JSON.parse(remembered(LAST_SHOWN + chosen) ?? '{}');
  } catch {
    return {};
  }
}

/**
 * Load a module of the page. Returns null if the user cancelled it, or if loading another module has replaced it.
 * @template Part
 * @param {import('./service.js').Asker} asker
 * @param {() => Promise<Part>} fetching
 * @param {() => void} again
 */
async function load(asker, fetching, again) {
  const answer = await asker.ask(async () => {
    try {
      return await fetching();
    } catch (cause) {
      throw cause instanceof TypeError ? new Unreachable('part of the page could not be loaded', { cause }) : cause;
    }
  }, again);
  return answer?.result ?? null;
}

/**
 * The sessions kept for a game, with their numbers; the one shown most recently is last.
 * @param {Game} chosen
 */
const heldOf = (chosen) => [...held].filter(([, one]) => one.game === chosen);

/**
 * Keep the session that is now on the page. If its game has too many, drop the oldest.
 * @param {Game} chosen
 * @param {Session} session
 */
function hold(chosen, session) {
  const [known] = heldOf(chosen).find(([, one]) => one.session === session) ?? [];
  onPage = known ?? Math.random(); // not a counter, because history entries outlive a reload
  held.delete(onPage);
  held.set(onPage, { game: chosen, session });
  for (const [old] of heldOf(chosen).slice(0, -MOST_HELD)) held.delete(old);
}

/**
 * Show a game: in the given state, else in its last session, else in its initial state. For a puzzle, this loads the board. If the state
 * can't be shown, leave the page as it is, and reject with BadLink.
 * @param {Game} chosen
 * @param {object | undefined} state
 * @param {() => void} again
 * @param {Session | null} [session] the session to continue; null for none
 * @returns {Promise<boolean>} is the game shown?
 */
async function open(chosen, state, again, session = state ? undefined : heldOf(chosen).at(-1)?.[1].session) {
  const call = (calls += 1);
  if (session !== playground?.session) clearNote(); // it's about the previous board
  const fetching = async () => {
    const [module] = await Promise.all([GAMES[chosen](), loadStyle(`${chosen}/${chosen}`)]);
    return { module, given: state && 'puzzle' in state ? { ...state, board: await puzzleOf(chosen, state.puzzle) } : state };
  };
  const loaded = await load(loader, fetching, again);
  if (!loaded || call !== calls) return false;
  settledCall = call;
  const next = loaded.module.open(page, loaded.given, session);
  clearTimeout(addressTimer);
  playground?.close();
  const changed = playground?.session !== next.session; // if not, only the language has changed
  if (changed) playground?.session.close();
  game = chosen;
  part = next.session.part;
  share = new Share(service, page.changed);
  playground = next;
  hold(game, next.session);
  const focused = changed && place.contains(document.activeElement);
  setContent(place, playground.element, share.element);
  if (focused) /** @type {HTMLElement} */ (place.querySelector('.grid') ?? place).focus({ preventScroll: true });
  document.title = t('page.title', { game: t(`${game}.name`) });
  for (const link of document.querySelectorAll('nav [data-game]')) {
    if (/** @type {HTMLElement} */ (link).dataset.game === game) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (changed && session) session.reopen();
  page.changed();
  return true;
}

/**
 * Show a game, and add an entry to the browser's history, so that Back returns to what's on the page now.
 * @param {Game} chosen
 * @param {object | undefined} state
 * @param {null} [session] null: begin anew, even if the game has a session to continue
 */
async function enter(chosen, state, session) {
  if (chosen === game && state && 'question' in state && playground?.put) return playground.put(state);
  clearTimeout(addressTimer);
  await writeAddress(); // now, because this address is what Back returns to
  leaveEntry();
  if (await open(chosen, state, () => void show(chosen, state), session)) addEntry();
}

/**
 * The game named in a link; by default, the last one, or the first game.
 * @param {string} link
 * @returns {Game}
 */
function gameOf(link) {
  const [, name] = /^#?([^=]*)/.exec(link) ?? [];
  const wanted = name || remembered(LAST_GAME) || '';
  return Object.hasOwn(GAMES, wanted) ? /** @type {Game} */ (wanted) : 'pawn';
}

/** Show what the address links to: the session of this history entry, a state, or a game. */
async function openAddress() {
  const { session: number = onPage, part: wanted, kept: entryKept, state: left } = history.state ?? {}, its = held.get(history.state?.session);
  const same = wanted === undefined || wanted === its?.session.part;
  if (location.hash === address && number === onPage && same) return; // boards too large for a link share a fragment
  const reloaded = address === null, asked = address = location.hash, call = (calls += 1);
  kept = entryKept ?? null;
  const again = () => {
    address = null;
    void openAddress();
  };
  const chosen = its?.game ?? gameOf(asked);
  let state;
  try {
    if (number === onPage) part = wanted ?? part; // this entry exists
    const mine = its && (same || its.session.toPart(wanted)) ? its.session : undefined;
    const last = heldOf(chosen).length === 0 ? lastShown(chosen) : {};
    state = mine ? undefined : (reloaded && last.hash === asked && last.state) || (left ?? await readLink(asked) ?? await keptState(chosen, entryKept)
      ?? last.state ?? await keptState(chosen, last.kept));
    if (call !== calls || !await open(chosen, state, again, mine)) return; // a later call has replaced this one
    history.replaceState({ ...history.state, session: onPage, part }, '');
  } catch (error) {
    // A link can contain anything, so if there is an error with its state, the link is to blame.
    if (!(error instanceof BadLink) && state === undefined) throw error;
    if (address !== asked) return;
    await open(chosen, undefined, again);
    note(t('page.bad-link'), 'bad');
  }
}

/**
 * The properties of a link to a game. If that game is on the page, a click does nothing; with a modifier key, it still opens a new tab or
 * window.
 * @param {string} name
 */
const leadsTo = (name) => ({ href: `#${name}`, onclick: (/** @type {MouseEvent} */ event) => {
  if (name === game && settledCall === calls && isPlain(event)) event.preventDefault();
} });

/** @param {MouseEvent} event a click on a link: does it open the link here? */
const isPlain = ({ ctrlKey, metaKey, shiftKey, altKey }) => !ctrlKey && !metaKey && !shiftKey && !altKey;

/** The logo leads to the first game, as a visitor sees it first. @param {MouseEvent} event */
function goHome(event) {
  if (!isPlain(event)) return;
  event.preventDefault();
  void enter('pawn', undefined, null);
}

function drawFrame() {
  dropped.translate();
  showBanner();
  const files = h('input', { type: 'file', multiple: true, hidden: true, onchange: () => {
    if (files.files?.length) page.drop(files.files);
    files.value = '';
  } });
  const languages = select(LANGUAGES.map(([code, name]) => [code, name]), async () => {
    const change = async () => {
      const spoken = async () => {
        await setLanguage(languages.value, { chosen: true });
        return true;
      };
      if (!await load(loader, spoken, change)) return;
      const focused = document.activeElement === languages;
      drawFrame();
      if (focused) /** @type {HTMLElement} */ (document.querySelector('header select')).focus();
      await open(game, undefined, () => {});
    };
    await change();
  }, { 'aria-label': t('page.language') });
  languages.value = language();
  for (const option of languages.options) option.lang = option.value;
  notes.ariaLabel = t('page.messages');
  setContent(document.body,
    h('a', { class: 'skip', href: '#main', onclick: (/** @type {Event} */ event) => {
      event.preventDefault(); // keep the fragment, which is the link to the game
      /** @type {HTMLElement} */ (place.querySelector('.grid') ?? place).focus();
    } }, t('page.skip')),
    h('header', {},
      h('a', { class: 'brand', href: './', onclick: goHome }, h('img', { src: 'web/icon.svg', alt: '', width: 28, height: 28 }), t('page.name')),
      h('nav', { 'aria-label': t('page.games') }, Object.keys(GAMES).map((name) =>
        h('a', { 'data-game': name, ...leadsTo(name) }, h('span', { class: 'long' }, t(`${name}.name`)), h('span', { class: 'short' }, t(`${name}.short`))))),
      h('p', { class: 'soft' }, t('page.about')),
      h('div', { class: 'end' },
        button([s('svg', { class: 'sign', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: FOLDER })), h('span', {}, t('page.open-file'))],
          () => files.click(), { title: t('page.open-file') }), files, h('a', { href: pageOf('docs') }, t('page.docs')), languages)),
    banner, place, dropped.element, h('footer', {}, h('p', {}, t(local ? 'page.promise-local' : 'page.promise'), local && ` Arbiter ${local.version}`), h('p', { class: 'row' },
      [[pageOf('docs'), 'page.docs'], [docsPage('guides'), 'page.guides'], ['openapi.yaml', 'page.contract'], [docsPage('limits'), 'page.limits'], [docsPage('errors'), 'page.problems']].map(
        ([href, key]) => h('a', { href }, t(key))))),
    saying);
}

/** Open a board, a field or a record from the clipboard, unless a text field or the game has used it. @param {ClipboardEvent} event */
function paste(event) {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (event.defaultPrevented || text.trim() === '' || /** @type {Element} */ (event.target).closest?.('input, textarea')) return;
  event.preventDefault();
  void receive(new File([text], t('go.pasted')), true);
}

/** Accept files dropped anywhere. While a file is dragged over the page, the page shows a border. */
function listenForFiles() {
  const held = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') ?? false;
  addEventListener('dragover', (event) => {
    if (!held(event)) return;
    event.preventDefault();
    document.body.classList.add('dragging');
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) document.body.classList.remove('dragging');
  });
  addEventListener('drop', (event) => {
    document.body.classList.remove('dragging');
    if (!held(event)) return;
    event.preventDefault();
    if (event.dataTransfer) page.drop(event.dataTransfer.files);
  });
}

// Load the game along with the texts. If that fails, `open` tries again.
const asked = gameOf(location.hash);
for (const loading of [GAMES[asked](), loadStyle(`${asked}/${asked}`)]) loading.catch(() => {});
await setLanguage(preferredLanguage());
drawFrame();
listenForFiles();
addEventListener('paste', paste);
addEventListener('popstate', openAddress); // also fires after a click on a fragment link
addEventListener('pagehide', rememberShown);
addEventListener('online', () => service.hurry());
service.keepAsking((signal) => service.arbiter.limits({ signal }), { patient: true })
  .then((limits) => Object.assign(page.limits, limits), () => {}); // a game that needs the limits requests them again
await openAddress();
