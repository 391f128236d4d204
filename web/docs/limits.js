// Fills the table of limits with the current values from /limits.

const language = document.documentElement.lang;
const UNITS = /** @type {const} */ ([[2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB']]);

/**
 * A value for the table. A number of bytes is also shown in KiB, MiB or GiB if it is a whole number of these.
 * @param {string} name
 * @param {number} value
 */
function valueText(name, value) {
  const text = value.toLocaleString(language);
  const [size, unit] = (name.endsWith('_bytes') && UNITS.find(([bytes]) => value >= bytes && value % bytes === 0)) || [];
  return size ? `${text} (${(value / size).toLocaleString(language)} ${unit})` : text;
}

async function show() {
  const answer = await fetch('../limits');
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  /** @type {Record<string, number>} */
  const limits = await answer.json();
  for (const cell of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-limit]'))) {
    const name = cell.dataset.limit ?? '';
    if (Object.hasOwn(limits, name)) cell.textContent = valueText(name, limits[name]);
  }
}

show().catch((error) => {
  const trouble = /** @type {HTMLElement} */ (document.querySelector('#trouble'));
  /** @type {HTMLElement} */ (trouble.querySelector('code')).textContent = error.message;
  trouble.hidden = false;
});
