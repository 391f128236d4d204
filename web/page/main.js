// The page: its frame, the game on it, and the address, which is a link to what is shown.

import { Unreachable } from '../arbiter.js';
import { Dropped } from './dropped.js';
import { clearContent, h, setContent } from './dom.js';
import { detect, JSON_KIND } from './kinds.js';
import { BadLink, readLink, writeLink } from './link.js';
import { failureShown } from './problem.js';
import { numberOfDay, puzzleOf } from './puzzle.js';
import { clearNote, note, notes, saying } from './say.js';
import { Service } from './service.js';
import { Share } from './share.js';
import { docsPage, language, LANGUAGES, preferredLanguage, setLanguage, t } from './text.js';
import { keepToken } from './token.js';
import { button, select } from './ui.js';

/** @typedef {import('./service.js').Game} Game */

/**
 * The members of the page that a game uses.
 * @typedef {object} Page
 * @property {Service} service
 * @property {Record<string, number>} limits       the limits of the service, by name
 * @property {() => void} changed                  call this after a change on the screen: it updates the link and the question
 * @property {(files: FileList | File[], how?: { asTable?: boolean }) => void} drop  take files, as if they were dropped on the page;
 *   `asTable`: always into the panel, which answers each of their cases
 * @property {(number?: number) => void} puzzle    show the puzzle of this number; of today if absent
 */

/**
 * The members of a game that the page uses.
 * @typedef {object} Playground
 * @property {HTMLElement} element
 * @property {Session} session                     `open` with it continues the game
 * @property {(file: File) => Promise<boolean>} [take]  a file with one record or case was dropped; true: the game shows it
 * @property {() => void} close                    remove the listeners outside the element
 */

/**
 * The state of a game.
 * @typedef {object} Session
 * @property {() => object} state            the state in a link; `open` with it shows the same. For a puzzle: `puzzle`, its number
 * @property {() => object | null} question  a question to the service about what is on the screen; null: none
 * @property {() => void} close              cancel questions and timers: the game is no longer on the page
 * @property {() => void} reopen             continue after `close`, on the page again
 */

/** @type {Record<Game, () => Promise<{ open: (page: Page, state: any, session?: any) => Playground }>>} */
const GAMES = {
  pawn: () => import('../pawn/pawn.js'),
  go: () => import('../go/go.js'),
  mine: () => import('../mine/mine.js'),
};

/** The styles of the games, as they are loaded. @type {Map<Game, Promise<void>>} */
const styles = new Map();

/**
 * Load the style of a game, once. Rejects with TypeError if it cannot be loaded, as `import` does.
 * @param {Game} name
 */
function loadStyle(name) {
  const loading = styles.get(name) ?? new Promise((/** @type {(_: void) => void} */ resolve, reject) => {
    const link = h('link', { rel: 'stylesheet', href: `web/${name}/${name}.css`, onload: () => resolve(), onerror: () => {
      link.remove();
      styles.delete(name);
      reject(new TypeError(`the style of ${name} could not be loaded`));
    } });
    document.head.append(link);
  });
  styles.set(name, loading);
  return loading;
}

/** Milliseconds without a change before the address is updated: browsers allow a hundred updates in half a minute. */
const ADDRESS_DELAY = 400;

/** The most sessions of each game that the page holds. */
const MOST_HELD = 3;

const banner = h('div', { class: 'banner', role: 'alert', hidden: true });
/** The state of the service that the banner shows. @type {import('./service.js').ServiceState} */
let serviceState = { kind: 'well', back: false };
const place = h('main', { id: 'main', tabindex: -1 });

/** @type {Game} */
let game = 'pawn';
/** @type {Playground | null} */
let playground = null;
/**
 * The sessions that a tab or the browser's history can lead back to, by number; the one on the page is the last. A tab leads to the last
 * session of its game. An entry of the history has the number of its session, and shows it as it is now.
 * @type {Map<number, { game: Game, session: Session }>}
 */
const held = new Map();
/** The number of the session on the page. */
let onPage = 0;
/** @type {Share} */
let share;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let addressTimer;
/** The number of calls of `open` or `openAddress`. If two overlap, the later one wins. */
let calls = 0;
/** The call whose game is on the page, or could not be shown. */
let settledCall = 0;
/** The fragment of the address of what is on the page; null at the start. @type {string | null} */
let address = null;
/** The number of the state in kept.js; null if the link holds the state. @type {number | null} */
let kept = null;

const service = new Service((state) => {
  const was = serviceState.kind;
  serviceState = state;
  showBanner();
  if (state.kind === 'well' && state.back && was !== 'slow') note(t('page.back')); // no message after an answer that was only slow
});

/** Loads the module of a game or of a language. */
const loader = service.latest();

/**
 * The trouble in words. If the service is busy, with the time of the next try.
 * @param {{ kind: import('./service.js').Trouble, at: number | null }} trouble
 */
function troubleWords({ kind, at }) {
  if (kind !== 'busy' || at === null) return t(`page.${kind}`);
  const seconds = Math.max(1, Math.ceil((at - Date.now()) / 1000)), time = new Date(at).toLocaleTimeString(document.documentElement.lang);
  return t(seconds < 120 ? 'page.busy-seconds' : 'page.busy-minutes', { count: seconds < 120 ? seconds : Math.ceil(seconds / 60), time });
}

/** Write the banner: the state of the service, and buttons. */
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
  // An HTTP header cannot contain other characters.
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
    addressTimer = setTimeout(writeAddress, ADDRESS_DELAY);
    if (playground) share.show({ game, state: playground.session.state(), question: playground.session.question() });
  },
  drop: (files, { asTable = false } = {}) => {
    const chosen = [...files];
    if (asTable || chosen.length !== 1) dropped.take(chosen, game);
    else void receive(chosen[0]);
  },
  puzzle: (number = numberOfDay(Date.now())) => {
    // This never rejects: the number is valid, and `open` handles a list that does not load.
    void enter(game, { puzzle: number }).then(() => {
      place.scrollIntoView(); // the task stands above the board
      /** @type {HTMLElement | null} */ (place.querySelector('.grid'))?.focus({ preventScroll: true });
    });
  },
};
const dropped = new Dropped(page, (chosen, question) => show(chosen, { question }),
  (fetching, again) => load(service.latest(), fetching, again));

/**
 * Show a state from a file on the board of its game.
 * @param {Game} chosen
 * @param {object | undefined} state
 */
async function show(chosen, state) {
  try {
    await enter(chosen, state);
  } catch {
    return note(t('dropped.not-shown'), 'bad'); // the file may contain anything
  }
  place.scrollIntoView();
  place.focus({ preventScroll: true });
}

/**
 * Show a file: one position or record on the board of its game, anything else in the panel.
 * @param {File} file
 */
async function receive(file) {
  try {
    const { kind, game: its, single } = await detect(file);
    if (single && its) {
      if (its !== game) await enter(its, undefined);
      if (await playground?.take?.(file)) return;
    }
    if (single && kind === JSON_KIND) return await enter(its ?? game, { question: JSON.parse(await file.text()) });
  } catch {
    // The panel reports what is wrong with the file.
  }
  dropped.take([file], game);
}

/**
 * Write the link to what is shown into the address. If a state is too large for a link, it is kept in the browser, and the address has
 * only the name of the game. If the reader has changed the address meanwhile, do nothing: `openAddress` follows.
 */
async function writeAddress() {
  const away = () => settledCall !== calls || location.hash !== address;
  if (!playground || away()) return;
  const state = playground.session.state(), link = await writeLink(game, state);
  const number = link === null ? await keptAs(state) : null;
  if (away()) return;
  kept = number;
  address = link ?? `#${game}`;
  history.replaceState({ session: onPage, kept }, '', address);
}

/**
 * Keep a state that is too large for a link.
 * @param {object} state
 * @returns {Promise<number | null>} its number; null if the browser cannot keep it
 */
async function keptAs(state) {
  try {
    return await (await import('./kept.js')).keep(game, state, kept);
  } catch {
    return null; // then a reload shows the first board
  }
}

/**
 * The state kept for the current entry of the browser's history; undefined if there is none.
 * @param {Game} chosen
 * @returns {Promise<object | undefined>}
 */
async function keptState(chosen) {
  if (!history.state?.kept) return undefined;
  try {
    return await (await import('./kept.js')).read(chosen, history.state.kept);
  } catch {
    return undefined;
  }
}

/**
 * Load a module of the page; null: it was cancelled, or replaced by another.
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
 * The sessions of a game that the page holds, with their numbers; the last shown is the last.
 * @param {Game} chosen
 */
const heldOf = (chosen) => [...held].filter(([, one]) => one.game === chosen);

/**
 * Hold the session that is now on the page, and drop the oldest of its game if there are too many.
 * @param {Game} chosen
 * @param {Session} session
 */
function hold(chosen, session) {
  const [known] = heldOf(chosen).find(([, one]) => one.session === session) ?? [];
  onPage = known ?? Math.random(); // unique, because an entry of the history may be older than the last reload
  held.delete(onPage);
  held.set(onPage, { game: chosen, session });
  for (const [old] of heldOf(chosen).slice(0, -MOST_HELD)) held.delete(old);
}

/**
 * Show a game: at this state, or continue its last session, or begin with its first state. The board of a puzzle is loaded. If the state
 * cannot be shown, the page stays as it is, and this rejects with BadLink.
 * @param {Game} chosen
 * @param {object | undefined} state
 * @param {() => void} again
 * @param {Session} [session] the session to continue
 * @returns {Promise<boolean>} whether it is shown
 */
async function open(chosen, state, again, session = state ? undefined : heldOf(chosen).at(-1)?.[1].session) {
  const call = (calls += 1);
  if (session !== playground?.session) clearNote(); // it is about the board before
  const fetching = async () => {
    const [module] = await Promise.all([GAMES[chosen](), loadStyle(chosen)]);
    return { module, given: state && 'puzzle' in state ? { ...state, board: await puzzleOf(chosen, state.puzzle) } : state };
  };
  const loaded = await load(loader, fetching, again);
  if (!loaded || call !== calls) return false;
  settledCall = call;
  const next = loaded.module.open(page, loaded.given, session);
  kept = null;
  clearTimeout(addressTimer);
  playground?.close();
  const changed = playground?.session !== next.session; // if not, only the language has changed
  if (changed) playground?.session.close();
  game = chosen;
  share = new Share(service);
  playground = next;
  hold(game, next.session);
  setContent(place, playground.element, share.element);
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
 * Show a game, and add an entry to the browser's history: Back leads to what is on the page now.
 * @param {Game} chosen
 * @param {object | undefined} state
 */
async function enter(chosen, state) {
  clearTimeout(addressTimer);
  await writeAddress(); // now, because the address of this board becomes an entry of the history
  if (!await open(chosen, state, () => void show(chosen, state))) return;
  history.pushState({ session: onPage }, '', `#${chosen}`);
  address = location.hash;
}

/**
 * The game that a link names; the first game if it names none.
 * @param {string} link
 * @returns {Game}
 */
function gameOf(link) {
  const [, name] = /^#?([^=]*)/.exec(link) ?? [];
  return name && Object.hasOwn(GAMES, name) ? /** @type {Game} */ (name) : 'pawn';
}

/** Show what the address links to: the session of this entry of the history, a state, or a game. */
async function openAddress() {
  const number = history.state?.session ?? onPage, mine = held.get(history.state?.session);
  if (location.hash === address && number === onPage) return; // boards that are too large for a link have the same fragment
  const asked = address = location.hash, call = (calls += 1);
  const again = () => {
    address = null;
    void openAddress();
  };
  const chosen = gameOf(asked);
  let state;
  try {
    state = mine ? undefined : await readLink(asked) ?? await keptState(chosen);
    if (call !== calls || !await open(chosen, state, again, mine?.session)) return; // a later call has replaced this one
    history.replaceState({ ...history.state, session: onPage }, '');
  } catch (error) {
    // A link may contain anything. If its state causes an error, the link is at fault.
    if (!(error instanceof BadLink) && state === undefined) throw error;
    if (address !== asked) return;
    await open(chosen, undefined, again);
    note(t('page.bad-link'), 'bad');
  }
}

/**
 * The properties of a link to a game. If the game is on the page, a click does nothing; with a key held, it opens another tab or window.
 * @param {string} name
 */
const leadsTo = (name) => ({ href: `#${name}`, onclick: (/** @type {MouseEvent} */ event) => {
  const here = name === game && settledCall === calls;
  if (here && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) event.preventDefault();
} });

/** Write the frame of the page, in the current language. */
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
      event.preventDefault(); // keep the fragment: it is the link to the game
      /** @type {HTMLElement} */ (place.querySelector('.grid') ?? place).focus();
    } }, t('page.skip')),
    h('header', {},
      h('a', { class: 'brand', ...leadsTo('pawn') }, h('img', { src: 'web/icon.svg', alt: '', width: 28, height: 28 }), t('page.name')),
      h('nav', { 'aria-label': t('page.games') }, Object.keys(GAMES).map((name) =>
        h('a', { 'data-game': name, ...leadsTo(name) }, t(`${name}.name`)))),
      h('div', { class: 'end row' },
        button(t('page.open-file'), () => files.click()), files,
        h('a', { href: 'docs' }, t('page.docs')), languages)),
    banner, place, dropped.element, h('footer', {}, h('p', {}, t('page.promise')), h('p', { class: 'row' },
      [[docsPage('guides'), 'page.guides'], ['openapi.yaml', 'page.contract'], [docsPage('limits'), 'page.limits'], [docsPage('errors'), 'page.problems']].map(
        ([href, key]) => h('a', { href }, t(key))))),
    saying);
}

/** Accept files dropped anywhere. While one is dragged over the page, the page has a border. */
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

// Starts to load with the texts; `open` tries again after a failure.
for (const loading of [GAMES[gameOf(location.hash)](), loadStyle(gameOf(location.hash))]) loading.catch(() => {});
await setLanguage(preferredLanguage());
drawFrame();
listenForFiles();
addEventListener('popstate', openAddress); // also after a click on a link to a fragment
addEventListener('online', () => service.hurry());
service.keepAsking((signal) => service.arbiter.limits({ signal }), { patient: true })
  .then((limits) => Object.assign(page.limits, limits), () => {}); // a game that needs the limits requests them again
await openAddress();
