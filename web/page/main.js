// The page: its frame, the game that is on it, and the link to what is shown.

import { Unreachable } from '../arbiter.js';
import { Dropped } from './dropped.js';
import { h, put } from './dom.js';
import { look, JSON_KIND } from './kinds.js';
import { BadLink, readLink, writeLink } from './link.js';
import { failureShown } from './problem.js';
import { numberOfDay, puzzleOf } from './puzzle.js';
import { note, notes, saying } from './say.js';
import { Service } from './service.js';
import { Share } from './share.js';
import { docsPage, language, LANGUAGES, preferredLanguage, speak, t } from './text.js';
import { keepToken } from './token.js';
import { button, select } from './ui.js';

/** @typedef {import('./service.js').Game} Game */

/**
 * What the page gives to a game.
 * @typedef {object} Page
 * @property {Service} service
 * @property {Record<string, number>} limits       those of the service, by name
 * @property {() => void} changed                  what is on the screen has changed: the link and the question follow
 * @property {(files: FileList | File[], how?: { asTable?: boolean }) => void} drop  take files, as if they were dropped on the page;
 *   `asTable`: into the panel, where each of their cases is answered
 * @property {(number?: number) => void} puzzle    show a puzzle of the game; that of today if absent
 */

/**
 * What a game gives to the page.
 * @typedef {object} Playground
 * @property {HTMLElement} element
 * @property {Session} session                     `open` with it goes on with the game, in another language
 * @property {(file: File) => Promise<boolean>} [take]  one record or case was dropped; true: the game shows it itself
 * @property {() => void} close                    end what the playground listens to outside its element
 */

/**
 * The state of a game.
 * @typedef {object} Session
 * @property {() => object} state            what a link holds; `open` with it shows the same. Of a puzzle: `puzzle`, its number
 * @property {() => object | null} question  what is on the screen, as a question to the service; null: there is none now
 * @property {() => void} close              end what is going on: questions, timers
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
 * Load the style of a game, once. Rejects with TypeError if it does not come, as `import` does.
 * @param {Game} name
 */
function loadStyle(name) {
  const loading = styles.get(name) ?? new Promise((/** @type {(_: void) => void} */ resolve, reject) => {
    const link = h('link', { rel: 'stylesheet', href: `web/${name}/${name}.css`, onload: () => resolve(), onerror: () => {
      link.remove();
      styles.delete(name);
      reject(new TypeError(`the style of ${name} did not come`));
    } });
    document.head.append(link);
  });
  styles.set(name, loading);
  return loading;
}

/** Milliseconds of quiet after which the address follows what is shown: browsers allow a hundred changes in half a minute. */
const QUIET = 400;

const banner = h('div', { class: 'banner', role: 'alert', hidden: true });
/** What the banner is about. @type {import('./service.js').ServiceState} */
let told = { kind: 'well', back: false };
const place = h('main', { id: 'main', tabindex: -1 });

/** @type {Game} */
let game = 'pawn';
/** @type {Playground | null} */
let playground = null;
/** @type {Share} */
let share;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
/** How many games have been asked for: of two that are being opened the later one stays. */
let opened = 0;
/** Which of these is on the page, or could not be shown. */
let turn = 0;
/** The fragment of what is on the page; null before there is anything. @type {string | null} */
let address = null;
/** The number under which what is on the page is kept, where no link can hold it. @type {number | null} */
let kept = null;

const service = new Service((state) => {
  const was = told.kind;
  told = state;
  announce();
  if (state.kind === 'well' && state.back && was !== 'slow') note(t('page.back')); // a slow answer is no fault
});

/** The game or language that is being fetched. */
const fetched = service.latest();

/**
 * What the trouble is, and of one that passes in a while, when.
 * @param {{ kind: import('./service.js').Trouble, at: number | null }} trouble
 */
function troubleWords({ kind, at }) {
  if (kind !== 'busy' || at === null) return t(`page.${kind}`);
  const seconds = Math.max(1, Math.ceil((at - Date.now()) / 1000)), time = new Date(at).toLocaleTimeString(document.documentElement.lang);
  return t(seconds < 120 ? 'page.busy-seconds' : 'page.busy-minutes', { count: seconds < 120 ? seconds : Math.ceil(seconds / 60), time });
}

/** Have the banner say how it stands with the service, and offer what can be done. */
function announce() {
  const focused = banner.contains(document.activeElement);
  banner.hidden = told.kind === 'well';
  if (told.kind === 'well') put(banner);
  else if (told.kind === 'failed') {
    const { failure, again } = told;
    put(banner, failureShown(failure), 'status' in failure && failure.status === 401 ? tokenForm(again) : button(t('page.ask-again'), again));
  }
  else {
    put(banner, troubleWords(told), told.kind !== 'slow' && button(t('page.try-now'), () => service.hurry()),
      button(t('page.cancel'), () => service.cancel()));
  }
  if (focused) (/** @type {HTMLElement | null} */ (banner.querySelector('input, button')) ?? place).focus({ preventScroll: true });
}

/**
 * A form for the token that a gateway asks for.
 * @param {() => void} again
 */
function tokenForm(again) {
  // Of other characters a header has none.
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
    clearTimeout(waiting);
    waiting = setTimeout(follow, QUIET);
    if (playground) share.show({ game, state: playground.session.state(), question: playground.session.question() });
  },
  drop: (files, { asTable = false } = {}) => {
    const chosen = [...files];
    if (asTable || chosen.length !== 1) dropped.take(chosen, game);
    else void receive(chosen[0]);
  },
  puzzle: (number = numberOfDay(Date.now())) => {
    // Its list was fetched before, or `open` asks for it again: nothing else can go wrong.
    void enter(game, { puzzle: number }).then(() => /** @type {HTMLElement | null} */ (place.querySelector('.grid'))?.focus({ preventScroll: true }));
  },
};
const dropped = new Dropped(page, (chosen, question) => show(chosen, { question }),
  (fetching, again) => reach(service.latest(), fetching, again));

/**
 * Show a game on its board, at a state that came from elsewhere.
 * @param {Game} chosen
 * @param {object | undefined} state
 */
async function show(chosen, state) {
  try {
    await enter(chosen, state);
  } catch {
    return note(t('dropped.not-shown'), 'bad'); // it may hold anything
  }
  place.scrollIntoView();
  place.focus({ preventScroll: true });
}

/**
 * Put a file where it is best looked at: one position or record onto the board of its game, all else into the panel, which answers
 * each of its cases.
 * @param {File} file
 */
async function receive(file) {
  try {
    const { kind, game: its, single } = await look(file);
    if (single && its) {
      if (its !== game) await enter(its, undefined);
      if (await playground?.take?.(file)) return;
    }
    if (single && kind === JSON_KIND) return await enter(its ?? game, { question: JSON.parse(await file.text()) });
  } catch {
    // Whatever is wrong with the file, the panel says it.
  }
  dropped.take([file], game);
}

/**
 * Have the address hold what is shown. A board that is too large for that leaves the name of its game, and is kept in the browser.
 * Where the reader has gone elsewhere meanwhile, `go` is about to be called.
 */
async function follow() {
  const away = () => turn !== opened || location.hash !== address;
  if (!playground || away()) return;
  const state = playground.session.state(), link = await writeLink(game, state);
  const number = link === null ? await keptAs(state) : null;
  if (away()) return;
  kept = number;
  address = link ?? `#${game}`;
  history.replaceState(kept === null ? null : { kept }, '', address);
}

/**
 * Keep a state that no link can hold.
 * @param {object} state
 * @returns {Promise<number | null>} its number; null where the browser keeps nothing for this page
 */
async function keptAs(state) {
  try {
    return await (await import('./kept.js')).keep(game, state, kept);
  } catch {
    return null; // a reload shows the first board then
  }
}

/**
 * The state that is kept for the entry of the browser's history that the page is at; undefined where there is none.
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
 * Fetch a part of the page when it is needed; null: it was given up, or another is needed now.
 * @template Part
 * @param {import('./service.js').Asker} asker
 * @param {() => Promise<Part>} fetching
 * @param {() => void} again
 */
async function reach(asker, fetching, again) {
  const answer = await asker.ask(async () => {
    try {
      return await fetching();
    } catch (cause) {
      throw cause instanceof TypeError ? new Unreachable('a part of the page did not come', { cause }) : cause;
    }
  }, again);
  return answer?.result ?? null;
}

/**
 * Show a game, at this state or at its first. Of a puzzle the board is fetched. Rejects with BadLink at a state that it cannot show; what was shown stays then.
 * @param {Game} chosen
 * @param {object | undefined} state
 * @param {() => void} again
 * @param {Session} [session] that goes on, in another language
 * @returns {Promise<boolean>} is it shown?
 */
async function open(chosen, state, again, session) {
  const mine = (opened += 1);
  const fetching = async () => {
    const [module] = await Promise.all([GAMES[chosen](), loadStyle(chosen)]);
    return { module, given: state && 'puzzle' in state ? { ...state, board: await puzzleOf(chosen, state.puzzle) } : state };
  };
  const part = await reach(fetched, fetching, again);
  if (!part || mine !== opened) return false;
  turn = mine;
  const next = part.module.open(page, part.given, session);
  kept = null;
  clearTimeout(waiting);
  playground?.close();
  if (playground?.session !== session) playground?.session.close();
  game = chosen;
  share = new Share(service);
  playground = next;
  put(place, playground.element, share.element);
  document.title = t('page.title', { game: t(`${game}.name`) });
  for (const link of document.querySelectorAll('nav [data-game]')) {
    if (/** @type {HTMLElement} */ (link).dataset.game === game) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  page.changed();
  return true;
}

/**
 * Show a game as if a link had led to it: what is on the page now is a step back.
 * @param {Game} chosen
 * @param {object | undefined} state
 */
async function enter(chosen, state) {
  clearTimeout(waiting);
  await follow(); // at once: the address of the board before is about to be one to go back to
  if (!await open(chosen, state, () => void show(chosen, state))) return;
  if (location.hash !== `#${chosen}`) history.pushState(null, '', `#${chosen}`);
  address = location.hash;
}

/**
 * The game that a link names; the first where it names none.
 * @param {string} link
 * @returns {Game}
 */
function gameOf(link) {
  const [, name] = /^#?([^=]*)/.exec(link) ?? [];
  return name && Object.hasOwn(GAMES, name) ? /** @type {Game} */ (name) : 'pawn';
}

/** Show what the address says. */
async function go() {
  if (location.hash === address) return;
  const asked = address = location.hash, mine = (opened += 1);
  const again = () => {
    address = null;
    void go();
  };
  const chosen = gameOf(asked);
  let state;
  try {
    state = await readLink(asked) ?? await keptState(chosen);
    if (mine === opened) await open(chosen, state, again); // else another has been asked for by now
  } catch (error) {
    // A link may hold anything: whatever goes wrong with what it holds, the link is wrong.
    if (!(error instanceof BadLink) && state === undefined) throw error;
    if (address !== asked) return;
    await open(chosen, undefined, again);
    note(t('page.bad-link'), 'bad');
  }
}

/** The frame around the games, in the language that is spoken. */
function frame() {
  dropped.speak();
  announce();
  const files = h('input', { type: 'file', multiple: true, hidden: true, onchange: () => {
    if (files.files?.length) page.drop(files.files);
    files.value = '';
  } });
  const languages = select(LANGUAGES.map(([code, name]) => [code, name]), async () => {
    const change = async () => {
      const spoken = async () => {
        await speak(languages.value, { chosen: true });
        return true;
      };
      if (!await reach(fetched, spoken, change)) return;
      const focused = document.activeElement === languages;
      frame();
      if (focused) /** @type {HTMLElement} */ (document.querySelector('header select')).focus();
      await open(game, undefined, () => {}, playground?.session);
    };
    await change();
  }, { 'aria-label': t('page.language') });
  languages.value = language();
  for (const option of languages.options) option.lang = option.value;
  notes.ariaLabel = t('page.messages');
  put(document.body,
    h('a', { class: 'skip', href: '#main', onclick: (/** @type {Event} */ event) => {
      event.preventDefault(); // the fragment is the link to the game
      place.focus();
    } }, t('page.skip')),
    h('header', {},
      h('a', { class: 'brand', href: '.' }, h('img', { src: 'web/icon.svg', alt: '', width: 28, height: 28 }), t('page.name')),
      h('nav', { 'aria-label': t('page.games') }, Object.keys(GAMES).map((name) =>
        h('a', { href: `#${name}`, 'data-game': name }, t(`${name}.name`)))),
      h('div', { class: 'end row' },
        button(t('page.open-file'), () => files.click()), files,
        h('a', { href: 'docs' }, t('page.docs')), languages)),
    banner, place, dropped.element, h('footer', {}, h('p', {}, t('page.promise')), h('p', { class: 'row' },
      [[docsPage('guides'), 'page.guides'], ['openapi.yaml', 'page.contract'], [docsPage('limits'), 'page.limits'], [docsPage('errors'), 'page.problems']].map(
        ([href, key]) => h('a', { href }, t(key))))),
    saying);
}

/** A file may be dropped anywhere; while one is held above the page, the page says so. */
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

// The game is loaded beside the words; `open` asks again for what did not come.
for (const part of [GAMES[gameOf(location.hash)](), loadStyle(gameOf(location.hash))]) part.catch(() => {});
await speak(preferredLanguage());
frame();
listenForFiles();
addEventListener('hashchange', go);
addEventListener('online', () => service.hurry());
service.keepAsking((signal) => service.arbiter.limits({ signal }), { patient: true })
  .then((limits) => Object.assign(page.limits, limits), () => {}); // the game that needs them asks for them
await go();
