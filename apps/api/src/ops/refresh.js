// Updates the console in place: a reload would lose the reader's selection, focus and scroll position.
const refreshMs = 5_000;

/**
 * Makes `old` equal to `next`, replacing only the nodes that differ.
 *
 * @param {ChildNode | null} old
 * @param {ChildNode | null | undefined} next
 */
function update(old, next) {
  if (!old || !next || old.isEqualNode(next)) return;
  const isSameElement = old.hasChildNodes() && old.cloneNode().isEqualNode(next.cloneNode());
  const [children, nextChildren] = [[...old.childNodes], [...next.childNodes]];
  if (!isSameElement || children.length !== nextChildren.length) old.replaceWith(next);
  else for (const [index, child] of children.entries()) update(child, nextChildren[index]);
}

const isSelecting = () => getSelection()?.isCollapsed === false;

async function refresh() {
  if (document.hidden || isSelecting()) return;
  // oxlint-disable-next-line no-restricted-globals -- runs in the operator's browser
  const response = await fetch(location.href, { headers: { accept: 'text/html' } });
  // The session has ended.
  if (response.redirected) location.reload();
  if (!response.ok) throw new Error(`The console responded with ${response.status}.`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  // Something may have been selected during the request.
  if (isSelecting()) return;
  update(document.querySelector('main'), page.querySelector('main'));
}

function refreshLater() {
  setTimeout(() => {
    void refresh()
      .catch(() => document.querySelector('#unreachable')?.removeAttribute('hidden'))
      .then(refreshLater);
  }, refreshMs);
}

refreshLater();
