// The page: its frame, the game that is on it, and the link to what is shown.

import { Unreachable } from '../arbiter.js';
import { Dropped } from './dropped.js';
import { h, put } from './dom.js';
import { look, JSON_KIND } from './kinds.js';
import { BadLink, readLink, writeLink } from './link.js';
import { note, saying } from './say.js';
import { Service } from './service.js';
import { Share } from './share.js';
import { language, LANGUAGES, preferredLanguage, speak, t } from './text.js';

/** @typedef {import('./service.js').Game} Game */

/**
 * What the page gives to a game.
 * @typedef {object} Page
 * @property {Service} service
 * @property {Record<string, number>} limits       those of the service, by name
 * @property {() => void} changed                  what is on the screen has changed: the link and the question follow
 * @property {(files: FileList | File[], how?: { asTable?: boolean }) => void} drop  take files, as if they were dropped on the page;
 *   `asTable`: into the panel, where each of their cases is answered
 */

/**
 * What a game gives to the page.
 * @typedef {object} Playground
 * @property {HTMLElement} element
 * @property {() => object} state                  what a link holds; `open` with it shows the same
 * @property {() => object | null} question        what is on the screen, as a question to the service; null: there is none now
 * @property {(file: File) => Promise<boolean>} [take]  one record or case was dropped; true: the game shows it itself
 * @property {() => void} close                    end what is going on: questions, timers, listeners outside the element
 */

/** @type {Record<Game, () => Promise<{ open: (page: Page, state: any) => Playground }>>} */
const GAMES = {
  pawn: () => import('../pawn/pawn.js'),
  go: () => import('../go/go.js'),
  mine: () => import('../mine/mine.js'),
};

/** Milliseconds of quiet after which the address follows what is shown: browsers allow a hundred changes in half a minute. */
const QUIET = 400;

const banner = h('div', { class: 'banner', role: 'alert', hidden: true });
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

const service = new Service((state) => {
  banner.hidden = state === 'well';
  if (state === 'well') return note(t('page.back'));
  put(banner, t(`page.${state}`), ' ',
    h('button', { type: 'button', onclick: () => service.hurry() }, t('page.try-now')));
});

/** @type {Page} */
const page = {
  service,
  limits: {},
  changed: () => {
    clearTimeout(waiting);
    waiting = setTimeout(follow, QUIET);
    if (playground) share.show({ game, state: playground.state(), question: playground.question() });
  },
  drop: (files, { asTable = false } = {}) => {
    const chosen = [...files];
    if (asTable || chosen.length !== 1) dropped.take(chosen, game);
    else void receive(chosen[0]);
  },
};
const dropped = new Dropped(page, show);

/**
 * Show a case that came from elsewhere on the board of its game.
 * @param {Game} chosen
 * @param {object} question
 */
async function show(chosen, question) {
  try {
    await enter(chosen, { question });
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
 * Have the address hold what is shown; a board that is too large for that leaves the name of its game. Where the reader has gone
 * elsewhere meanwhile, `go` is about to be called.
 */
async function follow() {
  const away = () => turn !== opened || location.hash !== address;
  if (!playground || away()) return;
  const link = await writeLink(game, playground.state()) ?? `#${game}`;
  if (away()) return;
  address = link;
  history.replaceState(null, '', link);
}

/**
 * What a part of the page comes to that is fetched when it is needed. A service that is gone is asked again.
 * @template Part
 * @param {() => Promise<Part>} fetching
 * @returns {Promise<Part>}
 */
function reach(fetching) {
  return service.keepAsking(async () => {
    try {
      return await fetching();
    } catch (cause) {
      throw cause instanceof TypeError ? new Unreachable('a part of the page did not come', { cause }) : cause;
    }
  });
}

/**
 * Show a game, at this state or at its first. Rejects with BadLink at a state that it cannot show; what was shown stays then.
 * @param {Game} chosen
 * @param {object | undefined} state
 */
async function open(chosen, state) {
  const mine = (opened += 1);
  const module = await reach(GAMES[chosen]);
  if (mine !== opened) return;
  turn = mine;
  const next = module.open(page, state);
  clearTimeout(waiting);
  playground?.close();
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
}

/**
 * Show a game as if a link had led to it: what is on the page now is a step back.
 * @param {Game} chosen
 * @param {object | undefined} state
 */
async function enter(chosen, state) {
  clearTimeout(waiting);
  await follow(); // at once: the address of the board before is about to be one to go back to
  await open(chosen, state);
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
  const chosen = gameOf(asked);
  let state;
  try {
    state = await readLink(asked);
    if (mine === opened) await open(chosen, state); // else another has been asked for by now
  } catch (error) {
    // A link may hold anything: whatever goes wrong with what it holds, the link is wrong.
    if (!(error instanceof BadLink) && state === undefined) throw error;
    if (address !== asked) return;
    await open(chosen, undefined);
    note(t('page.bad-link'), 'bad');
  }
}

/** The frame around the games, in the language that is spoken. */
function frame() {
  dropped.speak();
  const files = h('input', { type: 'file', multiple: true, hidden: true, onchange: () => {
    if (files.files?.length) page.drop(files.files);
    files.value = '';
  } });
  const languages = h('select', {
    'aria-label': t('page.language'),
    onchange: async () => {
      await reach(() => speak(languages.value, { chosen: true }));
      const state = playground?.state();
      frame();
      await open(game, state);
    },
  }, LANGUAGES.map(([code, name]) => h('option', { value: code, lang: code, selected: code === language() }, name)));
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
        h('button', { type: 'button', onclick: () => files.click() }, t('page.open-file')), files,
        h('a', { href: 'docs' }, t('page.docs')), languages)),
    banner, place, dropped.element, h('footer', {}, h('p', {}, t('page.promise')), h('p', { class: 'row' },
      [['docs/guides', 'page.guides'], ['openapi.yaml', 'page.contract'], ['limits', 'page.limits'], ['problems', 'page.problems']].map(
        ([href, key]) => h('a', { href: language() === 'zh' && href === 'docs/guides' ? `${href}.zh` : href }, t(key))))),
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

GAMES[gameOf(location.hash)]().catch(() => {}); // on its way while the words are; `open` asks again for what did not come
await speak(preferredLanguage());
frame();
listenForFiles();
addEventListener('hashchange', go);
service.keepAsking(() => service.arbiter.limits()).then((limits) => Object.assign(page.limits, limits));
await go();
