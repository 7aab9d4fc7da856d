// Runs before the page is drawn, so that code is shown in the reader's language from the start.
const LANGUAGE = 'language';

function remembered() {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null;
  }
}

/** @param {string} language */
function remember(language) {
  try {
    localStorage.setItem(LANGUAGE, language);
  } catch {
    // Storage may be forbidden: the choice holds for this page.
  }
}

/**
 * Shows a language in every group that has it, and the first one in the others.
 * @param {string | null} language
 */
function show(language) {
  for (const group of document.querySelectorAll('.samples')) {
    const buttons = [...group.querySelectorAll('button[value]')];
    const shown = buttons.find((button) => button.getAttribute('value') === language) ?? buttons[0];
    for (const button of buttons) button.setAttribute('aria-pressed', String(button === shown));
    for (const sample of group.querySelectorAll('.sample')) {
      sample.toggleAttribute('hidden', sample.getAttribute('data-language') !== shown?.getAttribute('value'));
    }
  }
}

/** @param {Element} block */
function addCopyButton(block) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  /** @param {string} text */
  const say = (text) => {
    button.textContent = text;
    setTimeout(() => (button.textContent = 'Copy'), 2_000);
  };
  button.addEventListener('click', () => {
    const copied = navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    copied.then(
      () => say('Copied'),
      () => say('Not copied'),
    );
  });
  block.append(button);
}

document.documentElement.classList.add('scripted');
document.addEventListener('DOMContentLoaded', () => {
  show(remembered());
  for (const block of document.querySelectorAll('.code')) addCopyButton(block);
  const current = document.querySelector('nav [aria-current]');
  const navigation = current?.closest('nav');
  if (navigation) navigation.scrollTop = current.offsetTop - navigation.clientHeight / 2;
});
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('.languages button') : null;
  const language = button?.getAttribute('value');
  if (language === null || language === undefined) return;
  remember(language);
  show(language);
});
