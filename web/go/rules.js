// By which rules the game is judged: two choices, each with a sentence.

import { h, put } from '../page/dom.js';
import { t } from '../page/text.js';
import { KO } from './game.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./game.js').Rules} Rules */

export class RulesCard {
  #session;
  #ko;
  #suicide;
  #koNote = h('p', { class: 'soft', id: 'go-ko-note' });
  #suicideNote = h('p', { class: 'soft', id: 'go-suicide-note' });
  #source = h('p', { class: 'row', hidden: true });
  #back;
  #shown = '';

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    const judge = () =>
      session.judge({ ko: /** @type {Rules['ko']} */ (this.#ko.value), suicide: this.#suicide.checked });
    this.#ko = h('select', { onchange: judge, 'aria-describedby': 'go-ko-note' },
      KO.map((ko) => h('option', { value: ko }, t(`go.ko-name.${ko}`))));
    this.#suicide = h('input', { type: 'checkbox', onchange: judge, 'aria-describedby': 'go-suicide-note' });
    this.#back = h('button', { type: 'button', onclick: () => session.judgeAsRecorded() }, t('go.rules-back'));
    this.element = h('section', { class: 'card', 'aria-label': t('go.rules') },
      h('h2', {}, t('go.rules')), this.#source,
      h('div', { class: 'choice' }, h('label', { class: 'wide' }, h('span', {}, t('go.ko')), this.#ko), this.#koNote),
      h('div', { class: 'choice' }, h('label', {}, this.#suicide, t('go.suicide')), this.#suicideNote));
  }

  show() {
    const { game, record, opening } = this.#session;
    const rules = { ...game.rules, ...opening?.chosen };
    const chosen = record !== null && Object.keys(record.chosen).length > 0;
    const key = JSON.stringify([rules, record !== null, chosen]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#ko.value = rules.ko;
    this.#suicide.checked = rules.suicide;
    put(this.#koNote, t(`go.ko-note.${rules.ko}`));
    put(this.#suicideNote, t(`go.suicide-note.${rules.suicide}`));
    this.#source.hidden = record === null;
    put(this.#source, h('span', {}, t(chosen ? 'go.rules-chosen' : 'go.rules-read')), chosen && this.#back);
  }
}
