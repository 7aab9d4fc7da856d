// Draws openapi.json. Whatever would ask another origin is off; the content security policy would refuse it anyway.
// Requests are tried against this very service, and the key that is typed for them is gone with the page.
// oxlint-disable-next-line typescript/no-unsafe-call, typescript/no-unsafe-member-access -- what scalar.js, which has no types, defines
window.Scalar.createApiReference('#reference', {
  url: '/api/v1/openapi.json',
  documentDownloadType: 'none',
  orderSchemaPropertiesBy: 'preserve',
  persistAuth: false,
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
});

// On a slow machine, what stands above the operation of the address is drawn after Scalar has scrolled to it.
const asked = decodeURIComponent(location.hash.slice(1));
// Scalar's ids begin with the name of the document.
const keepInView = new ResizeObserver(() =>
  document.querySelector(`section[id$="/${CSS.escape(asked)}"]`)?.scrollIntoView(),
);
if (asked !== '') keepInView.observe(document.body);
for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
  addEventListener(type, () => keepInView.disconnect(), { once: true, passive: true });
